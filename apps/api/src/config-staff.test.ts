import { describe, expect, test } from "vitest";
import { readApiConfig } from "./config.ts";

const url = "https://hooks.example.com/palisade";
const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString("base64")}`;
const secret = secretOf(32);

interface Given {
  readonly url?: string;
  readonly format?: string;
  readonly secret?: string;
}

const production = {
  PALISADE_ENV: "production",
  PALISADE_PUBLIC_URL: "https://console.example.com",
  PALISADE_SECRET: "0123456789abcdef0123456789abcdef",
  SMTP_URL: "smtps://mail.example.com",
  PALISADE_MAIL_FROM: "Palisade <no-reply@example.com>",
  PALISADE_OPERATOR_NAME: "Operator",
  PALISADE_OPERATOR_ADDRESS: "Street 1",
  PALISADE_OPERATOR_EMAIL: "operator@example.com",
  PALISADE_ZONE: "gs.example.com",
};

function read(given: Given, environment: Readonly<Record<string, string>> = production) {
  return readApiConfig({
    ...environment,
    DATABASE_URL: "postgres://palisade_app@localhost/palisade",
    PALISADE_STAFF_WEBHOOK_URL: given.url,
    PALISADE_STAFF_WEBHOOK_FORMAT: given.format,
    PALISADE_STAFF_WEBHOOK_SECRET: given.secret,
  }).staffWebhook;
}

const chats: readonly (readonly [string, string])[] = [
  ["discord", "https://discord.com/api/webhooks/1/token"],
  ["slack", "https://hooks.slack.com/services/T1/B1/token"],
  ["telegram", "https://api.telegram.org/bot1:token/sendMessage?chat_id=-100"],
];

describe("the webhook for staff", () => {
  test("is none without a URL", () => {
    expect(read({ secret })).toBeUndefined();
  });

  test("has a secret where its format is json, the default", () => {
    expect(read({ url, secret })).toEqual({ url, format: "json", secret });
    expect(() => read({ url })).toThrow(/PALISADE_STAFF_WEBHOOK_SECRET must be set/);
  });

  test.each(chats)("as %s has the form of the service, and no secret", (format, chat) => {
    expect(read({ url: chat, format, secret })).toEqual({ url: chat, format, secret: null });
    expect(() => read({ url, format })).toThrow(`must have the form that ${format} gives`);
  });

  test("is refused with an unknown format", () => {
    expect(() => read({ url, secret, format: "xml" })).toThrow(/must be json, discord, slack/);
  });

  test.each(["https://user@hooks.example.com/", "https://:word@hooks.example.com/", `${url}#part`])(
    "%s is no address of a receiver",
    (wrong) => {
      expect(() => read({ url: wrong, secret })).toThrow(
        /PALISADE_STAFF_WEBHOOK_URL must be an https URL without user, password and fragment/,
      );
    },
  );

  test.each([
    "http://hooks.example.com/",
    "http://127.0.0.1/",
    "https://127.0.0.1/",
    "https://[::1]/",
    "https://localhost:8443/",
  ])("in production %s is refused", (wrong) => {
    expect(() => read({ url: wrong, secret })).toThrow(
      /PALISADE_STAFF_WEBHOOK_URL must be an https URL in production/,
    );
  });

  test.each(["https://10.0.0.1/", "https://127.0.0.2/", "https://[fd00::1]/"])(
    "%s is never called, and refused at the start",
    (wrong) => {
      expect(() => read({ url: wrong, secret })).toThrow(/must have a public address/);
    },
  );

  test("in development may be on this machine, and in no private network", () => {
    const development = { PALISADE_SECRET: production.PALISADE_SECRET };
    const local = "http://127.0.0.1:9000/hook";
    expect(read({ url: local, secret }, development)).toMatchObject({ url: local });
    expect(() => read({ url: "http://10.0.0.1/", secret }, development)).toThrow(/public address/);
  });

  test.each([24, 25, 26, 62, 63, 64])("a secret of %i bytes is taken", (bytes) => {
    expect(read({ url, secret: secretOf(bytes) })?.secret).toBe(secretOf(bytes));
  });

  test.each([secretOf(23), secretOf(65), secretOf(66), secret.slice(6), "whsec_?"])(
    "the secret %s is refused, and not repeated",
    (wrong) => {
      expect(() => read({ url, secret: wrong })).toThrow(/must be whsec_ and 24 to 64 bytes/);
      expect(() => read({ url, secret: wrong })).not.toThrow(wrong);
    },
  );
});
