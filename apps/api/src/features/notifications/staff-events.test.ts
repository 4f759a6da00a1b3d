import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createTestCertificate, type TestCertificate } from "@palisade/testing/test-certificate";
import { until } from "@palisade/testing/until";
import { sql } from "kysely";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp, type TestAppOptions } from "#src/test-support/test-app.ts";
import { stopSchedules } from "#src/test-support/test-renewals.ts";
import { enrolEdge } from "#src/test-support/test-shields.ts";
import { createStaff, mailsTo, type TestUser } from "#src/test-support/test-users.ts";
import { createWebhookReceiver, type WebhookReceiver } from "#src/test-support/webhook-receiver.ts";
import { lastsMs } from "./certificate-watch.service.ts";
import type { StaffWebhookConfig } from "./staff-webhook.service.ts";

/** Events for staff, at a real receiver. The api starts anew in each test, as its settings are. */

const host = "console.example.com";
const dayMs = 86_400_000;
const secretOf = (text: string) => `whsec_${Buffer.from(text.padEnd(32, ".")).toString("base64")}`;

let base: TestApp;
let staff: TestUser;
let receiver: WebhookReceiver;
let folder: string;
let certificate: TestCertificate;
const apps: TestApp[] = [];

beforeAll(async () => {
  base = await createTestApp();
  // The library of Standard Webhooks compares times with the system's.
  base.clock.set(new Date());
  await stopSchedules(base);
  staff = await createStaff(base);
  await enrolEdge(base, staff, { name: "fra-1" });
  certificate = await createTestCertificate(host, 90 * dayMs);
  folder = await mkdtemp(path.join(tmpdir(), "palisade-staff-"));
});
beforeEach(async () => {
  receiver = await createWebhookReceiver();
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
  receiver.close();
});
afterAll(async () => {
  await base?.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(config: NonNullable<TestAppOptions["config"]>): Promise<TestApp> {
  const app = await createTestApp({ sharing: base, config });
  // These tests say when a job runs, and each start of an api puts the schedules back.
  await stopSchedules(base);
  apps.push(app);
  return app;
}

function webhook(change: Partial<StaffWebhookConfig> = {}): StaffWebhookConfig {
  return { url: `${receiver.origin}/staff`, format: "json", secret: secretOf("first"), ...change };
}

const received = (count: number) =>
  until(() => receiver.received.length >= count && receiver.received.slice(0, count));

/** Types of what came, whose signatures the library has checked. */
async function told(count: number, secret = secretOf("first")): Promise<unknown[]> {
  return (await received(count)).map(({ headers, body }) => {
    const signed = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(
      (name) => [name, String(headers[name])] as const,
    );
    return new Webhook(secret).verify(body, Object.fromEntries(signed));
  });
}

const stored = () =>
  base.platform.db
    .selectFrom("shield_webhooks")
    .selectAll()
    .where("shield_id", "is", null)
    .execute();

const subjects = async () => (await mailsTo(base, staff.email)).map(({ subject }) => subject);

describe("the operator's webhook", () => {
  test("is told that it works when it is set, and then of an edge that is lost and back", async () => {
    const app = await start({ staffWebhook: webhook() });
    const { db } = app.platform;
    const look = () => app.runJob("notifications.watch-edges");
    // Messages of the same moment may be delivered in any order.
    await received(1);
    await look();
    await sql`update edges set last_seen_at = clock_timestamp() - interval '1 hour'`.execute(db);
    await look();
    await sql`update edge_watches set missed_at = missed_at - interval '60 seconds'`.execute(db);
    await look();
    await received(2);
    await sql`update edges set last_seen_at = clock_timestamp()`.execute(db);
    await look();
    const at = { timestamp: expect.any(String) };
    const data = { edge: "fra-1", location: "local", last_seen_at: expect.any(String) };
    expect(await told(3)).toEqual([
      { type: "webhook.test", ...at, data: {} },
      { type: "edge.lost", ...at, data },
      { type: "edge.back", ...at, data },
    ]);
    await until(async () => (await subjects()).includes("Edge fra-1 is back"));
  });

  test("takes the place of the one before when the settings change, and two secrets sign for a day", async () => {
    await start({ staffWebhook: webhook() });
    await received(1);
    await start({ staffWebhook: webhook() });
    const second = secretOf("second");
    await start({ staffWebhook: webhook({ secret: second }) });
    // The same settings again sent no test message in between.
    const [, message] = await received(2);
    expect(String(message?.headers["webhook-signature"]).split(" ")).toHaveLength(2);
    await told(2, secretOf("first"));
    await start({ staffWebhook: webhook({ secret: second, url: `${receiver.origin}/other` }) });
    const [, , other] = await received(3);
    expect(other?.url).toBe("/other");
    expect(String(other?.headers["webhook-signature"]).split(" ")).toHaveLength(1);
    expect(await stored()).toHaveLength(1);
    await start({});
    expect(await stored()).toEqual([]);
  });

  test("as a chat gets words in place of data", async () => {
    await start({ staffWebhook: webhook({ format: "slack", secret: null }) });
    const [message] = await received(1);
    expect(JSON.parse(message?.body ?? "")).toMatchObject({
      text: expect.stringContaining("This webhook works"),
    });
  });

  test("that is gone is switched off, staff are mailed, and a restart turns it on again", async () => {
    receiver.answer((response) => response.writeHead(410).end());
    const app = await start({ staffWebhook: webhook() });
    await until(async () => (await stored())[0]?.failing_since === null && receiver.received[0]);
    const [row] = await stored();
    await tell(app, row?.id ?? "");
    await until(async () => (await subjects()).includes("The webhook for staff is off"));
    expect(await stored()).toMatchObject([{ enabled: false, disabled_reason: "gone" }]);
    await start({ staffWebhook: webhook() });
    expect(await stored()).toMatchObject([{ enabled: true, disabled_reason: null }]);
    await start({});
  });

  test("that gets another receiver or format drops what waits, and late answers of the one before change nothing", async () => {
    const held: (() => void)[] = [];
    receiver.answer((response, { url, body }) => {
      const isHeld = url === "/staff" && body.includes("edge.lost");
      if (isHeld) held.push(() => response.writeHead(410).end());
      else response.writeHead(204).end();
    });
    const app = await start({ staffWebhook: webhook() });
    await received(1);
    const [before] = await stored();
    const telling = tell(app, before?.id ?? "");
    await received(2);
    await tell(app, before?.id ?? "", { isSent: false, waitsMs: dayMs });
    await start({ staffWebhook: webhook({ url: `${receiver.origin}/other` }) });
    await received(3);
    for (const answer of held.splice(0)) answer();
    await telling;
    const [after] = await stored();
    expect(after).toMatchObject({ enabled: true, disabled_reason: null, failing_since: null });
    expect(after?.id).not.toBe(before?.id);
    const { rows } = await sql`
      select kind from webhook_deliveries where webhook_id in (${before?.id}, ${after?.id})
    `.execute(base.platform.db);
    expect(rows).toEqual([{ kind: "webhook.test" }]);
    await start({
      staffWebhook: webhook({ url: `${receiver.origin}/other`, secret: null, format: "slack" }),
    });
    await received(4);
    expect((await stored())[0]?.id).not.toBe(after?.id);
    await start({});
  });
});

/** Queues a message of an edge and sends what is due. */
async function tell(
  app: TestApp,
  webhookId: string,
  { isSent = true, waitsMs = 0 }: { readonly isSent?: boolean; readonly waitsMs?: number } = {},
): Promise<void> {
  const now = app.clock.now();
  const next = new Date(now.getTime() + waitsMs);
  await sql`
    insert into webhook_deliveries (id, webhook_id, kind, body, next_at, created_at)
    values (gen_random_uuid(), ${webhookId}, 'edge.lost', '{"type":"edge.lost"}', ${next}, ${now})
  `.execute(app.platform.db);
  if (isSent) await app.runJob("notifications.send");
}

describe("the certificate", () => {
  /** A message that is under way when the clock jumps would be sent again. */
  const settled = async (messages: number): Promise<void> => {
    await received(messages);
    await until(async () => {
      const { rows } = await sql`
        select from webhook_deliveries where state = 'pending'
      `.execute(base.platform.db);
      return rows.length === 0;
    });
  };
  /** @param messages that have come by then, in all */
  const look = async (app: TestApp, messages: number) => {
    await app.runJob("notifications.watch-certificate");
    base.clock.advance(lastsMs);
    await app.runJob("notifications.watch-certificate");
    await settled(messages);
    base.clock.advance(lastsMs);
    await app.runJob("notifications.watch-certificate");
  };
  const files = () => ({
    kind: "files" as const,
    certFile: path.join(folder, "cert.pem"),
    keyFile: path.join(folder, "key.pem"),
  });
  const write = async ({ cert, key }: TestCertificate) => {
    await writeFile(files().certFile, cert);
    await writeFile(files().keyFile, key);
  };
  /** The clock of these tests is ahead of that of the library, which would refuse the signatures. */
  const bodies = async (count: number): Promise<{ type: string }[]> =>
    // Each event of ours has a type.
    (await received(count)).map(({ body }) => JSON.parse(body) as { type: string });

  beforeEach(async () => {
    base.clock.set(new Date());
    await sql`delete from certificate_watches`.execute(base.platform.db);
  });
  afterEach(() => base.clock.set(new Date()));

  test("in files: staff are told once when they are not usable for a while, and when they are again", async () => {
    await write(certificate);
    const app = await start({
      staffWebhook: webhook(),
      tls: files(),
      publicUrl: `https://${host}`,
    });
    await settled(1);
    await look(app, 1);
    await writeFile(files().keyFile, "no key");
    await app.runJob("notifications.watch-certificate");
    await write(certificate);
    await look(app, 1);
    await writeFile(files().keyFile, "no key");
    await look(app, 2);
    await look(app, 2);
    await write(certificate);
    await look(app, 3);
    expect(await bodies(3)).toMatchObject([
      { type: "webhook.test" },
      { type: "certificate.renewal_failed", data: { domain: host, expires_at: null } },
      {
        type: "certificate.renewed",
        data: { domain: host, expires_at: certificate.expiresAt.toISOString() },
      },
    ]);
    await until(async () => {
      const mails = await subjects();
      return (
        mails.includes(`There is no usable new certificate for ${host}`) &&
        mails.includes(`The certificate of ${host} is usable again`)
      );
    });
    await start({});
  });

  test("by a CA: staff are told when tries fail, and more urgently when it is about to expire", async () => {
    const { db } = base.platform;
    const app = await start({
      staffWebhook: webhook(),
      publicUrl: `https://${host}`,
      tls: { kind: "acme", directoryUrl: "https://ca.example", email: undefined, domain: host },
    });
    const { cert } = certificate;
    const store = (chain: string, failures: number) =>
      sql`
        insert into certificates (domain, chain, sealed_key, failures)
        values (${host}, ${chain}, 'sealed', ${failures})
        on conflict (domain) do update set chain = ${chain}, failures = ${failures}
      `.execute(db);
    await settled(1);
    await store(cert, 0);
    await look(app, 1);
    await store(cert, 3);
    await look(app, 2);
    base.clock.set(new Date(certificate.expiresAt.getTime() - 13 * dayMs));
    await look(app, 3);
    await store((await createTestCertificate(host, 400 * dayMs)).cert, 0);
    await look(app, 4);
    expect(await bodies(4)).toMatchObject([
      { type: "webhook.test" },
      {
        type: "certificate.renewal_failed",
        data: { domain: host, expires_at: certificate.expiresAt.toISOString() },
      },
      { type: "certificate.expiring" },
      { type: "certificate.renewed" },
    ]);
    await start({});
  });

  test("without one of its own the api looks for none", async () => {
    await base.runJob("notifications.watch-certificate");
    const { rows } = await sql`select from certificate_watches`.execute(base.platform.db);
    expect(rows).toEqual([]);
  });
});
