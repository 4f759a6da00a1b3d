import type { MailEvent, NotificationEvent } from "@palisade/contract/http/notification-events";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { OutgoingMail } from "#src/platform/mail/mailer.ts";
import { addTestWebhook } from "#src/test-support/notification-samples.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createShield, enrolEdge } from "#src/test-support/test-shields.ts";
import { createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";
import { mailEvents } from "./event-mails.service.ts";
import { insertEvents } from "./notification-events.repository.ts";
import { saveSettings, type StoredSettings } from "./notification-settings.repository.ts";
import { spreadEvents } from "./spreading.service.ts";

let testApp: TestApp;
let owner: TestUser;
let shieldId: string;
const logLines: string[] = [];
const mailed: OutgoingMail[] = [];

beforeAll(async () => {
  testApp = await createTestApp();
  // These tests run the steps themselves.
  await sql`delete from jobs.schedule`.execute(testApp.platform.db);
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
});
beforeEach(async () => {
  owner = await createUser(testApp);
  shieldId = (await createShield(testApp, owner)).id;
  await testApp.platform.db.deleteFrom("notification_events").execute();
  logLines.length = 0;
  mailed.length = 0;
});
afterAll(() => testApp?.close());

const deps = () => ({
  ...testApp.platform,
  clock: testApp.clock,
  mailer: {
    ...testApp.platform.mailer,
    enqueue: (_: Trx, mail: OutgoingMail) => Promise.resolve(void mailed.push(mail)),
  },
  log: pino({}, { write: (line: string) => logLines.push(line) }),
  consoleOrigin: () => "https://palisade.example",
});

async function happen(kind: NotificationEvent, data: object = {}): Promise<string> {
  const id = newId();
  await testApp.platform.db.transaction().execute((trx) =>
    insertEvents(trx, [
      {
        id,
        shield_id: shieldId,
        kind,
        thread: null,
        at: testApp.clock.now(),
        data: JSON.stringify(data),
      },
    ]),
  );
  return id;
}

const chosen: readonly MailEvent[] = ["attack.started", "attack.ended", "backend.down"];

async function settings(changes: Partial<StoredSettings>): Promise<void> {
  await testApp.platform.db.transaction().execute((trx) =>
    saveSettings(trx, shieldId, {
      email_notifications: true,
      webhook_notifications: true,
      attack_started_msg: "",
      attack_stopped_msg: "",
      mail_events: [...chosen],
      digest: "off",
      quiet_from: null,
      quiet_until: null,
      time_zone: "UTC",
      ...changes,
    }),
  );
}

const events = (id = shieldId) =>
  testApp.platform.db
    .selectFrom("notification_events")
    .select(["id", "spread_at", "mail_due_at", "mailed_at"])
    .where("shield_id", "=", id)
    .orderBy("seq")
    .execute();

test("after six mails about attacks in an hour, further ones come together at the full hour", async () => {
  const start = new Date("2026-11-01T12:10:00.000Z");
  testApp.clock.set(start);
  for (let count = 0; count < 5; count += 1) {
    await happen("attack.started");
    await happen("attack.ended");
    await spreadEvents(deps());
    await mailEvents(deps());
  }
  await happen("backend.down");
  await spreadEvents(deps());
  await mailEvents(deps());
  // Two events that are due together are in one mail.
  expect(mailed.map(({ template }) => template)).toEqual([
    ...Array.from({ length: 3 }, () => "notifications.digest"),
    "notifications.backend.down",
  ]);
  const late = (await events()).filter(({ mailed_at }) => mailed_at === null);
  const fullHour = new Date("2026-11-01T13:00:00.000Z");
  expect(late.map(({ mail_due_at }) => mail_due_at)).toEqual(
    Array.from({ length: 4 }, () => fullHour),
  );
  testApp.clock.set(fullHour);
  await mailEvents(deps());
  expect(mailed.slice(4).map(({ template }) => template)).toEqual(["notifications.digest"]);
  testApp.clock.set(start);
});

test("a mail that waits does not come once its event or all mails are switched off", async () => {
  testApp.clock.set(new Date("2026-11-01T12:10:00.000Z"));
  await settings({ digest: "hourly" });
  await happen("attack.started");
  await happen("backend.down");
  await spreadEvents(deps());
  await settings({ digest: "hourly", mail_events: ["backend.down"] });
  testApp.clock.advance(3_600_000);
  await mailEvents(deps());
  expect(mailed.map(({ template }) => template)).toEqual(["notifications.backend.down"]);
  await happen("backend.down");
  await spreadEvents(deps());
  await settings({ email_notifications: false });
  testApp.clock.advance(3_600_000);
  await mailEvents(deps());
  expect(mailed).toHaveLength(1);
  expect((await events()).every(({ mailed_at }) => mailed_at !== null)).toBe(true);
});

describe("an event that cannot be told", () => {
  test("does not hold up the others, and is logged", async () => {
    await addTestWebhook(testApp, shieldId);
    // As if another version had checked it.
    await settings({ time_zone: "Mars/Olympus", quiet_from: 60, quiet_until: 120 });
    const bad = await happen("attack.started");
    const badShield = shieldId;
    shieldId = (await createShield(testApp, await createUser(testApp))).id;
    await addTestWebhook(testApp, shieldId);
    await happen("attack.started");
    expect(await spreadEvents(deps())).toBe(false);
    expect((await events(badShield))[0]).toMatchObject({ id: bad, mail_due_at: null });
    expect((await events())[0]?.mail_due_at).toEqual(testApp.clock.now());
    const { rows } = await sql<{ count: string }>`
      select count(*) from webhook_deliveries delivery
      join shield_webhooks webhook on webhook.id = delivery.webhook_id
      where webhook.shield_id = any(${[badShield, shieldId]}::uuid[])
    `.execute(testApp.platform.db);
    expect(rows[0]?.count).toBe("1");
    expect(logLines.join()).toContain(bad);
  });

  test("one of a kind that only a newer version knows is left to it", async () => {
    await happen("moon.landed" as NotificationEvent);
    await happen("backend.down");
    await spreadEvents(deps());
    expect((await events()).map(({ spread_at }) => spread_at !== null)).toEqual([false, true]);
  });

  test("in a mail does not hold up the mails of other shields", async () => {
    await happen("attack.started");
    const [failing, other] = [shieldId, (await createShield(testApp, owner)).id];
    shieldId = other;
    await happen("attack.started");
    await spreadEvents(deps());
    const { mailer, ...others } = deps();
    const broken: typeof mailer = {
      ...mailer,
      async enqueue(trx, mail) {
        if (mail.values["shieldId"] === failing) await sql`select 1 / 0`.execute(trx);
        await mailer.enqueue(trx, mail);
      },
    };
    await mailEvents({ ...others, mailer: broken });
    expect(await events(failing)).toMatchObject([{ mailed_at: expect.any(Date) }]);
    expect(await events(other)).toMatchObject([{ mailed_at: expect.any(Date) }]);
    expect(mailed.map(({ values }) => values["shieldId"])).toEqual([other]);
  });
});
