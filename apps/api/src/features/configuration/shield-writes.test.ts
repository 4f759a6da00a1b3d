import { configSchemaVersion } from "@palisade/contract/edge/shield-config";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { selectDeltaPage } from "#src/features/configuration/config-stream.repository.ts";
import { newId } from "#src/platform/database/ids.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createShield, enrolEdge } from "#src/test-support/test-shields.ts";
import { createStaff, createUser } from "#src/test-support/test-users.ts";
import { createShieldWrites, revisionsKept, type ShieldWrites } from "./shield-writes.service.ts";

let testApp: TestApp;
let writes: ShieldWrites;
const shields: string[] = [];
const audience = { kind: "edge", location: "local", schema: configSchemaVersion } as const;

beforeAll(async () => {
  testApp = await createTestApp();
  const { bus } = testApp.platform;
  writes = createShieldWrites({
    clock: testApp.clock,
    bus,
    failpoint: () => undefined,
    allowUnproven: true,
    cookieSecret: Buffer.alloc(32),
  });
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
  const owner = await createUser(testApp);
  for (let index = 0; index < 6; index += 1) {
    shields.push((await createShield(testApp, owner)).id);
  }
});
afterAll(() => testApp.close());

class Abandoned extends Error {}

/** A change of the shield, which is rolled back after its version was taken where asked. */
function change(shieldId: string, outcome: "commit" | "rollback") {
  return testApp.platform.db.transaction().execute(async (trx) => {
    // How long a change waits for those before it is not the subject here.
    await sql`set local lock_timeout = 0`.execute(trx);
    await sql`set local statement_timeout = 0`.execute(trx);
    await writes.lockActive(trx, shieldId);
    await trx
      .updateTable("shield_messages")
      .set({ blacklist_msg: newId() })
      .where("shield_id", "=", shieldId)
      .execute();
    const receipt = await writes.commit(trx, shieldId);
    if (outcome === "rollback") throw new Abandoned();
    return receipt;
  });
}

async function head(): Promise<number> {
  const row = await testApp.platform.db
    .selectFrom("config_head")
    .select("version")
    .executeTakeFirstOrThrow();
  return Number(row.version);
}

describe("versions", () => {
  test("have no gap and no double under parallel commits and rollbacks, and no reader of `since` skips one", async () => {
    const { db } = testApp.platform;
    const start = await head();
    const writers = { areDone: false };
    const seen = new Map<string, number>();
    // Reads on and on while others write, from where it last was, as a stream does.
    const reader = (async () => {
      let since = start;
      const finish = async () => (await head()) === since;
      while (!writers.areDone || !(await finish())) {
        for (const row of await selectDeltaPage(db, audience, {
          now: testApp.clock.now(),
          since,
        })) {
          expect(Number(row.version)).toBeGreaterThan(since);
          since = Number(row.version);
          seen.set(row.shield_id, row.revision);
        }
      }
    })();
    const receipts: { revision: number; version: number; shieldId: string }[] = [];
    const work = Array.from({ length: 120 }, (_, index) => index).values();
    // Fewer writers than the pool has connections: none waits for a connection until it gives up.
    const write = async (): Promise<void> => {
      for (const index of work) {
        const shieldId = shields[index % shields.length] ?? "";
        try {
          const receipt = await change(shieldId, index % 3 === 0 ? "rollback" : "commit");
          receipts.push({ ...receipt, shieldId });
        } catch (error) {
          if (!(error instanceof Abandoned)) throw error;
        }
      }
    };
    try {
      await Promise.all([write(), write(), write(), write(), write(), write()]);
    } finally {
      writers.areDone = true;
    }
    await reader;
    expect(receipts).toHaveLength(80);
    expect(receipts.map(({ version }) => version).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 80 }, (_, index) => start + 1 + index),
    );
    // The reader ends with the newest revision of every shield that changed.
    const newest = new Map<string, number>();
    for (const { shieldId, revision } of receipts) {
      newest.set(shieldId, Math.max(revision, newest.get(shieldId) ?? 0));
    }
    expect(seen).toEqual(newest);
  });

  test("a version is never visible before every lower one is", async () => {
    const { db } = testApp.platform;
    const [first = "", second = ""] = shields;
    const start = await head();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let taken = (): void => undefined;
    const isTaken = new Promise<void>((resolve) => {
      taken = resolve;
    });
    const slow = db.transaction().execute(async (trx) => {
      await writes.lockActive(trx, first);
      await writes.commit(trx, first);
      taken();
      await held;
    });
    await isTaken;
    const quick = change(second, "commit");
    // The quick one waits for the slow one's number: until then nothing is visible.
    await expect(
      Promise.race([quick, sql`select pg_sleep(0.3)`.execute(db).then(() => "still waiting")]),
    ).resolves.toBe("still waiting");
    expect(await selectDeltaPage(db, audience, { now: testApp.clock.now(), since: start })).toEqual(
      [],
    );
    release();
    await slow;
    await quick;
    const rows = await selectDeltaPage(db, audience, { now: testApp.clock.now(), since: start });
    expect(rows.map(({ shield_id }) => shield_id)).toEqual([first, second]);
  });
});

describe("committing a shield", () => {
  test("a change no edge would take leaves setting, revision and version as they were", async () => {
    const { db } = testApp.platform;
    const [shieldId = ""] = shields;
    const before = await head();
    const attempt = (poison: string) =>
      db.transaction().execute(async (trx) => {
        await writes.lockActive(trx, shieldId);
        await sql`update shield_domains set name = ${poison} where shield_id = ${shieldId}`.execute(
          trx,
        );
        await writes.commit(trx, shieldId);
      });
    await expect(attempt("Not A Domain!")).rejects.toMatchObject({ code: "internal" });
    expect(await head()).toBe(before);
    const stored = await db
      .selectFrom("shield_domains")
      .select("name")
      .where("shield_id", "=", shieldId)
      .execute();
    expect(stored).toEqual([{ name: "mc.example.com" }]);
  });

  test("an oversize configuration is refused with 413", async () => {
    const { db } = testApp.platform;
    const [shieldId = ""] = shields;
    const attempt = db.transaction().execute(async (trx) => {
      await writes.lockActive(trx, shieldId);
      await sql`
        with groups as (
          insert into backend_groups
            (id, shield_id, name, balancing, proxy_protocol, is_default, created_at)
          select gen_random_uuid(), ${shieldId}, repeat('g', 255), 'random', false, false, now()
          from generate_series(1, 63) returning id
        )
        insert into backends (id, group_id, host, port, created_at)
        select gen_random_uuid(), groups.id, repeat('h', 253), 1, now()
        from groups, generate_series(1, 64)
      `.execute(trx);
      await sql`
        insert into firewall_entries (id, shield_id, list, address, created_at)
        select gen_random_uuid(), ${shieldId}, list,
          '2001:db8:1234:5678:9abc:def0:1234:' || to_hex(n) || '/127', now()
        from generate_series(1, 10000) n, unnest(array['blacklist', 'whitelist']) list
      `.execute(trx);
      await writes.commit(trx, shieldId);
    });
    await expect(attempt).rejects.toMatchObject({ code: "payload_too_large" });
  });

  test("only the newest revisions are kept", async () => {
    const [shieldId = ""] = shields;
    let newest = 0;
    for (let index = 0; index < revisionsKept + 3; index += 1) {
      newest = (await change(shieldId, "commit")).revision;
    }
    const kept = await testApp.platform.db
      .selectFrom("shield_revisions")
      .select("revision")
      .where("shield_id", "=", shieldId)
      .orderBy("revision")
      .execute();
    expect(kept.map(({ revision }) => revision)).toEqual(
      Array.from({ length: revisionsKept }, (_, index) => newest - revisionsKept + 1 + index),
    );
  });
});
