import { locales } from "@palisade/contract/texts/render";
import { describe, expect, test } from "vitest";
import { layoutMail } from "#src/platform/mail/layout.ts";
import { subUserMails } from "./sub-user-mails.ts";

const letterhead = {
  operator: { name: "Operator", address: "Street 1, Town", email: "operator@example.com" },
  consoleOrigin: () => "https://palisade.example",
};
const mails = Object.entries(subUserMails).flatMap(([name, template]) =>
  locales.map((locale) => ({ name, locale, template })),
);

describe.each(mails)("$name ($locale)", ({ locale, template }) => {
  test("is in its language, with all it has to say and no secret in the subject", () => {
    const content = template.render(locale, template.sample);
    const sent = layoutMail(locale, content, letterhead);
    expect(/[а-яё]/i.test(sent.subject)).toBe(locale === "ru");
    expect(sent.subject).not.toContain("psi_");
    expect(content.caution).toBeDefined();
    for (const { value } of content.details) expect(sent.text).toContain(value);
    expect(sent.text + sent.html).not.toMatch(/undefined|\{\w+\}/);
  });

  test("a name as long as names may be is cut, and markup in it stays text", () => {
    const server = `<b>${"x".repeat(250)}`;
    const content = template.render(locale, { ...template.sample, server });
    const shown = content.details[0]?.value ?? "";
    expect(shown).toHaveLength(64);
    expect(layoutMail(locale, content, letterhead).html).not.toContain("<b>xx");
  });
});
