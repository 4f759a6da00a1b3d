import { locales } from "@palisade/contract/texts/render";
import { describe, expect, test } from "vitest";
import { layoutMail } from "#src/platform/mail/layout.ts";
import { renewalMails } from "./renewal-mails.ts";

const letterhead = {
  operator: { name: "Operator", address: "Street 1, Town", email: "operator@example.com" },
  consoleOrigin: () => "https://palisade.example",
};
const names = [
  "renewals.low",
  "renewals.ending",
  "renewals.failed",
  "renewals.grace",
  "renewals.last_day",
  "renewals.expired",
  "renewals.plan-kept",
  "renewals.support-failed",
  "renewals.support-ended",
  "renewals.top-up-failed",
  "renewals.top-up-off",
  "traffic.80",
  "traffic.100",
  "traffic.used-up",
];
const mails = names.flatMap((name) => locales.map((locale) => ({ name, locale })));

test("every mail about paid periods, traffic and automatic top-ups is there", () => {
  expect(Object.keys(renewalMails).toSorted()).toEqual(names.toSorted());
});

describe.each(mails)("$name ($locale)", ({ name, locale }) => {
  const template = renewalMails[name];
  if (template === undefined) throw new Error(`There is no mail ${name}`);
  const content = template.render(locale, template.sample);
  const sent = layoutMail(locale, content, letterhead);

  test("is in its language, complete, and says what to do next", () => {
    expect(/[а-яё]/i.test(sent.subject)).toBe(locale === "ru");
    expect(/[а-яё]/i.test(content.paragraphs.join())).toBe(locale === "ru");
    expect(content.paragraphs).toHaveLength(2);
    expect(sent.subject.length).toBeLessThan(80);
    expect(sent.text + sent.html + sent.subject).not.toMatch(/undefined|\{\w+\}|NaN/);
    expect(sent.text).toContain("https://palisade.example/dashboard/");
    for (const { value } of content.details) expect(sent.text).toContain(value);
  });

  test("has as many facts in both languages, and cuts the name of a shield in its subject", () => {
    const other = template.render(locale === "ru" ? "en" : "ru", template.sample);
    expect(other.details.length).toBe(content.details.length);
    expect(other.action?.to).toBe(content.action?.to);
    const long = template.render(locale, { ...template.sample, server: "x".repeat(250) });
    expect(long.subject.length).toBeLessThan(100);
  });
});
