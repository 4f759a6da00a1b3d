import { describe, expect, test } from "vitest";
import { staffEventText, type StaffEvent } from "./staff-event-texts.ts";
import { staffMails } from "./staff-mails.ts";

const domain = "console.example.com";
const expires_at = "2026-11-14T12:00:00.000Z";

const titleOf = (kind: StaffEvent["kind"], expires: string | null, at: string) =>
  // The data of the certificate's events are alike.
  staffEventText({ kind, data: { domain, expires_at: expires } } as StaffEvent, new Date(at), "en")
    .title;

describe("staff are told of the certificate what is so", () => {
  test.each([
    ["certificate.renewal_failed", expires_at, `The certificate of ${domain} cannot be renewed`],
    ["certificate.renewal_failed", null, `There is no usable new certificate for ${domain}`],
    ["certificate.expiring", expires_at, `The certificate of ${domain} expires soon`],
    ["certificate.renewed", expires_at, `The certificate of ${domain} is usable again`],
  ] as const)("%s, it expires at %s", (kind, expires, title) => {
    expect(titleOf(kind, expires, "2026-11-14T11:59:59.999Z")).toBe(title);
  });

  test("one that has expired does not expire soon, in mails too", () => {
    const expired = `The certificate of ${domain} has expired`;
    expect(titleOf("certificate.expiring", expires_at, expires_at)).toBe(expired);
    const mail = staffMails["certificates.expiring"];
    const values = { domain, expires_at };
    expect(mail?.render("en", { ...values, told_at: expires_at }).subject).toBe(expired);
    // As an api of the version before queues it.
    expect(mail?.render("en", values).subject).toBe(`The certificate of ${domain} expires soon`);
  });
});
