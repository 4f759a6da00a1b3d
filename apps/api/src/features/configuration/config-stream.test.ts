import { configSchemaVersion, shieldConfig } from "@palisade/contract/edge/shield-config";
import { zoneEdges, zoneRecord } from "@palisade/contract/edge/zone-record";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  createShieldWrites,
  type ShieldWrites,
} from "#src/features/configuration/shield-writes.service.ts";
import { beginHistory } from "./history.service.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  createShield,
  enrolEdge,
  revokeEdge,
  type TestEdge,
} from "#src/test-support/test-shields.ts";
import {
  openTestStream,
  reachVersion,
  type StreamQuery,
  type TestStream,
} from "#src/test-support/test-stream.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
/** Another process of the api, as far as the database can tell. */
let replica: TestApp;
let staff: TestUser;
let owner: TestUser;
let edge: TestEdge;
let writes: ShieldWrites;
let streams: TestStream[] = [];

beforeAll(async () => {
  testApp = await createTestApp();
  replica = await createTestApp({ sharing: testApp });
  writes = createShieldWrites({
    clock: testApp.clock,
    bus: testApp.platform.bus,
    failpoint: () => undefined,
    allowUnproven: true,
    cookieSecret: Buffer.alloc(32),
  });
  staff = await createStaff(testApp);
  edge = await enrolEdge(testApp, staff, { name: "local-1" });
  await enrolEdge(testApp, staff, { name: "frankfurt-1", location: "frankfurt" });
});
beforeEach(async () => {
  owner = await createUser(testApp);
});
afterEach(() => {
  for (const stream of streams) stream.close();
  streams = [];
});
afterAll(async () => {
  await replica.close();
  await testApp.close();
});

async function open(node: TestEdge, query: StreamQuery = {}, app = testApp): Promise<TestStream> {
  const stream = await openTestStream(app, node, { schema: configSchemaVersion, ...query });
  streams.push(stream);
  return stream;
}

async function block(shieldId: string, ip: string, app = testApp) {
  const answer = await call(app, routes.firewall.addFirewallEntry, {
    token: owner.token,
    params: { id: shieldId },
    body: { type: "blacklist", ip },
  });
  expect(answer.statusCode).toBe(201);
}

/** The shield is changed as features of later issues will: delete, move to another region. */
async function rewrite(shieldId: string, change: { deleted: true } | { location: string }) {
  await testApp.platform.db.transaction().execute(async (trx) => {
    await writes.lockActive(trx, shieldId);
    await trx
      .updateTable("shields")
      .set(
        "deleted" in change
          ? { status: "deleted" as const, deleted_at: testApp.clock.now() }
          : { location: change.location },
      )
      .where("id", "=", shieldId)
      .execute();
    await writes.commit(trx, shieldId);
  });
}

describe("configuration stream", () => {
  test("begins with a snapshot of the edge's own location: start, one line per shield, end", async () => {
    const here = await createShield(testApp, owner);
    const elsewhere = await createShield(testApp, owner, { location: "frankfurt" });
    const stream = await open(edge);
    const start = await stream.next("snapshot_start");
    const end = await stream.next("snapshot_end");
    expect(end.version).toBe(start.version);
    const shields = stream.lines.filter((line) => line.kind === "shield");
    expect(shields).toHaveLength(end.count);
    const ids = shields.map(({ record }) => record.shield_id);
    expect(ids).toContain(here.id);
    expect(ids).not.toContain(elsewhere.id);
    for (const { record } of shields) {
      expect(shieldConfig.parse(record.config).revision).toBe(record.revision);
    }
  });

  test("every edge is told the addresses of all edges, also of those that come and go", async () => {
    const stream = await open(edge);
    const before = new Set((await stream.next("fleet")).addresses);
    const addresses = ["93.184.216.34", "2606:2800:220::1"];
    const other = await enrolEdge(testApp, staff, {
      name: "other-1",
      location: "frankfurt",
      addresses,
    });
    const more = await stream.next("fleet");
    expect(new Set(more.addresses)).toEqual(new Set([...before, ...addresses]));
    await revokeEdge(testApp, staff, other);
    expect(new Set((await stream.next("fleet")).addresses)).toEqual(before);
  });

  test("a change follows as a delta that builds on the version before", async () => {
    const shield = await createShield(testApp, owner);
    const stream = await open(edge);
    const { version } = await stream.next("snapshot_end");
    await block(shield.id, "192.0.2.7");
    const delta = await stream.next("delta");
    expect(delta).toMatchObject({ since: version, removed: [] });
    expect(delta.version).toBeGreaterThan(version);
    expect(delta.shields.map(({ revision }) => revision)).toEqual([2]);
    expect(shieldConfig.parse(delta.shields[0]?.config).lists.blacklist).toEqual(["192.0.2.7"]);
  });

  test("a change made on another replica wakes the stream of this one", async () => {
    const shield = await createShield(testApp, owner);
    const stream = await open(edge);
    await stream.next("snapshot_end");
    await block(shield.id, "192.0.2.8", replica);
    expect((await stream.next("delta")).shields).toMatchObject([{ shield_id: shield.id }]);
  });

  test("after a gap, `since` brings each changed shield once, as it is now (a partition heals)", async () => {
    const [first, second, quiet] = await Promise.all([
      createShield(testApp, owner),
      createShield(testApp, owner),
      createShield(testApp, owner),
    ]);
    const before = await open(edge);
    const { version } = await before.next("snapshot_end");
    before.close();
    await until(() => before.ended());
    await block(first.id, "192.0.2.1");
    await block(second.id, "192.0.2.2");
    await block(first.id, "192.0.2.3");
    // The other replica serves it just as well.
    const after = await open(edge, await reachVersion(testApp, edge, version), replica);
    const delta = await after.next("delta");
    expect(delta.since).toBe(version);
    expect(delta.shields.map((record) => [record.shield_id, record.revision])).toEqual([
      [second.id, 2],
      [first.id, 3],
    ]);
    expect(JSON.stringify(delta)).not.toContain(quiet.id);
    expect(after.lines.some(({ kind }) => kind === "snapshot_start")).toBe(false);
  });

  test("a version the database never had is answered with a snapshot", async () => {
    const stream = await open(edge, await reachVersion(testApp, edge, 1_000_000));
    expect((await stream.next("snapshot_end")).version).toBeLessThan(1_000_000);
  });

  describe("deltas are for the node that was told the version, in this history", () => {
    async function kindsAfter(node: TestEdge, query: StreamQuery): Promise<string | undefined> {
      const stream = await open(node, query);
      await until(() => stream.lines.length > 0);
      return stream.lines[0]?.kind;
    }

    async function reached(node: TestEdge): Promise<number> {
      return (await (await open(node)).next("snapshot_end")).version;
    }

    test("an edge that goes on from it gets no snapshot", async () => {
      const query = await reachVersion(testApp, edge, await reached(edge));
      expect(await kindsAfter(edge, query)).toBe("heartbeat");
    });

    test("a node enrolled anew elsewhere, with the copy of the one it was, gets a snapshot", async () => {
      const query = await reachVersion(testApp, edge, await reached(edge));
      const moved = await enrolEdge(testApp, staff, { name: "moved", location: "stockholm" });
      await reachVersion(testApp, moved, query.since);
      expect(await kindsAfter(moved, query)).toBe("snapshot_start");
    });

    test("a node of before, which does not say, gets a snapshot", async () => {
      const { since } = await reachVersion(testApp, edge, await reached(edge));
      expect(await kindsAfter(edge, { since })).toBe("snapshot_start");
      expect(await kindsAfter(edge, { since, edge: edge.id })).toBe("snapshot_start");
    });

    test("a version this database has not heard the node runs is answered with a snapshot", async () => {
      const version = await reached(edge);
      const query = await reachVersion(testApp, edge, version - 1);
      expect(await kindsAfter(edge, { ...query, since: version })).toBe("snapshot_start");
      // The version in acknowledgements of a node that does not know the history yet means nothing.
      await reachVersion(testApp, edge, 0);
      expect(await kindsAfter(edge, { ...query, since: version - 1 })).not.toBe("snapshot_start");
    });

    test("a database restored from a backup ends the streams, and every node begins anew", async () => {
      const stream = await open(edge);
      const query = await reachVersion(testApp, edge, (await stream.next("snapshot_end")).version);
      await testApp.platform.db.transaction().execute((trx) => beginHistory(testApp.platform, trx));
      await until(() => stream.ended());
      expect(await kindsAfter(edge, query)).toBe("snapshot_start");
    });
  });

  test("deleted shields, and those that left the location, are removed; their new location gets them", async () => {
    const moving = await createShield(testApp, owner);
    const dying = await createShield(testApp, owner);
    const far = await createShield(testApp, owner, { location: "frankfurt" });
    const frankfurt = await enrolEdge(testApp, staff, { name: "f-2", location: "frankfurt" });
    const [here, there] = [await open(edge), await open(frankfurt)];
    const { version } = await here.next("snapshot_end");
    await there.next("snapshot_end");
    await rewrite(moving.id, { location: "frankfurt" });
    expect(await here.next("delta")).toMatchObject({ shields: [], removed: [moving.id] });
    expect((await there.next("delta")).shields).toMatchObject([{ shield_id: moving.id }]);
    await rewrite(dying.id, { deleted: true });
    expect(await here.next("delta")).toMatchObject({ shields: [], removed: [dying.id] });
    // A shield that was never on this edge is not named to it.
    await rewrite(far.id, { deleted: true });
    await there.next("delta");
    const late = await open(edge, await reachVersion(testApp, edge, version));
    expect((await late.next("delta")).removed.toSorted()).toEqual([moving.id, dying.id].toSorted());
    expect(JSON.stringify([...here.lines, ...late.lines])).not.toContain(far.id);
  });

  test("heartbeats follow at the position of the reader", async () => {
    const stream = await open(edge);
    const { version } = await stream.next("snapshot_end");
    expect((await stream.next("heartbeat")).version).toBe(version);
  });

  test("a change whose notification was lost arrives all the same", async () => {
    const shield = await createShield(testApp, owner);
    const stream = await open(edge);
    await stream.next("snapshot_end");
    await sql`
      with head as (update config_head set version = version + 1 returning version)
      update shield_configs set version = head.version from head where shield_id = ${shield.id}
    `.execute(testApp.platform.db);
    expect((await stream.next("delta")).shields).toMatchObject([{ shield_id: shield.id }]);
  });

  test("a snapshot of many pages is complete, and so is a delta", async () => {
    const { db } = testApp.platform;
    const template = await createShield(testApp, owner);
    const crowd = 1_234;
    await sql`
      with heads as (
        insert into shields (id, owner_id, server_name, status, pricing_plan_id, cname_record,
          location, revision, created_at)
        select gen_random_uuid(), owner_id, server_name, status, pricing_plan_id,
          'crowd-' || n || '.gs.localhost', 'kyiv', 1, created_at
        from shields, generate_series(1, ${crowd}) n where id = ${template.id}
        returning id, cname_record
      ), numbered as (
        select id, row_number() over (order by cname_record) as place from heads
      )
      insert into shield_configs (shield_id, schema, revision, version, locations, config,
        config_bytes)
      select numbered.id, schema, 1, 500000 + place, array['kyiv'], config, config_bytes
      from numbered, shield_configs where shield_id = ${template.id}
    `.execute(db);
    await sql`update config_head set version = 500000 + ${crowd}`.execute(db);
    const kyiv = await enrolEdge(testApp, staff, { name: "kyiv-1", location: "kyiv" });
    const snapshot = await open(kyiv);
    expect((await snapshot.next("snapshot_end")).count).toBe(crowd);
    const ids = snapshot.lines.flatMap((line) =>
      line.kind === "shield" ? [line.record.shield_id] : [],
    );
    expect(new Set(ids).size).toBe(crowd);
    const delta = await open(kyiv, await reachVersion(testApp, kyiv, 500_000));
    await until(
      () =>
        delta.lines.reduce(
          (n, line) => n + (line.kind === "delta" ? line.shields.length : 0),
          0,
        ) === crowd,
    );
    const deltas = delta.lines.filter((line) => line.kind === "delta");
    expect(deltas.length).toBeGreaterThan(1);
    // Each builds on the one before, so a reader cut off between two can go on from there.
    for (const [index, { since }] of deltas.entries()) {
      expect(since).toBe(deltas[index - 1]?.version ?? 500_000);
    }
  });

  test("an unsupported schema is 409; no credential, or a user's, is 401", async () => {
    expect((await open(edge, { schema: 99 })).status).toBe(409);
    expect((await open({ id: "", credential: "pse_nobody-at-all-here" })).status).toBe(401);
    expect((await open({ id: "", credential: owner.token })).status).toBe(401);
  });

  test("an expired credential ends the stream by its next heartbeat; one that was renewed goes on", async () => {
    const now = testApp.clock.now();
    const dayMs = 86_400_000;
    const away = await enrolEdge(testApp, staff, { name: "away" });
    const kept = await enrolEdge(testApp, staff, { name: "kept" });
    const streams = [await open(away), await open(kept)] as const;
    for (const stream of streams) await stream.next("snapshot_end");
    testApp.clock.advance(60 * dayMs);
    const renewed = routes.edge.renewCredential.response.parse(
      (await call(testApp, routes.edge.renewCredential, { token: kept.credential })).json(),
    );
    const acks = { token: renewed.credential, body: { version: 0, acks: [] } };
    expect((await call(testApp, routes.edge.acks, acks)).statusCode).toBe(200);
    testApp.clock.advance(30 * dayMs);
    owner = await createUser(testApp);
    const late = await createShield(testApp, owner);
    await until(() => streams[0].ended(), { what: "the end of the expired stream" });
    expect(JSON.stringify(streams[0].lines)).not.toContain(late.id);
    await until(() => JSON.stringify(streams[1].lines).includes(late.id));
    expect(streams[1].ended()).toBe(false);
    testApp.clock.set(now);
  });

  test("revoking ends the stream at once, on another replica too, and refuses the next one", async () => {
    const doomed = await enrolEdge(testApp, staff, { name: "doomed" });
    const stream = await open(doomed, {}, replica);
    await stream.next("snapshot_end");
    await revokeEdge(testApp, staff, doomed);
    await until(() => stream.ended());
    expect((await open(doomed)).status).toBe(401);
  });

  test("shutting the api down ends its streams", async () => {
    const leaving = await createTestApp({ sharing: testApp });
    const stream = await open(edge, {}, leaving);
    await stream.next("snapshot_end");
    await leaving.close();
    await until(() => stream.ended());
  });
});

describe("the stream of zone DNS", () => {
  test("names every label with its location, and the edges with their addresses and health", async () => {
    const dns = await enrolEdge(testApp, staff, { name: "zone-1", kind: "dns", addresses: [] });
    const here = await createShield(testApp, owner);
    const there = await createShield(testApp, owner, { location: "frankfurt" });
    const stream = await open(dns);
    await stream.next("snapshot_end");
    const records = stream.lines.flatMap((line) =>
      line.kind === "shield" ? [zoneRecord.parse(line.record.config)] : [],
    );
    for (const [shield, location] of [
      [here, "local"],
      [there, "frankfurt"],
    ] as const) {
      expect(records.find(({ shield_id }) => shield_id === shield.id)).toMatchObject({
        label: shield.cname_record,
        location,
      });
    }
    const zone = zoneEdges.parse((await stream.next("zone")).zone);
    expect(zone).toMatchObject({ zone: "gs.localhost", ttl_seconds: 30 });
    expect(zone.edges.find(({ id }) => id === edge.id)).toEqual({
      id: edge.id,
      location: "local",
      addresses: ["127.0.0.1"],
      healthy: true,
      drained: false,
    });
    expect(zone.edges.some(({ id }) => id === dns.id)).toBe(false);
  });

  test("follows edges that come and go", async () => {
    const dns = await enrolEdge(testApp, staff, { name: "zone-2", kind: "dns" });
    const stream = await open(dns);
    await stream.next("zone");
    const fresh = await enrolEdge(testApp, staff, { name: "fresh", addresses: ["2001:db8::7"] });
    const idsOf = (line: { readonly zone: unknown }) =>
      zoneEdges.parse(line.zone).edges.map(({ id }) => id);
    expect(idsOf(await stream.next("zone"))).toContain(fresh.id);
    await revokeEdge(testApp, staff, fresh);
    expect(idsOf(await stream.next("zone"))).not.toContain(fresh.id);
  });

  test("a deleted shield is removed for every zone server", async () => {
    const dns = await enrolEdge(testApp, staff, { name: "zone-3", kind: "dns" });
    const shield = await createShield(testApp, owner);
    const stream = await open(dns);
    await stream.next("snapshot_end");
    await rewrite(shield.id, { deleted: true });
    expect((await stream.next("delta")).removed).toEqual([shield.id]);
  });
});
