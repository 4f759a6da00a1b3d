import { locales, type Locale } from "@palisade/contract/texts/render";
import { describe, expect, test } from "vitest";
import { layoutMail } from "#src/platform/mail/layout.ts";
import type { MailContent } from "#src/platform/mail/mail-content.ts";
import { authMails } from "#src/features/auth/auth-mails.ts";
import { accountNotices, noticeMessage } from "./notice-texts.ts";
import { noticeMails } from "./notice-mails.ts";
import { emailChangeMails } from "#src/features/profile/email-change-mails.ts";
import { causeOf, causeOfUnproven, detailsOf } from "#src/platform/mail/mail-details.ts";

const letterhead = {
  operator: { name: "Operator", address: "Street 1, Town", email: "operator@example.com" },
  consoleOrigin: () => "https://palisade.example",
};

const templates = Object.entries({ ...authMails, ...emailChangeMails, ...noticeMails });
const mails = templates.flatMap(([name, template]) =>
  locales.map((locale) => {
    const content = template.render(locale, template.sample);
    return { name, locale, content, sent: layoutMail(locale, content, letterhead) };
  }),
);

/** The text that a reader of the HTML sees. */
function seen(html: string): string {
  return html
    .replace(/<style>.*?<\/style>|<!--.*?-->|<head>.*?<\/head>/gs, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

/** Everything it says to a reader, links apart. */
function sayings({
  heading,
  paragraphs,
  code,
  action,
  details: facts,
  caution,
  reason,
}: MailContent) {
  return [
    heading,
    ...paragraphs,
    ...(code === undefined ? [] : [code]),
    ...(action === undefined ? [] : [action.label]),
    ...facts.flatMap(({ label, value }) => [label, value]),
    ...(caution === undefined ? [] : [caution.text]),
    reason,
  ];
}

describe.each(mails)("$name ($locale)", ({ name, locale, content, sent }) => {
  test("says the same in text and HTML, with the operator named in both", () => {
    const { operator } = letterhead;
    for (const saying of [...sayings(content), ...Object.values(operator)]) {
      expect(sent.text).toContain(saying);
      expect(seen(sent.html)).toContain(saying);
    }
    const links = [...sent.html.matchAll(/href="([^"]+)"/g)].map(([, url = ""]) => url);
    for (const url of links.filter((link) => link !== `mailto:${operator.email}`)) {
      expect(url).toMatch(/^https:\/\/palisade\.example\//);
      expect(sent.text).toContain(url);
    }
  });

  test("loads and tracks nothing, and no mail program cuts it", () => {
    expect(sent.html).not.toMatch(/\ssrc=|srcset=|url\(|@import|<(img|link|script|iframe|form)\b/i);
    expect(Buffer.byteLength(sent.html)).toBeLessThan(102 * 1024);
  });

  test("has a subject of one line without what is secret, in its own language", () => {
    expect(sent.subject).not.toMatch(/[\r\n{}]/);
    expect(sent.subject.length).toBeLessThan(80);
    expect(sent.html).toContain(`<html lang="${locale}"`);
    expect(sayings(content).join()).not.toMatch(/\{\w+\}|undefined/);
    expect(/[а-яё]/i.test(sent.subject)).toBe(locale === "ru");
    // Locked screens show subjects, and the first line beside them.
    if (name !== "accounts.confirm-email") expect(sent.subject).not.toContain(content.code ?? "//");
    expect(content.paragraphs[0]).not.toContain(content.code ?? "//");
  });

  test("says what to do when the reader did not cause it, or how to switch it off", () => {
    const isProduct = name === "accounts.api-key-expiring";
    expect(content.optOut !== undefined).toBe(isProduct);
    expect(content.caution === undefined).toBe(isProduct);
  });
});

test("both languages say as much: as many paragraphs, facts and links", () => {
  const shape = ({ paragraphs, details: facts, action, caution, optOut }: MailContent) => [
    paragraphs.length,
    facts.map(({ value }) => value === ""),
    action?.to,
    caution?.action?.to,
    optOut?.to,
  ];
  for (const [name, { render, sample }] of templates) {
    expect(shape(render("ru", sample)), name).toEqual(shape(render("en", sample)));
  }
});

test("mails of jobs from before they had facts are still sent", () => {
  for (const [name, template] of templates) {
    const values = { code: "ABCD2345", link: "https://palisade.example/x", email: "x", name: "y" };
    const { text } = layoutMail("en", template.render("en", values), letterhead);
    expect(text, name).not.toContain("undefined");
  }
});

describe("the place that a mail names", () => {
  const call = {
    now: new Date("2026-03-09T08:07:00Z"),
    ip: "192.0.2.7",
    device: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  };
  const written = (locale: Locale, values: Record<string, string | number>) =>
    detailsOf(locale, values, ["device", "ip", "at"]).map(
      ({ label, value }) => `${label}: ${value}`,
    );

  test("is told with device, address and time with its zone", () => {
    expect(written("en", causeOf(call))).toEqual([
      "Device: Firefox on Linux",
      "IP address: 192.0.2.7",
      "Time: 9 March 2026, 08:07 UTC",
    ]);
    expect(written("ru", causeOf(call))).toEqual([
      "Устройство: Firefox, Linux",
      "IP-адрес: 192.0.2.7",
      "Время: 9 марта 2026 г., 08:07 UTC",
    ]);
  });

  test("is told without the address where the mail may reach a stranger", () => {
    expect(JSON.stringify(causeOfUnproven(call))).not.toContain(call.ip);
  });

  test.each([
    "Your account is blocked, call/1 (now)",
    "evil.example.com/free (prize)",
    "www.example.com",
    "Urgent",
    "Mozilla/5.0 (Visit example.com) Safe/1",
    "",
  ])("'%s' as a device is an unknown one: strangers write nothing into our mails", (device) => {
    expect(written("en", { device })).toEqual(["Device: Unknown device"]);
  });

  test("programs people call by name are named", () => {
    expect(written("en", { device: "curl/8.5.0" })).toEqual(["Device: curl"]);
  });
});

test.each(locales)("every notice is a message for a chat too (%s)", (locale) => {
  for (const notice of accountNotices) {
    const lines = noticeMessage(locale, notice, { email: "a@b.cd", name: "Key" }).split("\n");
    expect(lines, notice).toHaveLength(3);
    expect(lines[0]).toMatch(/^\*\*.+\*\*$/);
  }
});
