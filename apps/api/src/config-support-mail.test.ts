import { SettingsError } from "@palisade/settings/settings";
import { expect, test } from "vitest";
import { readApiConfig } from "#src/config.ts";

const base = {
  DATABASE_URL: "postgres://a@localhost/b",
  PALISADE_SECRET: "a secret that is long enough for this",
  SMTP_URL: "smtp://127.0.0.1:25",
};

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readApiConfig({ ...base, ...environment });
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
}

test("mails to tickets are off by default, and answered in the mailbox of development", () => {
  expect(readApiConfig(base).supportMail).toBeUndefined();
  expect(readApiConfig({ ...base, SMTP_URL: "" }).supportMail).toEqual({
    address: "support@palisade.localhost",
    smtp: undefined,
    imap: undefined,
  });
});

test("the listener and the mailbox are read with their parts decoded", () => {
  const { supportMail } = readApiConfig({
    ...base,
    PALISADE_SUPPORT_MAIL: "support@example.com",
    PALISADE_INBOUND_SMTP_PORT: "2500",
    PALISADE_INBOUND_IMAP:
      "imaps://support%40example.com:p%2Fss%3A@mail.example.com/Support%2FTickets",
  });
  expect(supportMail).toEqual({
    address: "support@example.com",
    smtp: { host: "127.0.0.1", port: 2_500 },
    imap: {
      host: "mail.example.com",
      port: 993,
      secure: true,
      user: "support@example.com",
      password: "p/ss:",
      mailbox: "Support/Tickets",
    },
  });
});

test.each([
  [
    { PALISADE_INBOUND_SMTP_PORT: "25" },
    "PALISADE_SUPPORT_MAIL must be set, because PALISADE_INBOUND_SMTP_PORT is",
  ],
  [
    { PALISADE_INBOUND_IMAP: "imaps://a:b@c" },
    "PALISADE_SUPPORT_MAIL must be set, because PALISADE_INBOUND_IMAP is",
  ],
  [
    { PALISADE_SUPPORT_MAIL: "support@example.com" },
    "PALISADE_INBOUND_SMTP_PORT or PALISADE_INBOUND_IMAP must be set",
  ],
  [{ PALISADE_SUPPORT_MAIL: "support" }, "PALISADE_SUPPORT_MAIL must be an e-mail address"],
  [
    { PALISADE_SUPPORT_MAIL: `${"s".repeat(31)}@example.com` },
    "at most 30 characters before the @",
  ],
  [{ PALISADE_INBOUND_SMTP_PORT: "mail" }, "PALISADE_INBOUND_SMTP_PORT must be"],
  ...[
    "imaps://host/INBOX",
    "https://a:secret@b",
    "imaps://a:secret@",
    "imaps://a:secret%@b",
    "imaps://a:secret@b/?x",
  ].map(
    (url) => [{ PALISADE_INBOUND_IMAP: url }, "PALISADE_INBOUND_IMAP must be imaps://"] as const,
  ),
] as const)("%j is refused at start, and no password is printed", (environment, problem) => {
  const problems = problemsOf(environment).join("\n");
  expect(problems).toContain(problem);
  expect(problems).not.toContain("secret");
});

test("in production the mailbox is read over TLS, or on this machine", () => {
  const production = { PALISADE_ENV: "production", PALISADE_SUPPORT_MAIL: "support@example.com" };
  const isRefused = (url: string) =>
    problemsOf({ ...production, PALISADE_INBOUND_IMAP: url }).some((line) =>
      line.startsWith("PALISADE_INBOUND_IMAP must begin with imaps://"),
    );
  expect(isRefused("imap://a:b@mail.example.com/INBOX")).toBe(true);
  expect(isRefused("imaps://a:b@mail.example.com/INBOX")).toBe(false);
  expect(isRefused("imap://a:b@127.0.0.1/INBOX")).toBe(false);
});
