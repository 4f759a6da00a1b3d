import { locales } from "@palisade/contract/texts/render";
import { describe, expect, test } from "vitest";
import { layoutMail } from "#src/platform/mail/layout.ts";
import { cardMails } from "./card-mails.ts";

const letterhead = {
  operator: { name: "Operator", address: "Street 1, Town", email: "operator@example.com" },
  consoleOrigin: () => "https://palisade.example",
};

function sent(name: string, locale: (typeof locales)[number], values?: object) {
  const template = cardMails[name];
  if (template === undefined) throw new Error(`There is no mail ${name}`);
  const content = template.render(locale, { ...template.sample, ...values });
  return { content, ...layoutMail(locale, content, letterhead) };
}

describe.each(locales)("mails about saved cards (%s)", (locale) => {
  test.each(Object.keys(cardMails))("%s is in its language, complete, and no secret", (name) => {
    const { subject, text, html, content } = sent(name, locale);
    expect(/[а-яё]/i.test(subject)).toBe(locale === "ru");
    expect(/[а-яё]/i.test(content.paragraphs.join())).toBe(locale === "ru");
    expect(subject + text + html).not.toMatch(/undefined|\{\w+\}|NaN/);
    expect(content.caution).toBeDefined();
    for (const { value } of content.details) expect(text).toContain(value);
  });

  test("a card that expires is named by brand, last digits and month", () => {
    const { subject, text } = sent("cards.expiring", locale, { last4: "9999", expiry: "2031-02" });
    expect(subject).toContain("9999");
    expect(text).toContain("visa •••• 9999");
    expect(text).toContain("02/2031");
    expect(text).toContain("https://palisade.example/dashboard/billing");
  });

  test("a payment that the bank wants to see leads to the payment page, with amount and deadline", () => {
    const url = "https://checkout.stripe.com/c/pay/cs_test_b2";
    const { subject, text } = sent("cards.authenticate", locale, { cents: 1_234, url });
    expect(subject).toMatch(/12[.,]34/);
    expect(text).toContain(url);
    expect(text).toContain("12:00");
    expect(text).toContain("https://palisade.example/dashboard/billing");
  });
});
