import type { LookupAddress } from "node:dns";
import type { WebhookFormat } from "@palisade/contract/http/webhooks";
import type { WebhookEventType } from "@palisade/contract/http/notification-events";
import { until } from "@palisade/testing/until";
import { sql } from "kysely";
import { pino } from "pino";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "#src/platform/database/ids.ts";
import {
  createOutbound,
  type Outbound,
  type OutboundOptions,
} from "#src/platform/http/outbound.ts";
import { deriveKeys } from "#src/platform/security/derived-key.ts";
import { createSealer } from "#src/platform/security/sealing.ts";
import { addTestWebhook } from "#src/test-support/notification-samples.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createShield, enrolEdge } from "#src/test-support/test-shields.ts";
import { createStaff, createUser, mailsTo, type TestUser } from "#src/test-support/test-users.ts";
import { createWebhookReceiver, type WebhookReceiver } from "#src/test-support/webhook-receiver.ts";
import { claimDeliveries, insertDelivery } from "./deliveries.repository.ts";
import { createNotificationWorker } from "./notification-worker.ts";
import { retryPausesMs } from "./retry.policy.ts";
import { sendAgain } from "./webhooks.repository.ts";

let testApp: TestApp;
let owner: TestUser;
let shieldId: string;
let receiver: WebhookReceiver;
const outbounds: Outbound[] = [];
const logLines: string[] = [];
const secret = `whsec_${Buffer.from("a secret for the tests of webhooks").toString("base64")}`;

beforeAll(async () => {
  testApp = await createTestApp();
  // The library of Standard Webhooks compares times with the system's.
  testApp.clock.set(new Date());
  // Deliveries of these tests are sent by workers of their own, whose receivers may be slow.
  await sql`delete from jobs.schedule`.execute(testApp.platform.db);
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
  owner = await createUser(testApp);
  shieldId = (await createShield(testApp, owner)).id;
});
beforeEach(async () => {
  receiver = await createWebhookReceiver();
  return () => receiver.close();
});
afterAll(async () => {
  for (const outbound of outbounds) await outbound.close();
  await testApp?.close();
});

const sealer = () => createSealer(deriveKeys(testApp.platform.config, "webhooks"));

function worker(options: Partial<OutboundOptions> = {}) {
  const { db, clock, bus, mailer } = testApp.platform;
  const outbound = createOutbound({ timeoutMs: 400, allowLoopback: true, ...options });
  outbounds.push(outbound);
  return createNotificationWorker({
    db,
    clock,
    bus,
    mailer,
    outbound,
    sealer: sealer(),
    log: pino({ level: "debug" }, { write: (line: string) => logLines.push(line) }),
    consoleOrigin: () => "https://palisade.example",
    random: () => 0.5,
    count: () => undefined,
  });
}

async function webhookTo(path: string, format: WebhookFormat = "json"): Promise<string> {
  return addTestWebhook(testApp, shieldId, { url: `${receiver.origin}${path}`, format, secret });
}

/** The operator's, which has no shield. */
async function staffWebhookTo(path: string): Promise<string> {
  const id = await webhookTo(path);
  await sql`update shield_webhooks set shield_id = null where id = ${id}`.execute(
    testApp.platform.db,
  );
  return id;
}

interface Given {
  readonly kind?: WebhookEventType;
  readonly thread?: string;
  readonly body?: string;
}

async function queue(webhookId: string, given: Given = {}): Promise<string> {
  const { kind = "attack.started", thread = null, body = JSON.stringify({ type: kind }) } = given;
  const id = newId();
  const now = testApp.clock.now();
  await testApp.platform.db.transaction().execute((trx) =>
    insertDelivery(trx, {
      id,
      webhook_id: webhookId,
      kind,
      thread,
      body,
      next_at: now,
      created_at: now,
    }),
  );
  return id;
}

const deliveryOf = (id: string) =>
  testApp.platform.db
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow();

const again = (id: string) =>
  testApp.platform.db.transaction().execute((trx) => sendAgain(trx, id, testApp.clock.now()));

const webhookOf = (id: string) =>
  testApp.platform.db
    .selectFrom("shield_webhooks")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow();

describe("a JSON webhook", () => {
  test("is signed so that the library of Standard Webhooks accepts it, and no other secret's", async () => {
    await queue(await webhookTo("/hook"));
    await worker().run();
    const [{ headers, body } = never()] = receiver.received;
    const told = Object.fromEntries(
      ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [
        name,
        String(headers[name]),
      ]),
    );
    expect(new Webhook(secret).verify(body, told)).toEqual({ type: "attack.started" });
    const other = new Webhook(`whsec_${Buffer.from("another").toString("base64")}`);
    expect(() => other.verify(body, told)).toThrow(/signature/);
    expect(() => new Webhook(secret).verify(`${body} `, told)).toThrow(/signature/);
  });

  test("is signed with the former secret too for 24 hours, and not afterwards", async () => {
    const id = await webhookTo("/hook");
    const former = `whsec_${Buffer.from("the secret from before").toString("base64")}`;
    const validUntil = new Date(testApp.clock.nowMs() + 86_400_000);
    await testApp.platform.db
      .updateTable("shield_webhooks")
      .set({ sealed_former_secret: sealer().seal(former, id), former_secret_until: validUntil })
      .where("id", "=", id)
      .execute();
    await queue(id);
    await worker().run();
    testApp.clock.set(validUntil);
    await queue(id);
    await worker().run();
    const signatures = receiver.received.map(({ headers }) =>
      String(headers["webhook-signature"]).split(" "),
    );
    expect(signatures.map(({ length }) => length)).toEqual([2, 1]);
  });

  test("keeps its id over all tries, which follow the schedule, and is given up after ten", async () => {
    receiver.answer((response) => response.writeHead(500).end("<b>broken</b>\u0000"));
    const webhookId = await webhookTo("/hook");
    const id = await queue(webhookId);
    const sending = worker();
    const pauses: number[] = [];
    for (let tries = 1; tries <= 10; tries += 1) {
      await sending.run();
      const { attempts, next_at, state, status, answer } = await deliveryOf(id);
      expect([attempts, status, answer]).toEqual([tries, 500, "<b>broken</b>"]);
      if (next_at === null) expect([tries, state]).toEqual([10, "failed"]);
      else {
        pauses.push(next_at.getTime() - testApp.clock.nowMs());
        testApp.clock.set(new Date(next_at.getTime() - 1));
        await sending.run();
        expect(receiver.received).toHaveLength(tries);
        testApp.clock.set(next_at);
      }
    }
    expect(pauses).toEqual([...retryPausesMs]);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"]))).toEqual(
      new Set([id]),
    );
    // It has not worked for three days: it is off, and the owner is told once.
    expect(await webhookOf(webhookId)).toMatchObject({
      enabled: false,
      disabled_reason: "failing",
    });
    const mails = await until(async () => {
      const found = (await mailsTo(testApp, owner.email)).filter(({ subject }) =>
        subject.includes("webhook"),
      );
      return found.length > 0 && found;
    });
    expect(mails).toHaveLength(1);
  });

  test("one that worked in between is not switched off for a message that it never took", async () => {
    const webhookId = await webhookTo("/hook");
    const id = await queue(webhookId);
    const sending = worker();
    const isBad = (body: string) => body.includes("started");
    receiver.answer((response, { body }) => response.writeHead(isBad(body) ? 500 : 200).end());
    for (let tries = 1; tries <= 10; tries += 1) {
      await sending.run();
      if (tries === 5) {
        await queue(webhookId, { kind: "attack.ended" });
        await sending.run();
      }
      testApp.clock.set((await deliveryOf(id)).next_at ?? testApp.clock.now());
    }
    expect((await deliveryOf(id)).state).toBe("failed");
    expect((await webhookOf(webhookId)).enabled).toBe(true);
  });

  test("that answers 410 is switched off at once, and what waits is not sent", async () => {
    const webhookId = await webhookTo("/hook");
    receiver.answer((response) => response.writeHead(410).end());
    const first = await queue(webhookId);
    await worker().run();
    expect(await webhookOf(webhookId)).toMatchObject({ enabled: false, disabled_reason: "gone" });
    expect(await deliveryOf(first)).toMatchObject({ state: "failed", status: 410, next_at: null });
  });
});

test("a message that is sent again by hand to a webhook that is off is tried once", async () => {
  receiver.answer((response) => response.writeHead(500).end());
  const webhookId = await webhookTo("/hook");
  const id = await queue(webhookId);
  await testApp.platform.db
    .updateTable("shield_webhooks")
    .set({ enabled: false, disabled_reason: "owner" })
    .where("id", "=", webhookId)
    .execute();
  await again(id);
  await worker().run();
  expect(await deliveryOf(id)).toMatchObject({ state: "failed", attempts: 1, next_at: null });
  expect((await webhookOf(webhookId)).failing_since).toBeNull();
});

describe("a receiver that is hostile, slow or ours", () => {
  test.each([
    ["does not answer", () => undefined, { error: "timeout", status: null }],
    [
      "drips bytes for ever",
      (response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write("."), 20);
        response.on("close", () => clearInterval(timer));
      },
      { error: "timeout", status: null },
    ],
    [
      "redirects",
      (response) => response.writeHead(302, { location: "/other" }).end(),
      { error: null, status: 302, state: "pending" },
    ],
    ["answers 500", (response) => response.writeHead(500).end(), { error: null, status: 500 }],
    ["closes the connection", (response) => response.destroy(), { error: "network", status: null }],
  ] satisfies [string, Parameters<WebhookReceiver["answer"]>[0], object][])(
    "%s: it is tried again, and holds nothing up",
    async (_, reply, expected) => {
      receiver.answer(reply);
      const id = await queue(await webhookTo("/slow"));
      await worker().run();
      expect(await deliveryOf(id)).toMatchObject({ state: "pending", attempts: 1, ...expected });
      expect(receiver.received.map(({ url }) => url)).toEqual(["/slow"]);
    },
  );

  test("answers a gigabyte: 64 KB of it are read, and 2,000 characters kept", async () => {
    let written = 0;
    const chunk = Buffer.alloc(64 * 1024, "x");
    receiver.answer((response) => {
      response.writeHead(200, { "content-length": 1024 ** 3 });
      const pump = () => {
        while (written < 1024 ** 3 && !response.destroyed) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once("drain", pump);
        }
      };
      pump();
    });
    const id = await queue(await webhookTo("/huge"));
    await worker({ timeoutMs: 5_000 }).run();
    const { state, answer } = await deliveryOf(id);
    expect([state, answer.length]).toEqual(["delivered", 2_000]);
    // The rest are buffers of both sockets.
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  test.each([
    ["a private address", ["10.0.0.7"]],
    ["the metadata service", ["169.254.169.254"]],
    ["a public and a private address", ["93.184.216.34", "127.0.0.1"]],
    ["an IPv6 address of this machine", ["::ffff:127.0.0.1"]],
    ["one of our edges", ["203.0.113.77"]],
  ])("resolves to %s: it is not called", async (_, addresses) => {
    const id = await queue(
      await addTestWebhook(testApp, shieldId, { url: "https://hooks.example.com/x", secret }),
    );
    await worker({
      allowLoopback: false,
      refusedAddresses: () => Promise.resolve(["203.0.113.77"]),
      resolve: resolvingTo(() => addresses),
    }).run();
    expect(await deliveryOf(id)).toMatchObject({ state: "pending", error: "refused_address" });
    expect(receiver.received).toEqual([]);
  });

  test("resolves to another address the second time: the connection is made to the checked one", async () => {
    const port = new URL(receiver.origin).port;
    const url = `http://hooks.example.com:${port}/x`;
    const id = await queue(await addTestWebhook(testApp, shieldId, { url, secret }));
    let lookups = 0;
    const resolve = resolvingTo(() => (++lookups === 1 ? ["10.0.0.1"] : ["127.0.0.1"]));
    const sending = worker({ resolve });
    await sending.run();
    expect(await deliveryOf(id)).toMatchObject({ error: "refused_address", attempts: 1 });
    expect([lookups, receiver.received.length]).toEqual([1, 0]);
    testApp.clock.advance(5_000);
    await sending.run();
    // Loopback is allowed here: what the second look found was checked anew, and called.
    expect(await deliveryOf(id)).toMatchObject({ state: "delivered", attempts: 2 });
    expect(lookups).toBe(2);
  });

  test.each([
    ["an account's", () => webhookTo("/stuck")],
    ["the operator's", () => staffWebhookTo("/stuck")],
  ])("and is %s does not hold up the receivers of other accounts", async (_, add) => {
    const open: (() => void)[] = [];
    receiver.answer((response, { url }) => {
      if (url === "/stuck") open.push(() => response.writeHead(200).end());
      else response.writeHead(200).end();
    });
    const stuck = await add();
    for (let count = 0; count < 12; count += 1) await queue(stuck);
    const other = await createUser(testApp);
    const otherShield = (await createShield(testApp, other)).id;
    const quick = await addTestWebhook(testApp, otherShield, { url: `${receiver.origin}/quick` });
    const id = await queue(quick);
    const done = worker({ timeoutMs: 10_000 }).run();
    await until(async () => (await deliveryOf(id)).state === "delivered");
    // An account has four at a time, and so has the operator.
    expect(receiver.received.filter(({ url }) => url === "/stuck")).toHaveLength(4);
    let answered = 0;
    await until(() => {
      for (const answer of open.splice(0)) {
        answered += 1;
        answer();
      }
      return answered === 12;
    });
    await done;
    await sql`delete from shield_webhooks where shield_id is null`.execute(testApp.platform.db);
  });

  test("and is the operator's is named in the log, without its address", async () => {
    const id = await queue(await staffWebhookTo("/secret"));
    await worker({ allowLoopback: false }).run();
    expect(await deliveryOf(id)).toMatchObject({ state: "pending", error: "refused_address" });
    const line = logLines.map((text) => JSON.parse(text)).find(({ host }) => host !== undefined);
    const { host } = new URL(receiver.origin);
    expect(line).toMatchObject({ level: 40, host, error: "refused_address", status: null });
    await sql`delete from shield_webhooks where shield_id is null`.execute(testApp.platform.db);
  });
});

test("an account without a try in progress is next, even if another one waits longer", async () => {
  const busy = await webhookTo("/busy");
  const waiting = [await queue(busy), await queue(busy)];
  testApp.clock.advance(1_000);
  const other = await createUser(testApp);
  const otherShield = (await createShield(testApp, other)).id;
  const id = await queue(await addTestWebhook(testApp, otherShield));
  const now = testApp.clock.now();
  const claimed = await claimDeliveries(testApp.platform.db, {
    now,
    leasedUntil: now,
    limit: 2,
    perOwner: 4,
    perHost: 8,
    sharedHosts: [],
    running: [{ owner_id: owner.id, host: "slow.example.com" }],
  });
  expect(claimed.map((each) => each.id).toSorted()).toEqual([waiting[0] ?? "", id].toSorted());
});

describe("two api processes", () => {
  test("send each message once", async () => {
    const webhookId = await webhookTo("/hook");
    const ids: string[] = [];
    for (let count = 0; count < 20; count += 1) ids.push(await queue(webhookId));
    await Promise.all([worker().run(), worker().run(), worker().run()]);
    const sent = receiver.received.map(({ headers }) => String(headers["webhook-id"]));
    expect(sent.toSorted()).toEqual(ids.toSorted());
  });

  test("after the death of one the other sends its message again, with the same id", async () => {
    const id = await queue(await webhookTo("/hook"));
    // As a process leaves it that dies after its request and before its answer.
    await testApp.platform.db
      .updateTable("webhook_deliveries")
      .set({ attempts: 1, leased_until: new Date(testApp.clock.nowMs() + 60_000) })
      .where("id", "=", id)
      .execute();
    await worker().run();
    expect(receiver.received).toEqual([]);
    testApp.clock.advance(60_000);
    await worker().run();
    expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([id]);
    expect(await deliveryOf(id)).toMatchObject({ state: "delivered", attempts: 2 });
  });
});

describe("a chat shows one message of an attack", () => {
  const embed = (title: string) =>
    JSON.stringify({ embeds: [{ title }], flags: 4_096, allowed_mentions: { parse: [] } });

  test("Discord's is edited at its end, and sent anew where it was deleted", async () => {
    const webhookId = await webhookTo("/api/webhooks/1/token", "discord");
    const thread = newId();
    receiver.answer((response) => response.writeHead(200).end(`{"id":"777"}`));
    const sending = worker();
    await queue(webhookId, { thread, body: embed("begun") });
    await sending.run();
    await queue(webhookId, { thread, body: embed("over"), kind: "attack.ended" });
    await sending.run();
    receiver.answer((response, { method }) =>
      method === "PATCH"
        ? response.writeHead(404).end(`{"code": 10008}`)
        : response.writeHead(200).end(`{"id":"778"}`),
    );
    await queue(webhookId, { thread, body: embed("again"), kind: "attack.ended" });
    await sending.run();
    expect(receiver.received.map(({ method, url }) => [method, url])).toEqual([
      ["POST", "/api/webhooks/1/token?wait=true"],
      ["PATCH", "/api/webhooks/1/token/messages/777"],
      ["PATCH", "/api/webhooks/1/token/messages/777"],
      ["POST", "/api/webhooks/1/token?wait=true"],
    ]);
    expect(receiver.received[1]?.body).not.toContain("flags");
    expect((await webhookOf(webhookId)).enabled).toBe(true);
  });

  test("Telegram's is edited by its id; that nothing has changed is no failure", async () => {
    const webhookId = await webhookTo("/bot1:token/sendMessage?chat_id=-100", "telegram");
    const thread = newId();
    const body = JSON.stringify({ text: "<b>x</b>", disable_notification: true });
    receiver.answer((response) =>
      response.writeHead(200).end(`{"ok":true,"result":{"message_id":5}}`),
    );
    const sending = worker();
    await queue(webhookId, { thread, body });
    await sending.run();
    receiver.answer((response) =>
      response
        .writeHead(400)
        .end(`{"ok":false,"description":"Bad Request: message is not modified"}`),
    );
    const id = await queue(webhookId, { thread, body, kind: "attack.ended" });
    await sending.run();
    expect(receiver.received.map(({ url, body: sent }) => [url, JSON.parse(sent)])).toEqual([
      [
        "/bot1:token/sendMessage",
        { chat_id: "-100", text: "<b>x</b>", disable_notification: true },
      ],
      ["/bot1:token/editMessageText", { chat_id: "-100", message_id: 5, text: "<b>x</b>" }],
    ]);
    expect((await deliveryOf(id)).state).toBe("delivered");
  });

  test("while the chat was away, its end takes the place of its start", async () => {
    const webhookId = await webhookTo("/api/webhooks/1/token", "discord");
    const thread = newId();
    receiver.answer((response) => response.writeHead(503).end());
    const start = await queue(webhookId, { thread, body: embed("begun") });
    const sending = worker();
    await sending.run();
    receiver.answer((response) => response.writeHead(200).end(`{"id":"779"}`));
    const end = await queue(webhookId, { thread, body: embed("over"), kind: "attack.ended" });
    await sending.run();
    testApp.clock.advance(86_400_000);
    await sending.run();
    expect([(await deliveryOf(start)).state, (await deliveryOf(end)).state]).toEqual([
      "superseded",
      "delivered",
    ]);
    expect(receiver.received.map(({ method }) => method)).toEqual(["POST", "POST"]);
  });

  test("sent again by hand, the first one is a new message, and the newest stays", async () => {
    const webhookId = await webhookTo("/api/webhooks/1/token", "discord");
    const thread = newId();
    receiver.answer((response) => response.writeHead(200).end(`{"id":"781"}`));
    const sending = worker();
    const first = await queue(webhookId, { thread, body: embed("begun") });
    await sending.run();
    await queue(webhookId, { thread, body: embed("over"), kind: "attack.ended" });
    await sending.run();
    await again(first);
    receiver.answer((response) => response.writeHead(200).end(`{"id":"782"}`));
    await sending.run();
    await queue(webhookId, { thread, body: embed("later"), kind: "attack.ended" });
    await sending.run();
    expect(receiver.received.map(({ method, url }) => [method, url.split("/").at(-1)])).toEqual([
      ["POST", "token?wait=true"],
      ["PATCH", "781"],
      ["POST", "token?wait=true"],
      ["PATCH", "781"],
    ]);
  });

  test("two messages of one attack that are due together are sent one after the other", async () => {
    const webhookId = await webhookTo("/api/webhooks/1/token", "discord");
    const thread = newId();
    receiver.answer((response) => response.writeHead(503).end());
    await queue(webhookId, { thread, body: embed("begun") });
    const sending = worker();
    await sending.run();
    const answers: (() => void)[] = [];
    receiver.answer((response) => answers.push(() => response.writeHead(200).end(`{"id":"780"}`)));
    testApp.clock.advance(86_400_000);
    await queue(webhookId, { thread, body: embed("over"), kind: "attack.ended" });
    const done = sending.run();
    for (const count of [2, 3]) {
      await until(() => answers.length === 1);
      expect(receiver.received).toHaveLength(count);
      answers.pop()?.();
    }
    await done;
    expect(receiver.received.map(({ method }) => method)).toEqual(["POST", "POST", "PATCH"]);
  });

  test("Slack, which cannot edit, gets one at the start and one at the end", async () => {
    const webhookId = await webhookTo("/services/T/B/x", "slack");
    const thread = newId();
    const sending = worker();
    for (const text of ["begun", "over"]) {
      await queue(webhookId, { thread, body: JSON.stringify({ text }) });
      await sending.run();
    }
    expect(receiver.received.map(({ body }) => JSON.parse(body).text)).toEqual(["begun", "over"]);
  });
});

test("no address and no secret of a webhook is in the log", () => {
  const log = logLines.join();
  for (const word of ["token", "whsec_", "/hook", "/slow", "/secret"])
    expect(log).not.toContain(word);
});

type Resolve = NonNullable<OutboundOptions["resolve"]>;

/** A resolver whose answers the test gives. */
function resolvingTo(addresses: () => readonly string[]): Resolve {
  const resolve = (
    _host: string,
    _options: unknown,
    done: (error: null, found: LookupAddress[]) => void,
  ) => {
    const found = addresses().map((address) => ({
      address,
      family: address.includes(":") ? 6 : 4,
    }));
    done(null, found);
  };
  // Only the form that is called here.
  return resolve as unknown as Resolve;
}

function never(): never {
  throw new Error("Nothing was received");
}
