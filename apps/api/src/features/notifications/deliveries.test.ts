import type { LookupAddress } from "node:dns";
import { until } from "@palisade/testing/until";
import { sql } from "kysely";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import type { OutboundOptions } from "#src/platform/http/outbound.ts";
import { addTestWebhook } from "#src/test-support/notification-samples.ts";
import {
  deliveryOf,
  type DeliveriesOfTest,
  eachTestDelivers,
  sendDeliveryAgain,
  webhookOf,
} from "#src/test-support/test-deliveries.ts";
import { createShield } from "#src/test-support/test-shields.ts";
import { createUser, mailsTo } from "#src/test-support/test-users.ts";
import type { WebhookReceiver } from "#src/test-support/webhook-receiver.ts";
import { claimDeliveries } from "./deliveries.repository.ts";
import { retryPausesMs } from "./retry.policy.ts";

let at: DeliveriesOfTest;
eachTestDelivers((current) => (at = current));

/** The operator's, which has no shield. */
async function staffWebhookTo(path: string): Promise<string> {
  const id = await at.webhookTo(path);
  await sql`update shield_webhooks set shield_id = null where id = ${id}`.execute(
    at.testApp.platform.db,
  );
  return id;
}

describe("a JSON webhook", () => {
  test("is signed so that the library of Standard Webhooks accepts it, and no other secret's", async () => {
    await at.queue(await at.webhookTo("/hook"));
    await at.worker().run();
    const [{ headers, body } = never()] = at.receiver.received;
    const told = Object.fromEntries(
      ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [
        name,
        String(headers[name]),
      ]),
    );
    expect(new Webhook(at.secret).verify(body, told)).toEqual({ type: "attack.started" });
    const other = new Webhook(`whsec_${Buffer.from("another").toString("base64")}`);
    expect(() => other.verify(body, told)).toThrow(/signature/);
    expect(() => new Webhook(at.secret).verify(`${body} `, told)).toThrow(/signature/);
  });

  test("is signed with the former secret too for 24 hours, and not afterwards", async () => {
    const id = await at.webhookTo("/hook");
    const former = `whsec_${Buffer.from("the secret from before").toString("base64")}`;
    const validUntil = new Date(at.testApp.clock.nowMs() + 86_400_000);
    await at.testApp.platform.db
      .updateTable("shield_webhooks")
      .set({ sealed_former_secret: at.sealer.seal(former, id), former_secret_until: validUntil })
      .where("id", "=", id)
      .execute();
    await at.queue(id);
    await at.worker().run();
    at.testApp.clock.set(validUntil);
    await at.queue(id);
    await at.worker().run();
    const signatures = at.receiver.received.map(({ headers }) =>
      String(headers["webhook-signature"]).split(" "),
    );
    expect(signatures.map(({ length }) => length)).toEqual([2, 1]);
  });

  test("keeps its id over all tries, which follow the schedule, and is given up after ten", async () => {
    at.receiver.answer((response) => response.writeHead(500).end("<b>broken</b>\u0000"));
    const webhookId = await at.webhookTo("/hook");
    const id = await at.queue(webhookId);
    const sending = at.worker();
    const pauses: number[] = [];
    for (let tries = 1; tries <= 10; tries += 1) {
      await sending.run();
      const { attempts, next_at, state, status, answer } = await deliveryOf(at.testApp, id);
      expect([attempts, status, answer]).toEqual([tries, 500, "<b>broken</b>"]);
      if (next_at === null) expect([tries, state]).toEqual([10, "failed"]);
      else {
        pauses.push(next_at.getTime() - at.testApp.clock.nowMs());
        at.testApp.clock.set(new Date(next_at.getTime() - 1));
        await sending.run();
        expect(at.receiver.received).toHaveLength(tries);
        at.testApp.clock.set(next_at);
      }
    }
    expect(pauses).toEqual([...retryPausesMs]);
    expect(new Set(at.receiver.received.map(({ headers }) => headers["webhook-id"]))).toEqual(
      new Set([id]),
    );
    // It has not worked for three days: it is off, and the owner is told once.
    expect(await webhookOf(at.testApp, webhookId)).toMatchObject({
      enabled: false,
      disabled_reason: "failing",
    });
    const mails = await until(async () => {
      const found = (await mailsTo(at.testApp, at.owner.email)).filter(({ subject }) =>
        subject.includes("webhook"),
      );
      return found.length > 0 && found;
    });
    expect(mails).toHaveLength(1);
  });

  test("one that worked in between is not switched off for a message that it never took", async () => {
    const webhookId = await at.webhookTo("/hook");
    const id = await at.queue(webhookId);
    const sending = at.worker();
    const isBad = (body: string) => body.includes("started");
    at.receiver.answer((response, { body }) => response.writeHead(isBad(body) ? 500 : 200).end());
    for (let tries = 1; tries <= 10; tries += 1) {
      await sending.run();
      if (tries === 5) {
        await at.queue(webhookId, { kind: "attack.ended" });
        await sending.run();
      }
      at.testApp.clock.set((await deliveryOf(at.testApp, id)).next_at ?? at.testApp.clock.now());
    }
    expect((await deliveryOf(at.testApp, id)).state).toBe("failed");
    expect((await webhookOf(at.testApp, webhookId)).enabled).toBe(true);
  });

  test("that answers 410 is switched off at once, and what waits is not sent", async () => {
    const webhookId = await at.webhookTo("/hook");
    at.receiver.answer((response) => response.writeHead(410).end());
    const first = await at.queue(webhookId);
    await at.worker().run();
    expect(await webhookOf(at.testApp, webhookId)).toMatchObject({
      enabled: false,
      disabled_reason: "gone",
    });
    expect(await deliveryOf(at.testApp, first)).toMatchObject({
      state: "failed",
      status: 410,
      next_at: null,
    });
  });
});

test("a message that is sent again by hand to a webhook that is off is tried once", async () => {
  at.receiver.answer((response) => response.writeHead(500).end());
  const webhookId = await at.webhookTo("/hook");
  const id = await at.queue(webhookId);
  await at.testApp.platform.db
    .updateTable("shield_webhooks")
    .set({ enabled: false, disabled_reason: "owner" })
    .where("id", "=", webhookId)
    .execute();
  await sendDeliveryAgain(at.testApp, id);
  await at.worker().run();
  expect(await deliveryOf(at.testApp, id)).toMatchObject({
    state: "failed",
    attempts: 1,
    next_at: null,
  });
  expect((await webhookOf(at.testApp, webhookId)).failing_since).toBeNull();
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
      at.receiver.answer(reply);
      const id = await at.queue(await at.webhookTo("/slow"));
      await at.worker().run();
      expect(await deliveryOf(at.testApp, id)).toMatchObject({
        state: "pending",
        attempts: 1,
        ...expected,
      });
      expect(at.receiver.received.map(({ url }) => url)).toEqual(["/slow"]);
    },
  );

  test("answers a gigabyte: 64 KB of it are read, and 2,000 characters kept", async () => {
    let written = 0;
    const chunk = Buffer.alloc(64 * 1024, "x");
    at.receiver.answer((response) => {
      response.writeHead(200, { "content-length": 1024 ** 3 });
      const pump = () => {
        while (written < 1024 ** 3 && !response.destroyed) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once("drain", pump);
        }
      };
      pump();
    });
    const id = await at.queue(await at.webhookTo("/huge"));
    await at.worker({ timeoutMs: 5_000 }).run();
    const { state, answer } = await deliveryOf(at.testApp, id);
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
    const id = await at.queue(
      await addTestWebhook(at.testApp, at.shieldId, {
        url: "https://hooks.example.com/x",
        secret: at.secret,
      }),
    );
    await at
      .worker({
        allowLoopback: false,
        refusedAddresses: () => Promise.resolve(["203.0.113.77"]),
        resolve: resolvingTo(() => addresses),
      })
      .run();
    expect(await deliveryOf(at.testApp, id)).toMatchObject({
      state: "pending",
      error: "refused_address",
    });
    expect(at.receiver.received).toEqual([]);
  });

  test("resolves to another address the second time: the connection is made to the checked one", async () => {
    const port = new URL(at.receiver.origin).port;
    const url = `http://hooks.example.com:${port}/x`;
    const id = await at.queue(
      await addTestWebhook(at.testApp, at.shieldId, { url, secret: at.secret }),
    );
    let lookups = 0;
    const resolve = resolvingTo(() => (++lookups === 1 ? ["10.0.0.1"] : ["127.0.0.1"]));
    const sending = at.worker({ resolve });
    await sending.run();
    expect(await deliveryOf(at.testApp, id)).toMatchObject({
      error: "refused_address",
      attempts: 1,
    });
    expect([lookups, at.receiver.received.length]).toEqual([1, 0]);
    at.testApp.clock.advance(5_000);
    await sending.run();
    // Loopback is allowed here: what the second look found was checked anew, and called.
    expect(await deliveryOf(at.testApp, id)).toMatchObject({ state: "delivered", attempts: 2 });
    expect(lookups).toBe(2);
  });

  test.each([
    ["an account's", () => at.webhookTo("/stuck")],
    ["the operator's", () => staffWebhookTo("/stuck")],
  ])("and is %s does not hold up the receivers of other accounts", async (_, add) => {
    const open: (() => void)[] = [];
    at.receiver.answer((response, { url }) => {
      if (url === "/stuck") open.push(() => response.writeHead(200).end());
      else response.writeHead(200).end();
    });
    const stuck = await add();
    for (let count = 0; count < 12; count += 1) await at.queue(stuck);
    const other = await createUser(at.testApp);
    const otherShield = (await createShield(at.testApp, other)).id;
    const quick = await addTestWebhook(at.testApp, otherShield, {
      url: `${at.receiver.origin}/quick`,
    });
    const id = await at.queue(quick);
    const done = at.worker({ timeoutMs: 10_000 }).run();
    await until(async () => (await deliveryOf(at.testApp, id)).state === "delivered");
    // An account has four at a time, and so has the operator.
    expect(at.receiver.received.filter(({ url }) => url === "/stuck")).toHaveLength(4);
    let answered = 0;
    await until(() => {
      for (const answer of open.splice(0)) {
        answered += 1;
        answer();
      }
      return answered === 12;
    });
    await done;
    await sql`delete from shield_webhooks where shield_id is null`.execute(at.testApp.platform.db);
  });

  test("and is the operator's is named in the log, without its address", async () => {
    const id = await at.queue(await staffWebhookTo("/secret"));
    await at.worker({ allowLoopback: false }).run();
    expect(await deliveryOf(at.testApp, id)).toMatchObject({
      state: "pending",
      error: "refused_address",
    });
    const line = at.logLines.map((text) => JSON.parse(text)).find(({ host }) => host !== undefined);
    const { host } = new URL(at.receiver.origin);
    expect(line).toMatchObject({ level: 40, host, error: "refused_address", status: null });
    await sql`delete from shield_webhooks where shield_id is null`.execute(at.testApp.platform.db);
  });
});

test("an account without a try in progress is next, even if another one waits longer", async () => {
  const busy = await at.webhookTo("/busy");
  const waiting = [await at.queue(busy), await at.queue(busy)];
  at.testApp.clock.advance(1_000);
  const other = await createUser(at.testApp);
  const otherShield = (await createShield(at.testApp, other)).id;
  const id = await at.queue(await addTestWebhook(at.testApp, otherShield));
  const now = at.testApp.clock.now();
  const claimed = await claimDeliveries(at.testApp.platform.db, {
    now,
    leasedUntil: now,
    limit: 2,
    perOwner: 4,
    perHost: 8,
    sharedHosts: [],
    running: [{ owner_id: at.owner.id, host: "slow.example.com" }],
  });
  expect(claimed.map((each) => each.id).toSorted()).toEqual([waiting[0] ?? "", id].toSorted());
});

describe("two api processes", () => {
  test("send each message once", async () => {
    const webhookId = await at.webhookTo("/hook");
    const ids: string[] = [];
    for (let count = 0; count < 20; count += 1) ids.push(await at.queue(webhookId));
    await Promise.all([at.worker().run(), at.worker().run(), at.worker().run()]);
    const sent = at.receiver.received.map(({ headers }) => String(headers["webhook-id"]));
    expect(sent.toSorted()).toEqual(ids.toSorted());
  });

  test("after the death of one the other sends its message again, with the same id", async () => {
    const id = await at.queue(await at.webhookTo("/hook"));
    // As a process leaves it that dies after its request and before its answer.
    await at.testApp.platform.db
      .updateTable("webhook_deliveries")
      .set({ attempts: 1, leased_until: new Date(at.testApp.clock.nowMs() + 60_000) })
      .where("id", "=", id)
      .execute();
    await at.worker().run();
    expect(at.receiver.received).toEqual([]);
    at.testApp.clock.advance(60_000);
    await at.worker().run();
    expect(at.receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([id]);
    expect(await deliveryOf(at.testApp, id)).toMatchObject({ state: "delivered", attempts: 2 });
  });
});

test("no address and no secret of a webhook is in the log", () => {
  const log = at.logLines.join();
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
