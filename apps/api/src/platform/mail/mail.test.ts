import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterEach, expect, test } from "vitest";
import {
  readMail,
  reply,
  startSmtp,
  type StubSmtpServer,
} from "#src/test-support/stub-smtp-server.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { call, expectStatus, testPassword } from "#src/test-support/test-users.ts";

let smtp: StubSmtpServer;
let testApp: TestApp;
let lines: string[];
afterEach(async () => {
  await testApp?.close();
  await smtp?.close();
});

/** The product with a mail server that judges what it reads. */
async function start(judge?: Parameters<typeof startSmtp>[1]): Promise<void> {
  smtp = await startSmtp({}, judge);
  lines = [];
  testApp = await createTestApp({
    config: { smtpUrl: smtp.url, mailFrom: "Palisade <no-reply@palisade.example>" },
    onLog: (line) => lines.push(line),
  });
}

function register(email: string, language = "en") {
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

const arrival = (count = 1) => until(() => smtp.received.length >= count);
const receivers = () => smtp.received.flatMap(({ to }) => to);

test("a mail put off is tried again and arrives once, on the operator's paper", async () => {
  const refusals = [reply(451)];
  await start(() => refusals.shift());
  await register("retry@example.com");
  await arrival();
  expect([smtp.tries(), receivers()]).toEqual([2, ["retry@example.com"]]);
  const { headers, text, html } = readMail(smtp.received[0]?.source ?? "");
  expect(headers.get("from")).toBe("Palisade <no-reply@palisade.example>");
  expect(headers.get("reply-to")).toBe("operator@example.com");
  expect(headers.get("subject")).toMatch(/^Your confirmation code: [0-9A-Z]{8}$/);
  expect(headers.get("message-id")).toMatch(/^<[0-9a-f-]{36}@palisade\.example>$/);
  for (const body of [text, html]) expect(body).toContain("Street 1, Town");
});

test("a mail comes in the language of the request", async () => {
  await start();
  await register("ru@example.com", "ru");
  await arrival();
  const { headers, text } = readMail(smtp.received[0]?.source ?? "");
  expect(headers.get("subject")).toMatch(/^Ваш код подтверждения: /);
  expect(text).toContain("Введите этот код");
});

test("a receiver refused for good is not tried again, and told in log and metrics", async () => {
  await start(({ to }) => (to.includes("gone@example.com") ? reply(554, "No such") : undefined));
  await register("gone@example.com");
  await register("there@example.com");
  await arrival();
  const metric = () => testApp.platform.metrics.metrics();
  await until(async () => /mails_total{outcome="refused"} 1\n/.test(await metric()));
  expect([smtp.tries(), receivers()]).toEqual([2, ["there@example.com"]]);
  const told = lines.filter((line) => line.includes("refused for good"));
  expect(told).toHaveLength(1);
  expect(told.join()).not.toContain("gone@example.com");
});

test("a receiver whose server is slow does not delay the mails of others", async () => {
  const release = Promise.withResolvers<undefined>();
  await start(({ to }) => (to.includes("slow@example.com") ? release.promise : undefined));
  await register("slow@example.com");
  await until(() => smtp.tries() === 1);
  await register("quick@example.com");
  await arrival();
  expect(receivers()).toEqual(["quick@example.com"]);
  release.resolve(undefined);
  await arrival(2);
  expect(receivers()).toEqual(["quick@example.com", "slow@example.com"]);
});
