import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deriveKeys } from "#src/platform/security/derived-key.ts";
import { createOutbound, type Outbound } from "#src/platform/http/outbound.ts";
import { createSealer } from "#src/platform/security/sealing.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  call,
  signUp,
  expectStatus,
  mailsTo,
  testPassword,
  type TestUser,
} from "#src/test-support/test-users.ts";
import { createAccountNotices } from "./account-notices.service.ts";
import { expiryNoticeJob } from "#src/features/api-keys/expiry-notice.job.ts";
import { discordJob } from "./discord.job.ts";

let testApp: TestApp;
let server: Server;
let origin: string;
let status = 204;
const received: { url: string; body: string }[] = [];
let outbound: Outbound;
const logLines: string[] = [];
beforeAll(async () => {
  testApp = await createTestApp();
  outbound = createOutbound({ timeoutMs: 5_000, allowLoopback: true });
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    received.push({ url: request.url ?? "", body });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Listening on TCP: the address is one.
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  received.length = 0;
  status = 204;
});
afterAll(async () => {
  await outbound?.close();
  server?.close();
  await testApp?.close();
});

const path = "/api/webhooks/1/canary-of-a-webhook";

function sealerOf(app: TestApp) {
  return createSealer(deriveKeys(app.platform.config, "discord-webhooks"));
}

/** A webhook on this machine, which the route itself would refuse. */
async function giveWebhook(user: TestUser): Promise<void> {
  await testApp.platform.db
    .insertInto("profiles")
    .values({
      user_id: user.id,
      sealed_webhook: sealerOf(testApp).seal(`${origin}${path}`, user.id),
      webhook_hint: "…",
    })
    .execute();
}

function job() {
  const log = pino({}, { write: (line: string) => logLines.push(line) });
  return discordJob({ db: testApp.platform.db, sealer: sealerOf(testApp), outbound, log });
}

async function hasWebhook(user: TestUser): Promise<boolean> {
  const answer = await call(testApp, routes.account.getProfile, { token: user.token });
  return answer.json().profile.discord_webhook_url !== null;
}

describe("a notice in Discord", () => {
  test("is the text as it is, and mentions no one", async () => {
    const user = await signUp(testApp);
    await giveWebhook(user);
    await job().run({ userId: user.id, content: "@everyone **Привет**" });
    expect(received.map(({ url }) => url)).toEqual([path]);
    expect(JSON.parse(received[0]?.body ?? "")).toEqual({
      content: "@everyone **Привет**",
      allowed_mentions: { parse: [] },
    });
  });

  test.each([403, 429, 500, 503, 302])("%d is tried again", async (answered) => {
    const user = await signUp(testApp);
    await giveWebhook(user);
    status = answered;
    await expect(job().run({ userId: user.id, content: "x" })).rejects.toThrow(
      `Discord answered ${answered}`,
    );
    expect(await hasWebhook(user)).toBe(true);
  });

  test.each([401, 404, 410])("%d takes the webhook out of the profile", async (answered) => {
    const user = await signUp(testApp);
    await giveWebhook(user);
    status = answered;
    await job().run({ userId: user.id, content: "x" });
    expect(await hasWebhook(user)).toBe(false);
    await job().run({ userId: user.id, content: "x" });
    expect(received).toHaveLength(1);
    expect(logLines.join("")).not.toContain("canary");
  });

  test("an address inside is never called by the product itself, whatever was stored", async () => {
    const user = await signUp(testApp);
    await giveWebhook(user);
    const strict = createOutbound({ timeoutMs: 5_000 });
    const product = discordJob({
      db: testApp.platform.db,
      sealer: sealerOf(testApp),
      outbound: strict,
      log: pino({ level: "silent" }),
    });
    await expect(product.run({ userId: user.id, content: "x" })).rejects.toThrow("not public");
    expect(received).toEqual([]);
    await strict.close();
  });
});

test("a change of an account is sent to its channel in the same transaction, and to no other", async () => {
  const [user, other] = [await signUp(testApp), await signUp(testApp)];
  await giveWebhook(user);
  for (const { token } of [user, other]) {
    await expectStatus(call(testApp, routes.account.regenerateApiKey, { token }), 200);
  }
  const { rows } = await sql<{ data: { userId: string; content: string } }>`
    select data from jobs.job where name = 'accounts.discord'
  `.execute(testApp.platform.db);
  const sent = rows
    .map(({ data }) => data)
    .filter(({ userId }) => [user.id, other.id].includes(userId));
  expect(sent).toEqual([
    { userId: user.id, content: expect.stringMatching(/^\*\*A new API key was made\*\*\n/) },
  ]);
});

test("security notices are in the language of the last login that named one, not in the caller's", async () => {
  const user = await signUp(testApp);
  const { email } = user;
  const login = (headers = {}) =>
    expectStatus(
      call(testApp, routes.auth.login, { headers, body: { email, password: testPassword } }),
      200,
    );
  await login({ "accept-language": "ru" });
  await login();
  await expectStatus(
    call(testApp, routes.account.regenerateApiKey, {
      token: user.token,
      headers: { "accept-language": "en" },
    }),
    200,
  );
  const subjects = await until(async () => {
    const all = (await mailsTo(testApp, email)).map(({ subject }) => subject);
    return all.includes("Создан новый ключ API") ? all : undefined;
  });
  // The login that named the other language was told in the one before.
  expect(subjects).toContain("New login to your account");
});

describe("the e-mail toggle", () => {
  const dayMs = 86_400_000;

  async function userWithKey(wantsMail: boolean, days: number): Promise<TestUser> {
    const user = await signUp(testApp);
    await expectStatus(
      call(testApp, routes.account.updateNotifications, {
        token: user.token,
        body: { email_notifications: wantsMail },
      }),
      200,
    );
    await expectStatus(
      call(testApp, routes.account.createApiKey, {
        token: user.token,
        body: { name: "Bot", scope: "read", expires_in_days: days },
      }),
      201,
    );
    return user;
  }

  const subjectsTo = async ({ email }: TestUser) =>
    (await mailsTo(testApp, email)).map(({ subject }) => subject);

  async function upkeep(): Promise<void> {
    const { db, clock, mailer, jobs } = testApp.platform;
    const notices = createAccountNotices({ mailer, jobs });
    await expiryNoticeJob({ db, clock, notices }).run({});
  }

  test("governs what the product has to say, not what concerns security", async () => {
    const [wanting, unwilling] = [await userWithKey(true, 30), await userWithKey(false, 30)];
    const shortLived = await userWithKey(true, 2);
    await upkeep();
    testApp.clock.advance(27 * dayMs);
    await upkeep();
    await upkeep();
    await until(async () => (await subjectsTo(wanting)).includes("An API key expires soon"));
    for (const user of [wanting, unwilling, shortLived]) {
      await until(async () => (await subjectsTo(user)).includes("An API key was added"));
    }
    // There is no other, so that no one else got one. Their receivers are encrypted.
    const { rows } = await sql`
      select id from jobs.job
      where name = 'mail.send' and data ->> 'template' = 'accounts.api-key-expiring'
    `.execute(testApp.platform.db);
    expect(rows).toHaveLength(1);
  });
});
