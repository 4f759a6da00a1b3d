import { sql } from "kysely";
import { expect, test } from "vitest";
import { eachTestHasAShield, type ShieldOfTest } from "#src/test-support/shield-of-each-test.ts";
import { createShield } from "#src/test-support/test-shields.ts";
import { shieldSweep, type ShieldSweep } from "./shield-sweep.service.ts";

let current: ShieldOfTest;
eachTestHasAShield((next) => {
  current = next;
});

test("a shield that fails does not hold up the others and changes nothing; the next run tries it again", async () => {
  const { testApp, owner, shieldId: broken } = current;
  const { db, log } = testApp.platform;
  const whole = (await createShield(testApp, owner)).id;
  const early = (await createShield(testApp, owner)).id;
  const now = testApp.clock.nowMs();
  for (const [shield_id, minutes] of [
    [broken, 3],
    [whole, 2],
    [early, 0],
  ] as const) {
    const until = new Date(now - minutes * 60_000);
    await db
      .insertInto("shield_left_locations")
      .values({ shield_id, location: "frankfurt", until })
      .execute();
  }
  const committed: string[] = [];
  let isBroken = true;
  const sweep: ShieldSweep = {
    name: "test.sweep",
    cron: "* * * * *",
    failure: "It failed",
    due: ["shield_left_locations", "until"],
    afterMs: 60_000,
    async end(trx, shieldId) {
      await sql`delete from shield_left_locations where shield_id = ${shieldId}`.execute(trx);
      if (isBroken && shieldId === broken) throw new Error("broken");
      return true;
    },
  };
  const writes = {
    lockActive: () => Promise.reject(new Error("not asked for")),
    async commit(_trx: unknown, shieldId: string) {
      committed.push(shieldId);
      return { revision: 1, version: 1 };
    },
  };
  const job = shieldSweep({ db, clock: testApp.clock, writes, log }, sweep);
  const left = async () => {
    const rows = await db.selectFrom("shield_left_locations").select("shield_id").execute();
    return new Set(rows.map(({ shield_id }) => shield_id));
  };

  await job.run({});
  expect([await left(), committed]).toEqual([new Set([broken, early]), [whole]]);
  isBroken = false;
  await job.run({});
  expect([await left(), committed]).toEqual([new Set([early]), [whole, broken]]);
});
