import { routes } from "@palisade/contract/http/routes";
import { createFakeClock } from "@palisade/testing/fake-clock";
import { until } from "@palisade/testing/until";
import { sql } from "kysely";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { publishIncident } from "#src/test-support/status-samples.ts";
import { call, createStaff, type TestUser } from "#src/test-support/test-users.ts";
import { createWebhookReceiver, type WebhookReceiver } from "#src/test-support/webhook-receiver.ts";
import { statusPaths } from "./status-paths.ts";

let testApp: TestApp;
let staff: TestUser;
let receiver: WebhookReceiver;
beforeAll(async () => {
  testApp = await createTestApp({
    config: { trustedProxies: ["127.0.0.1"] },
    // Receivers compare the time of a signature with their own clock.
    clock: createFakeClock(new Date()),
  });
  staff = await createStaff(testApp);
  receiver = await createWebhookReceiver();
});
afterAll(async () => {
  receiver?.close();
  await testApp?.close();
});
beforeEach(async () => {
  receiver.received.length = 0;
  await testApp.platform.db.deleteFrom("status_subscribers").execute();
});

let serial = 0;

function send(
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
  ip = `198.51.100.${(serial += 1)}`,
) {
  return testApp.app.inject({
    method: "POST",
    url,
    payload: new URLSearchParams(fields).toString(),
    remoteAddress: ip,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });
}

function subscribe(kind: "mail" | "webhook", address: string, ip?: string) {
  return send(statusPaths.subscriptions, { kind, address, lang: "en" }, {}, ip);
}

function manage(action: "confirm" | "unsubscribe", token: string) {
  return send(statusPaths.subscription, { action, token, lang: "en" });
}

const mailsOf = z.array(z.object({ subject: z.string(), text: z.string() }));

async function mailsTo(address: string) {
  const answer = await testApp.app.inject({ url: `/dev/mail.json?to=${address}` });
  return mailsOf.parse(answer.json());
}

async function tokenFrom(address: string): Promise<string> {
  await until(async () => (await mailsTo(address)).length > 0);
  const text = (await mailsTo(address)).map((mail) => mail.text).join("\n");
  return /#token=([\w.-]+)/.exec(text)?.[1] ?? "";
}

/** Once no job of the status page waits or runs. */
function allTold() {
  return until(async () => {
    const waiting = await sql<{ count: number }>`
      select count(*)::int as count from jobs.job
      where name like 'status.%' and state in ('created', 'active', 'retry')
    `.execute(testApp.platform.db);
    return waiting.rows[0]?.count === 0;
  });
}

test("a mailbox is told after it confirmed, in its language, once, and no more after it unsubscribed", async () => {
  const asked = await send(statusPaths.subscriptions, {
    kind: "mail",
    address: " Anna@Example.com ",
    lang: "ru",
  });
  expect([asked.statusCode, asked.body]).toEqual([200, expect.stringContaining("Проверьте почту")]);
  const token = await tokenFrom("Anna@Example.com");
  await publishIncident(testApp, staff, { title_en: "Before", title_ru: "До" });
  await allTold();

  expect((await manage("confirm", token)).statusCode).toBe(200);
  expect((await manage("confirm", token)).statusCode).toBe(200);
  const incident = await publishIncident(testApp, staff, { title_en: "After", title_ru: "После" });
  const { rows } = await sql<{ id: string }>`
    select id from status_updates where incident_id = ${incident.id}
  `.execute(testApp.platform.db);
  const updates = async () =>
    (await mailsTo("Anna@Example.com")).filter(({ subject }) => !subject.startsWith("Подтвердите"));
  await until(async () => (await updates()).length > 0);
  const [mail] = await updates();
  expect(mail?.subject).toBe("Выясняем причину: После");
  expect(mail?.text).toContain("Мы ищем причину.");

  // The job runs again, as after a crash.
  await testApp.platform.db
    .transaction()
    .execute((trx) =>
      testApp.platform.jobs.send(trx, "status.announce", { updateId: rows[0]?.id }),
    );
  expect((await manage("unsubscribe", token)).statusCode).toBe(200);
  await publishIncident(testApp, staff, { title_en: "Later", title_ru: "Позже" });
  await allTold();
  expect(await updates()).toHaveLength(1);
  expect((await manage("confirm", token)).statusCode).toBe(404);
});

test("the answer is the same for an address that is subscribed", async () => {
  const first = await subscribe("mail", "known@example.com");
  await manage("confirm", await tokenFrom("known@example.com"));
  const second = await subscribe("mail", "known@example.com");
  expect([second.statusCode, second.body]).toEqual([first.statusCode, first.body]);
  await until(async () => (await mailsTo("known@example.com")).length === 2);
  const subjects = (await mailsTo("known@example.com")).map(({ subject }) => subject);
  expect(subjects).toContain("You are subscribed to the status page already");
});

test("a webhook is told after its receiver confirmed, signed by the secret shown once", async () => {
  const asked = await subscribe("webhook", `${receiver.origin}/hook`);
  expect(asked.statusCode).toBe(200);
  const secret = /whsec_[\w+/=]+/.exec(asked.body)?.[0] ?? "";
  await until(() => receiver.received.length === 1);
  const opened = (index: number) => {
    const { body, headers } = receiver.received[index] ?? { body: "", headers: {} };
    return new Webhook(secret).verify(body, headers as Record<string, string>);
  };
  const first = z
    .object({ type: z.literal("status.subscription"), data: z.object({ confirm_url: z.url() }) })
    .parse(opened(0));
  const token = new URL(first.data.confirm_url).hash.slice("#token=".length);
  expect((await manage("confirm", token)).statusCode).toBe(200);

  const incident = await publishIncident(testApp, staff);
  await until(() => receiver.received.length === 2);
  expect(opened(1)).toMatchObject({
    type: "status.update",
    data: { update: { state: "investigating" }, incident: { id: incident.id } },
  });

  const again = await subscribe("webhook", `${receiver.origin}/hook`);
  expect(again.body).not.toContain("whsec_");
  receiver.answer((response) => response.writeHead(410).end());
  await publishIncident(testApp, staff);
  await until(async () => {
    const row = await testApp.platform.db.selectFrom("status_subscribers").select("id").execute();
    return row.length === 0;
  });
  receiver.answer((response) => response.writeHead(204).end());
});

test("a host gets five webhooks at most", async () => {
  const answers: number[] = [];
  for (let index = 0; index < 6; index += 1) {
    answers.push((await subscribe("webhook", `${receiver.origin}/many/${index}`)).statusCode);
  }
  expect(answers).toEqual([200, 200, 200, 200, 200, 422]);
});

test.each([
  ["mail", "not an address"],
  ["mail", ""],
  ["webhook", "ftp://example.com/x"],
  ["webhook", "http://169.254.169.254/latest"],
  ["webhook", "http://2130706433:1/"],
  ["webhook", "https://user:secret@example.com/"],
  ["webhook", `https://example.com/${"x".repeat(2_100)}`],
] as const)("%s %s is refused at its field", async (kind, address) => {
  const allowed = kind === "webhook" && address.includes("2130706433");
  const answer = await subscribe(kind, address);
  // In development this machine itself may be called.
  expect(answer.statusCode).toBe(allowed ? 200 : 422);
  if (!allowed) expect(answer.body).toContain(`id="${kind}-error"`);
});

test("an address is asked three times a day, and a caller may ask for ten an hour", async () => {
  const ip = "203.0.113.7";
  const statuses = async (count: number, address: (index: number) => string, from?: string) => {
    const found: number[] = [];
    for (let index = 0; index < count; index += 1) {
      found.push((await subscribe("mail", address(index), from)).statusCode);
    }
    return found;
  };
  expect(await statuses(4, () => "often@example.com")).toEqual([200, 200, 200, 429]);
  const many = await statuses(11, (index) => `many${index}@example.com`, ip);
  expect(many.filter((status) => status === 200)).toHaveLength(10);
  expect(many.at(-1)).toBe(429);
});

test("another site's form, a forged token and a foreign body change nothing", async () => {
  const fields = { kind: "mail", address: "victim@example.com" };
  const foreign = await send(statusPaths.subscriptions, fields, { "sec-fetch-site": "cross-site" });
  const origin = await send(statusPaths.subscriptions, fields, { origin: "https://evil.example" });
  expect([foreign.statusCode, origin.statusCode]).toEqual([403, 403]);
  await subscribe("mail", "real@example.com");
  const token = await tokenFrom("real@example.com");
  const [id = "", signature = ""] = token.split(".");
  const forged = [`${id}.${"A".repeat(signature.length)}`, `${id}.`, id, "x", "../../etc"];
  for (const each of forged) expect((await manage("unsubscribe", each)).statusCode).toBe(404);
  const rows = await testApp.platform.db
    .selectFrom("status_subscribers")
    .select("confirmed_at")
    .execute();
  expect(rows).toEqual([{ confirmed_at: null }]);
});

test("addresses are not readable in the database, and unconfirmed ones are deleted after two days", async () => {
  await subscribe("mail", "hidden@example.com");
  const { rows } = await sql<{ dump: string }>`
    select string_agg(status_subscribers::text, '') as dump from status_subscribers
  `.execute(testApp.platform.db);
  expect(rows[0]?.dump).not.toContain("hidden");
  testApp.clock.advance(2 * 86_400_000 + 1);
  await testApp.runJob("status.clean-subscribers");
  expect(await testApp.platform.db.selectFrom("status_subscribers").select("id").execute()).toEqual(
    [],
  );
  staff = await createStaff(testApp);
});

test("staff see how many are subscribed, not who", async () => {
  await subscribe("mail", "counted@example.com");
  await manage("confirm", await tokenFrom("counted@example.com"));
  const answer = await call(testApp, routes.staffStatus.listIncidents, { token: staff.token });
  expect(answer.json()).toMatchObject({ subscribers: { mail: 1, webhook: 0 } });
  expect(answer.body).not.toContain("counted@example.com");
});
