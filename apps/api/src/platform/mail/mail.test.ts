import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { call, expectStatus, testPassword } from "#src/test-support/test-users.ts";
import { createSmtpTransport } from "./smtp-transport.ts";

interface Received {
  readonly to: readonly string[];
  readonly source: string;
}

let smtp: SMTPServer;
let url: string;
/** Answers of the server to the next mails, before it takes them. */
let refusals: number[];
let tries: number;
const received: Received[] = [];

beforeEach(async () => {
  refusals = [];
  tries = 0;
  received.length = 0;
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, callback) {
      tries += 1;
      const to = session.envelope.rcptTo.map(({ address }) => address);
      let source = "";
      stream.setEncoding("utf8");
      stream.on("data", (chunk: string) => (source += chunk));
      stream.on("end", () => {
        const responseCode = refusals.shift();
        if (responseCode === undefined) {
          received.push({ to, source });
          callback();
        } else {
          callback(Object.assign(new Error("Not now"), { responseCode }));
        }
      });
    },
  });
  smtp.listen(0, "127.0.0.1");
  await once(smtp.server, "listening");
  // A listening TCP server has an address with a port.
  url = `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`;
});
afterEach(() => new Promise<void>((resolve) => smtp.close(() => resolve())));

describe("mail by SMTP", () => {
  let testApp: TestApp;
  beforeEach(async () => {
    testApp = await createTestApp({
      config: { smtpUrl: url, mailFrom: "Palisade <no-reply@palisade.example>" },
    });
  });
  afterEach(() => testApp?.close());

  function register(email: string, language: string) {
    return expectStatus(
      call(testApp, routes.auth.register, {
        headers: { "accept-language": language },
        body: {
          email,
          password: testPassword,
          password_confirmation: testPassword,
          accept_privacy_policy: true,
        },
      }),
      201,
    );
  }

  test("a refused mail is tried again and arrives once, with text and HTML", async () => {
    refusals = [451];
    await register("retry@example.com", "en");
    const [mail] = await until(() => (received.length > 0 ? received : undefined));
    expect(tries).toBe(2);
    expect(received).toHaveLength(1);
    expect(mail?.to).toEqual(["retry@example.com"]);
    expect(mail?.source).toMatch(/^From: Palisade <no-reply@palisade\.example>/m);
    expect(mail?.source).toMatch(/^Subject: Your confirmation code: [0-9A-Z]{8}/m);
    expect(mail?.source).toMatch(/^Message-ID: <[0-9a-f-]{36}@palisade>/m);
    expect(mail?.source).toContain("Content-Type: text/plain");
    expect(mail?.source).toContain("Content-Type: text/html");
  });

  test("a mail comes in the language of the request", async () => {
    await register("ru@example.com", "ru");
    const [mail] = await until(() => (received.length > 0 ? received : undefined));
    const words = Buffer.from("Ваш код", "utf8").toString("base64").slice(0, 12);
    expect(mail?.source).toContain(words);
  });
});

test("a line break in an address or subject adds no header and no recipient (fault 52)", async () => {
  const transport = createSmtpTransport({ url, from: "Palisade <no-reply@palisade.example>" });
  await transport.deliver({
    id: "01890000-0000-7000-8000-000000000000",
    to: "a@example.com",
    subject: "Hello\r\nBcc: b@example.com",
    text: "text",
    html: "<p>html</p>",
  });
  await transport
    .deliver({
      id: "01890000-0000-7000-8000-000000000001",
      to: "a@example.com\r\nBcc: b@example.com, c@example.com",
      subject: "Hello",
      text: "text",
      html: "<p>html</p>",
    })
    .catch(() => undefined);
  expect(received.length).toBeGreaterThan(0);
  for (const mail of received) {
    expect(mail.source).not.toMatch(/^Bcc:/im);
    expect(mail.to).not.toContain("b@example.com");
    expect(mail.to).not.toContain("c@example.com");
  }
});
