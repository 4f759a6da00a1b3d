import { routes } from "@palisade/contract/http/routes";
import type { Server } from "@palisade/contract/http/servers";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { asOwner } from "#src/test-support/query-plan.ts";
import type { TestApp } from "#src/test-support/test-app.ts";
import {
  createSharedShield,
  dayMs,
  createShieldLifeFixture,
  shieldLifeCalls,
} from "#src/test-support/test-shield-life.ts";
import { call, type TestUser } from "#src/test-support/test-users.ts";
import { hold, untilWaiting } from "#src/test-support/waiting.ts";
import { insertHours } from "#src/test-support/test-telemetry.ts";
import { statsTables, settingsTables } from "./shield-life.repository.ts";
import { shieldPurge } from "./shield-purge.jobs.ts";

let testApp: TestApp;
let replica: TestApp;
let owner: TestUser;
let shield: Server;

const { db, remove, restore, read } = shieldLifeCalls(() => ({ testApp, owner, shield }));

beforeAll(async () => {
  ({ testApp, replica } = await createShieldLifeFixture());
});
afterAll(async () => {
  await replica?.close();
  await testApp?.close();
});
beforeEach(async () => {
  ({ owner, shield } = await createSharedShield(testApp));
});

const purge = () =>
  shieldPurge({ db: db(), clock: testApp.clock, log: testApp.platform.log }).run({});

describe("after 14 days", () => {
  /** Tables with rows of the shield. */
  async function tablesWithRows(): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'shield_id' order by table_name
    `.execute(db());
    const found: string[] = [];
    for (const { name } of rows) {
      const { rows: some } = await sql`
        select 1 from ${sql.table(name)} where shield_id = ${shield.id} limit 1
      `.execute(db());
      if (some.length > 0) found.push(name);
    }
    return found;
  }

  test("settings and counts are erased, once; money, record and label stay", async () => {
    const hour = testApp.clock.now();
    const counts = { joins: "1", bytes_up: "1", bytes_down: "1" };
    await insertHours(db(), [{ shield_id: shield.id, start: hour, ...counts }]);
    await remove();
    await purge();
    expect(await tablesWithRows()).toContain("backend_groups");
    testApp.clock.advance(14 * dayMs);
    await purge();
    expect(await tablesWithRows()).toEqual(["cname_reservations", "shield_configs"]);
    const { config } = await db()
      .selectFrom("shield_configs")
      .select("config")
      .where("shield_id", "=", shield.id)
      .executeTakeFirstOrThrow();
    expect(config).toBe("{}");
    const { erased_at, server_name } = await db()
      .selectFrom("shields")
      .select(["erased_at", "server_name"])
      .where("id", "=", shield.id)
      .executeTakeFirstOrThrow();
    expect(server_name).toBe("");
    testApp.clock.advance(dayMs);
    await purge();
    const after = await db()
      .selectFrom("shields")
      .select("erased_at")
      .where("id", "=", shield.id)
      .executeTakeFirstOrThrow();
    expect(after.erased_at).toEqual(erased_at);
    expect([await read(), (await restore()).statusCode, (await remove()).statusCode]).toEqual([
      404, 404, 404,
    ]);
  });

  test("names of players that an api of the release before left are erased with the next run", async () => {
    const kept = (await createSharedShield(testApp)).shield.id;
    await remove();
    testApp.clock.advance(14 * dayMs);
    await purge();
    for (const id of [shield.id, kept]) {
      await sql`
        insert into firewall_names (id, shield_id, list, name, created_at)
        values (gen_random_uuid(), ${id}, 'blacklist', 'Griefer_1', now())
      `.execute(db());
    }
    await purge();
    const rows = await db().selectFrom("firewall_names").select("shield_id").execute();
    expect(rows.filter(({ shield_id }) => [shield.id, kept].includes(shield_id))).toEqual([
      { shield_id: kept },
    ]);
  });

  test("a log of any length is erased, in portions", async () => {
    const ids = [shield.id, (await createSharedShield(testApp)).shield.id];
    for (const id of ids) {
      await sql`
        insert into login_entries (id, shield_id, at, edge_id, verdict, shadow, player, ip,
          protocol, host, trace, facts)
        select gen_random_uuid(), ${id}::uuid, now() - n * interval '5 seconds', gen_random_uuid(), 'rate',
          false, 'Bot', '203.0.113.7', 765, '', '7K3M9QXW', '{}'
        from generate_series(1, 25000) n
      `.execute(db());
    }
    await remove();
    testApp.clock.advance(14 * dayMs);
    const sizes: number[] = [];
    const left = async () =>
      Number(
        (
          await sql<{ count: string }>`
          select count(*) from login_entries where shield_id = ${shield.id}
        `.execute(db())
        ).rows[0]?.count,
      );
    await asOwner(testApp, (client) =>
      client.query(`
        create table portions (deleted bigint);
        grant insert on portions to public;
        create function note_portion() returns trigger language plpgsql as $$ begin
          insert into portions select count(*) from gone; return null; end $$;
        create trigger note_portion after delete on login_entries
          referencing old table as gone for each statement execute function note_portion()
      `),
    );
    await purge();
    expect([await left(), await tablesWithRows()]).toEqual([
      0,
      ["cname_reservations", "shield_configs"],
    ]);
    await asOwner(testApp, async (client) => {
      const { rows } = await client.query<{ deleted: string }>(
        "select deleted from portions where deleted > 0",
      );
      sizes.push(...rows.map(({ deleted }) => Number(deleted)));
      await client.query("drop trigger note_portion on login_entries");
    });
    expect(sizes).toEqual([10_000, 10_000, 5_000]);
  });

  test("a run goes on until none is due", async () => {
    await remove();
    await sql`
      insert into shields (id, owner_id, server_name, status, pricing_plan_id, cname_record,
        location, revision, created_at, deleted_at)
      select gen_random_uuid(), owner_id, server_name, 'deleted', pricing_plan_id,
        'due-' || n || '.gs.localhost', location, 1, created_at, deleted_at
      from shields, generate_series(1, 200) n where id = ${shield.id}
    `.execute(db());
    testApp.clock.advance(14 * dayMs);
    await purge();
    const left = await db()
      .selectFrom("shields")
      .select("id")
      .where("owner_id", "=", owner.id)
      .where("erased_at", "is", null)
      .execute();
    expect(left).toEqual([]);
  });

  test("one restored in time is not erased, even while the job is at it", async () => {
    await remove();
    testApp.clock.advance(14 * dayMs - 1);
    const holder = await hold(testApp, (trx) =>
      trx.selectFrom("shields").select("id").where("id", "=", shield.id).forUpdate().execute(),
    );
    const restoring = restore();
    await untilWaiting(testApp, 1);
    testApp.clock.advance(1);
    const purging = purge();
    await untilWaiting(testApp, 2);
    await holder.release();
    await purging;
    expect((await restoring).statusCode).toBe(200);
    expect(await tablesWithRows()).toContain("backend_groups");
  });

  test("every table that names shields is erased, or known to stay", async () => {
    const { rows } = await sql<{ name: string }>`
      select distinct conrelid::regclass::text as name from pg_constraint
      where contype = 'f' and confrelid = 'shields'::regclass
      union
      select table_name from information_schema.columns
      join pg_class on pg_class.oid = table_name::regclass and relkind <> 'v' and not relispartition
      where table_schema = 'public' and column_name = 'shield_id'
    `.execute(db());
    // A ticket loses its snapshot of the settings; it belongs to the account that opened it.
    const stays = ["cname_reservations", "shield_configs", "subscriptions", "tickets"];
    expect(rows.map(({ name }) => name).toSorted()).toEqual(
      [...settingsTables, ...statsTables, ...stays].toSorted(),
    );
  });
});

describe("an account whose owner wants to leave", () => {
  test("is told to delete its shields first; then goes, and they with it", async () => {
    const leave = () =>
      call(testApp, routes.account.deleteAccount, {
        token: owner.token,
        body: { email: owner.email },
      });
    const refused = await leave();
    expect([refused.statusCode, refused.json().message]).toEqual([
      409,
      "You still have Game Shields. Delete them first",
    ]);
    await remove();
    expect((await leave()).statusCode).toBe(200);
    const left = await db()
      .selectFrom("backend_groups")
      .select("id")
      .where("shield_id", "=", shield.id)
      .execute();
    expect(left).toEqual([]);
    testApp.clock.advance(14 * dayMs);
    await purge();
    const { erased_at } = await db()
      .selectFrom("shields")
      .select("erased_at")
      .where("id", "=", shield.id)
      .executeTakeFirstOrThrow();
    expect(erased_at).not.toBeNull();
  });

  test("takes its deleted shields along, even one that is being restored at that moment", async () => {
    await remove();
    const holder = await hold(testApp, (trx) =>
      trx.selectFrom("users").select("id").where("id", "=", owner.id).forUpdate().execute(),
    );
    const leaving = call(testApp, routes.account.deleteAccount, {
      token: owner.token,
      body: { email: owner.email },
    });
    await untilWaiting(testApp, 1);
    const restoring = restore(owner, replica);
    await untilWaiting(testApp, 2);
    await holder.release();
    expect((await leaving).statusCode).toBe(200);
    expect((await restoring).statusCode).toBe(404);
  });
});
