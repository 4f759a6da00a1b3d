import { configSchemaVersion, shieldConfig } from "@palisade/contract/edge/shield-config";
import { routes } from "@palisade/contract/http/routes";
import type { Server } from "@palisade/contract/http/servers";
import { until } from "@palisade/testing/until";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createShield, enrolEdge, type TestEdge } from "#src/test-support/test-shields.ts";
import { openTestStream, reachVersion } from "#src/test-support/test-stream.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";
import { hold } from "#src/test-support/waiting.ts";
import { renewCookieKeys } from "./cookie-keys.service.ts";
import { recompileOutdated, type RecompileDeps } from "./recompile.service.ts";

let testApp: TestApp;
let staff: TestUser;
let owner: TestUser;
let shields: Server[];
let deps: RecompileDeps;
let counted: string[];
let serial = 0;

beforeAll(async () => {
  testApp = await createTestApp();
  const { db, bus, log } = testApp.platform;
  // The tests say when: the schedule's own runs would be at it too.
  await sql`delete from jobs.schedule`.execute(db);
  staff = await createStaff(testApp);
  await enrolEdge(testApp, staff, { name: "first" });
  const count = (outcome: string) => void counted.push(outcome);
  deps = {
    db,
    bus,
    log,
    count,
    allowUnproven: true,
    cookieSecret: Buffer.alloc(32),
    discordInviteUrl: undefined,
  };
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  owner = await createUser(testApp);
  shields = [];
  counted = [];
  for (let n = 0; n < 3; n += 1) {
    shields.push(await createShield(testApp, owner, { domain: `v1-${++serial}.example.com` }));
  }
});

/** The configurations as the api of the version before left them. */
async function asVersionBeforeLeft(ids = shields.map(({ id }) => id)): Promise<void> {
  await sql`
    delete from shield_configs where schema = ${configSchemaVersion} and shield_id = any(${ids}::uuid[])
  `.execute(testApp.platform.db);
}

const recompile = (signal = new AbortController().signal) => recompileOutdated(deps, signal);

async function stored(shieldId: string) {
  return testApp.platform.db
    .selectFrom("shield_configs")
    .select(["schema", "revision", "config", "locations"])
    .where("shield_id", "=", shieldId)
    .orderBy("schema")
    .execute();
}

async function asOwner(statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: testApp.ownerUrl });
  await client.connect();
  await client.query(statements).finally(() => client.end());
}

async function freshEdge(): Promise<TestEdge> {
  return enrolEdge(testApp, staff, { name: `edge-${++serial}` });
}

describe("a database as the version before left it", () => {
  test("is compiled for the newest schema when the api starts, by one of several processes", async () => {
    await asVersionBeforeLeft();
    const replicas = await Promise.all([1, 2, 3].map(() => createTestApp({ sharing: testApp })));
    try {
      for (const { id } of shields) {
        const rows = await until(async () => {
          const found = await stored(id);
          return found.length === 2 ? found : undefined;
        });
        // Once: another time would be another revision.
        expect(rows.map(({ schema, revision }) => [schema, revision])).toEqual([
          [6, 2],
          [7, 2],
        ]);
        expect(JSON.parse(rows[1]?.config ?? "")).toMatchObject({ schema: 7, shield_id: id });
      }
    } finally {
      for (const replica of replicas) await replica.close();
    }
  });

  test("gives an edge of the new version no snapshot before every shield is there", async () => {
    const [first] = shields;
    const starting = await createTestApp({ sharing: testApp });
    try {
      await asVersionBeforeLeft();
      // A long change holds its lock: the others are compiled, this one is waited for.
      const holder = await hold(testApp, (trx) =>
        trx
          .selectFrom("shields")
          .select("id")
          .where("id", "=", first?.id ?? "")
          .forUpdate()
          .execute(),
      );
      const running = recompile();
      await until(async () => (await stored(shields[2]?.id ?? "")).length === 2);
      const edge = await freshEdge();
      const early = await openTestStream(starting, edge, { schema: 7 });
      expect([early.status, early.lines]).toEqual([503, []]);
      // The api that serves the version before goes on.
      const before = await openTestStream(starting, await freshEdge());
      await before.next("snapshot_end");
      before.close();
      await holder.release();
      await running;
      const late = await openTestStream(starting, edge, { schema: 7 });
      await late.next("snapshot_end");
      const ids = late.lines.flatMap((l) => (l.kind === "shield" ? [l.record.shield_id] : []));
      expect(ids).toEqual(expect.arrayContaining(shields.map(({ id }) => id)));
      late.close();
    } finally {
      await starting.close();
    }
  });

  test("a node that has learnt the new schema takes everything anew, however new its version is", async () => {
    const edge = await freshEdge();
    const old = await openTestStream(testApp, edge);
    const { version } = await old.next("snapshot_end");
    old.close();
    const query = await reachVersion(testApp, edge, version);
    const upgraded = await openTestStream(testApp, edge, { ...query, schema: 7 });
    const snapshot = await upgraded.next("snapshot_end");
    upgraded.close();
    expect(
      upgraded.lines.some((l) => l.kind === "shield" && JSON.stringify(l).includes('"schema":7')),
    ).toBe(true);
    // And goes on from there, once there is something newer.
    await createShield(testApp, owner, { domain: `v2-${++serial}.example.com` });
    await reachVersion(testApp, edge, snapshot.version + 1);
    const next = await openTestStream(testApp, edge, {
      ...query,
      since: snapshot.version + 1,
      schema: 7,
    });
    await until(() => next.lines.length > 0);
    expect(next.lines[0]?.kind).toBe("heartbeat");
    next.close();
  });

  test("deleted shields leave word that they are gone in the new schema too, erased ones as well", async () => {
    const [shield] = shields;
    const id = shield?.id ?? "";
    const params = { id };
    await call(testApp, routes.serverLife.deleteServer, {
      token: owner.token,
      params,
      body: { server_name: shield?.server_name },
    });
    await sql`delete from shield_messages where shield_id = ${id}`.execute(testApp.platform.db);
    await asVersionBeforeLeft([id]);
    await recompile();
    expect(await stored(id)).toMatchObject([
      { schema: 6, locations: [], config: "" },
      { schema: 7, locations: [], config: "" },
    ]);
  });

  test("a shield that no longer compiles is served as it was, and delays no other", async () => {
    const id = shields[0]?.id ?? "";
    await sql`delete from shield_messages where shield_id = ${id}`.execute(testApp.platform.db);
    await asVersionBeforeLeft();
    await recompile();
    for (const shield of shields) {
      const rows = await stored(shield.id);
      expect(rows.map(({ schema }) => schema)).toEqual([6, 7]);
      expect(JSON.parse(rows[1]?.config ?? "")).toMatchObject({
        schema: 7,
        label: shield.cname_record,
        revision: rows[1]?.revision,
      });
    }
    expect(counted).toEqual(["kept"]);
  });

  test("one that can no longer be read either is taken away, and all others are served", async () => {
    const id = shields[0]?.id ?? "";
    const { db } = testApp.platform;
    await sql`delete from shield_messages where shield_id = ${id}`.execute(db);
    await sql`update shield_configs set config = '{"schema":6}' where shield_id = ${id}`.execute(
      db,
    );
    await asVersionBeforeLeft();
    await recompile(AbortSignal.timeout(10_000));
    expect(counted).toEqual(["taken_away"]);
    expect(await stored(id)).toMatchObject([
      { schema: 6, revision: 2, locations: [], config: "" },
      { schema: 7, revision: 2, locations: [], config: "" },
    ]);
    const stream = await openTestStream(testApp, await freshEdge(), { schema: 7 });
    await stream.next("snapshot_end");
    const ids = stream.lines.flatMap((l) => (l.kind === "shield" ? [l.record.shield_id] : []));
    stream.close();
    expect(ids).toEqual(expect.arrayContaining(shields.slice(1).map((shield) => shield.id)));
    expect(ids).not.toContain(id);
  });

  test("one the database refuses keeps no other from its turn, and is tried again", async () => {
    const [first] = shields.map(({ id }) => id).toSorted();
    await asVersionBeforeLeft();
    await asOwner(`
      create function refuse_one() returns trigger language plpgsql
        as $$ begin raise exception 'not this one'; end $$;
      create trigger refuse_one before insert on shield_configs for each row
        when (new.shield_id = '${first}') execute function refuse_one()
    `);
    const running = recompile();
    try {
      await until(async () => {
        const rows = await Promise.all(shields.map(({ id }) => stored(id)));
        return rows.filter(({ length }) => length === 2).length === 2;
      });
      expect(counted).toContain("failed");
    } finally {
      await asOwner("drop trigger refuse_one on shield_configs; drop function refuse_one()");
    }
    await running;
    expect((await stored(first ?? "")).map(({ schema }) => schema)).toEqual([6, 7]);
  });

  test("one whose key is to be another keeps what it says, also where that is of an earlier revision", async () => {
    const { db } = testApp.platform;
    const id = shields[0]?.id ?? "";
    // As support has it, against what the owner has set.
    await sql`
      update shield_configs
      set config = jsonb_set(config::jsonb, '{mitigation,anti_forge}', 'true')::text
      where shield_id = ${id} and schema = ${configSchemaVersion}
    `.execute(db);
    const now = async () => shieldConfig.parse(JSON.parse((await stored(id))[1]?.config ?? ""));
    const before = await now();
    await db.transaction().execute((trx) => renewCookieKeys(undefined, trx, "local"));
    await Promise.all([recompile(), recompile()]);
    const { mitigation, revision, ...rest } = await now();
    expect(mitigation.cookie_key).not.toBe(before.mitigation.cookie_key);
    expect({ ...rest, revision, mitigation: { ...mitigation, cookie_key: "" } }).toEqual({
      ...before,
      revision: before.revision + 1,
      mitigation: { ...before.mitigation, cookie_key: "" },
    });
    expect(mitigation.anti_forge).toBe(true);
    await recompile();
    expect((await stored(id)).map((row) => row.revision)).toEqual([revision, revision]);
    expect(counted).toEqual([]);
  });

  test("rows that an api of the version before writes beside this one are taken over", async () => {
    const id = shields[0]?.id ?? "";
    await sql`
      with head as (update config_head set version = version + 1 returning version),
      shield as (update shields set revision = revision + 1 where id = ${id} returning revision)
      update shield_configs set version = head.version, revision = shield.revision
      from head, shield where shield_id = ${id} and schema = 6
    `.execute(testApp.platform.db);
    await recompile();
    expect((await stored(id)).map(({ revision }) => revision)).toEqual([3, 3]);
    await recompile();
    expect((await stored(id)).map(({ revision }) => revision)).toEqual([3, 3]);
  });

  test("if an api of the version before has sent it, it is taken away again, and keys are renewed once", async () => {
    const { db } = testApp.platform;
    const id = shields[0]?.id ?? "";
    // Its owner moves the shield there, by the api of before, and back again by this one.
    await sql`
      with head as (update config_head set version = version + 2 returning version),
      shield as (update shields set revision = revision + 1 where id = ${id} returning revision)
      insert into shield_configs
        (shield_id, schema, revision, version, locations, left_locations, config, config_bytes)
      select ${id}, schema, shield.revision, head.version - schema + 5, '{frankfurt}', '{local}', '{}', 2
      from head, shield, (values (5), (6)) as known (schema)
      on conflict (shield_id, schema) do update set revision = excluded.revision,
        version = excluded.version, locations = excluded.locations,
        left_locations = excluded.left_locations
    `.execute(db);
    await recompile();
    const placed = () =>
      db
        .selectFrom("shield_configs")
        .select(["revision", "locations", "left_locations"])
        .where("shield_id", "=", id)
        .where("schema", "=", configSchemaVersion)
        .executeTakeFirstOrThrow();
    const there = { locations: ["local"], left_locations: ["frankfurt"] };
    expect(await placed()).toEqual({ revision: 3, ...there });
    await db.transaction().execute((trx) => renewCookieKeys(undefined, trx, "frankfurt"));
    await recompile();
    expect(await placed()).toEqual({ revision: 4, ...there });
  });
});
