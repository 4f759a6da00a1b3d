import type { WebhookEventType } from "@palisade/contract/http/notification-events";
import type { WebhookFormat } from "@palisade/contract/http/webhooks";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { insertDelivery } from "#src/features/notifications/deliveries.repository.ts";
import {
  createNotificationWorker,
  type NotificationWorker,
} from "#src/features/notifications/notification-worker.ts";
import { sendAgain } from "#src/features/notifications/webhooks.repository.ts";
import { newId } from "#src/platform/database/ids.ts";
import {
  createOutbound,
  type Outbound,
  type OutboundOptions,
} from "#src/platform/http/outbound.ts";
import { deriveKeys } from "#src/platform/security/derived-key.ts";
import { createSealer, type Sealer } from "#src/platform/security/sealing.ts";
import { addTestWebhook } from "./notification-samples.ts";
import { createTestApp, type TestApp } from "./test-app.ts";
import { stopSchedules } from "./test-renewals.ts";
import { createShield, enrolEdge } from "./test-shields.ts";
import { createStaff, createUser, type TestUser } from "./test-users.ts";
import { createWebhookReceiver, type WebhookReceiver } from "./webhook-receiver.ts";

interface GivenDelivery {
  readonly kind?: WebhookEventType;
  readonly thread?: string;
  readonly body?: string;
}

/** Webhooks of one shield, the real receiver of this test, and workers that deliver to it. */
export interface DeliveriesOfTest {
  readonly testApp: TestApp;
  readonly owner: TestUser;
  readonly shieldId: string;
  readonly receiver: WebhookReceiver;
  /** Signs the JSON webhooks. */
  readonly secret: string;
  readonly sealer: Sealer;
  /** The log lines of all workers. */
  readonly logLines: readonly string[];
  worker(options?: Partial<OutboundOptions>): NotificationWorker;
  webhookTo(path: string, format?: WebhookFormat): Promise<string>;
  /** Puts a message into the queue; @returns its id */
  queue(webhookId: string, given?: GivenDelivery): Promise<string>;
}

/** Gives a test file an app whose jobs do not deliver, and each of its tests a new receiver. */
export function eachTestDelivers(take: (current: DeliveriesOfTest) => void): void {
  let testApp: TestApp;
  let owner: TestUser;
  let shieldId: string;
  const outbounds: Outbound[] = [];
  const logLines: string[] = [];
  const secret = `whsec_${Buffer.from("a secret for the tests of webhooks").toString("base64")}`;

  beforeAll(async () => {
    testApp = await createTestApp();
    // The library of Standard Webhooks compares times with the system's.
    testApp.clock.set(new Date());
    // Deliveries of these tests are sent by workers of their own, whose receivers may be slow.
    await stopSchedules(testApp);
    await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
    owner = await createUser(testApp);
    shieldId = (await createShield(testApp, owner)).id;
  });
  afterAll(async () => {
    for (const outbound of outbounds) await outbound.close();
    await testApp?.close();
  });
  beforeEach(async () => {
    const receiver = await createWebhookReceiver();
    const { db, clock, bus, mailer } = testApp.platform;
    const sealer = createSealer(deriveKeys(testApp.platform.config, "webhooks"));
    take({
      testApp,
      owner,
      shieldId,
      receiver,
      secret,
      sealer,
      logLines,
      worker(options = {}) {
        const outbound = createOutbound({ timeoutMs: 400, allowLoopback: true, ...options });
        outbounds.push(outbound);
        return createNotificationWorker({
          db,
          clock,
          bus,
          mailer,
          outbound,
          sealer,
          log: pino({ level: "debug" }, { write: (line: string) => logLines.push(line) }),
          consoleOrigin: () => "https://palisade.example",
          random: () => 0.5,
          count: () => undefined,
        });
      },
      webhookTo: (path, format = "json") =>
        addTestWebhook(testApp, shieldId, { url: `${receiver.origin}${path}`, format, secret }),
      async queue(webhookId, given = {}) {
        const { kind = "attack.started", thread = null } = given;
        const { body = JSON.stringify({ type: kind }) } = given;
        const id = newId();
        const now = clock.now();
        await db.transaction().execute((trx) =>
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
      },
    });
    return () => receiver.close();
  });
}

export function deliveryOf({ platform: { db } }: TestApp, id: string) {
  return db
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}

export function webhookOf({ platform: { db } }: TestApp, id: string) {
  return db
    .selectFrom("shield_webhooks")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}

/** As its owner asks for it by hand. */
export function sendDeliveryAgain({ platform: { db, clock } }: TestApp, id: string) {
  return db.transaction().execute((trx) => sendAgain(trx, id, clock.now()));
}
