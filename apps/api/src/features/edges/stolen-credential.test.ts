import { randomUUID } from "node:crypto";
import { configSchemaVersion, shieldConfig } from "@palisade/contract/edge/shield-config";
import type { TelemetryReport } from "@palisade/contract/edge/telemetry";
import { routes } from "@palisade/contract/http/routes";
import type { Server } from "@palisade/contract/http/servers";
import { sampleFavicon } from "@palisade/testing/sample-favicon";
import { until } from "@palisade/testing/until";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rollBack } from "#src/features/configuration/rollback.service.ts";
import { loginEntry } from "#src/test-support/login-entry.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  createShield,
  enrolEdge,
  revokeEdge,
  type TestEdge,
} from "#src/test-support/test-shields.ts";
import { openTestStream } from "#src/test-support/test-stream.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
let staff: TestUser;
let stolen: TestEdge;
/** A shield of the stolen credential's region, and one of another. */
let near: Server;
let far: Server;

beforeAll(async () => {
  testApp = await createTestApp();
  testApp.clock.set(new Date());
  staff = await createStaff(testApp);
  await enrolEdge(testApp, staff, { name: "honest" });
  stolen = await enrolEdge(testApp, staff, { name: "stolen", location: "frankfurt" });
  const owner = await createUser(testApp);
  const here = { location: "frankfurt", domain: "near.example.com" };
  near = await createShield(testApp, owner, here);
  far = await createShield(testApp, await createUser(testApp), { domain: "far.example.com" });
});
afterAll(() => testApp?.close());

async function lieOf(shields: readonly Server[]): Promise<TelemetryReport> {
  const at = testApp.clock.now().toISOString();
  const backends = await testApp.platform.db
    .selectFrom("backends")
    .innerJoin("backend_groups", "backend_groups.id", "backends.group_id")
    .select(["shield_id", "backends.id as backend_id"])
    .execute();
  await testApp.platform.db.updateTable("backends").set({ bedrock_port: 19_132 }).execute();
  const health = { state: "down", players: 0, latency_ms: null, changed_at: at } as const;
  const counts = { joins: 9, pings: 9, bytes_up: 9, bytes_down: 9, player_seconds: 9 };
  const more = { players_max: 9, status_hits: 0, challenged: 0, verified: 0 };
  const refused = { vpn: 9 };
  return {
    boot_id: randomUUID(),
    seq: 1,
    minutes: shields.map(({ id }) => ({
      shield_id: id,
      minute: at,
      ...counts,
      ...more,
      refused,
      shadowed: refused,
    })),
    live: shields.map(({ id }) => ({
      shield_id: id,
      players: 9,
      connections_per_second: 9,
      bandwidth_bps: 9,
    })),
    backends: backends.map((backend) => ({
      ...backend,
      ...health,
      last_error: "refused",
      expects_proxy: false,
      answered_at: null,
      bedrock: { ...health, port: 19_132, last_error: null },
    })),
    favicons: backends.map((backend) => ({ ...backend, favicon: sampleFavicon() })),
    attacks: shields.map(({ id }) => ({
      id: randomUUID(),
      shield_id: id,
      started_at: at,
      ended_at: null,
      peak_per_second: 9,
      sources: 9,
      refused,
      relaxed_to: null,
    })),
    logins: shields.map(({ id }) => loginEntry({ at, shield_id: id, verdict: "vpn" })),
  };
}

const stored = (shield: Server) =>
  testApp.platform.db
    .selectFrom("shield_configs")
    .select(["config", "revision"])
    .where("shield_id", "=", shield.id)
    .where("schema", "=", configSchemaVersion)
    .executeTakeFirstOrThrow();

const revisionOf = async (shield: Server) => (await stored(shield)).revision;

async function keyOf(shield: Server): Promise<string> {
  const { mitigation } = shieldConfig.parse(JSON.parse((await stored(shield)).config));
  return mitigation.cookie_key ?? "";
}

/** Every place where an edge's word on a shield ends up. */
const told = ["telemetry_minutes", "live_gauges", "attacks", "login_entries", "edge_acks"] as const;

describe("a stolen credential of an edge", () => {
  test("hears and speaks of its own region only", async () => {
    const stream = await openTestStream(testApp, stolen);
    await stream.next("snapshot_end");
    expect(
      stream.lines.flatMap((line) => (line.kind === "shield" ? [line.record.shield_id] : [])),
    ).toEqual([near.id]);
    stream.close();
    const token = stolen.credential;
    const body = await lieOf([near, far]);
    expect((await call(testApp, routes.edge.telemetry, { token, body })).statusCode).toBe(200);
    const acks = [near, far].map(({ id }) => ({
      shield_id: id,
      revision: 1,
      outcome: "rejected" as const,
    }));
    await call(testApp, routes.edge.acks, { token, body: { version: 1, acks } });
    for (const table of told) {
      const { rows } = await sql<{ shield_id: string }>`
        select distinct shield_id from ${sql.table(table)}
      `.execute(testApp.platform.db);
      expect([table, rows]).toEqual([table, [{ shield_id: near.id }]]);
    }
    for (const table of ["backend_health", "bedrock_health", "backend_favicons"]) {
      const { rows } = await sql<{ shield_id: string }>`
        select shield_id from ${sql.table(table)}
        join backends on backends.id = backend_id
        join backend_groups on backend_groups.id = backends.group_id
      `.execute(testApp.platform.db);
      expect([table, rows]).toEqual([table, [{ shield_id: near.id }]]);
    }
  });

  test("tells no key for players' cookies that holds once it is revoked, at no revision", async () => {
    const next = await enrolEdge(testApp, staff, { name: "stolen-again", location: "frankfurt" });
    const [known, elsewhere] = [await keyOf(near), await keyOf(far)];
    const stream = await openTestStream(testApp, next, { schema: 7 });
    await stream.next("snapshot_end");
    expect(JSON.stringify(stream.lines)).toContain(known);
    const before = await revisionOf(near);
    await revokeEdge(testApp, staff, next);
    expect(await keyOf(near)).not.toBe(known);
    expect([await keyOf(far), await revisionOf(near)]).toEqual([elsewhere, before + 1]);
    // Nor does support bring it back.
    const renewed = await keyOf(near);
    const { db, bus, audit } = testApp.platform;
    const label = near.cname_record;
    const request = { label, revision: before, now: testApp.clock.now() };
    const compiling = { bus, allowUnproven: true, cookieSecret: Buffer.alloc(32) };
    const deps = { ...compiling, db, audit, zone: "" };
    expect(await rollBack(deps, request)).toMatchObject({ kind: "published" });
    expect([known, renewed]).not.toContain(await keyOf(near));
  });

  test("opens nothing but an edge's calls, and once revoked none of these", async () => {
    const token = stolen.credential;
    const stream = await openTestStream(testApp, stolen);
    await stream.next("snapshot_end");
    for (const route of [routes.servers.listServers, routes.staffEdges.listEdges]) {
      expect((await call(testApp, route, { token })).statusCode).toBe(401);
    }
    await revokeEdge(testApp, staff, stolen);
    await until(() => stream.ended());
    const calls = Object.values(routes.edge).filter(({ access }) => access === "edge");
    expect(calls).toHaveLength(5);
    for (const route of calls) {
      const answer = await call(testApp, route, { token, body: {} });
      expect([route.id, answer.statusCode]).toEqual([route.id, 401]);
    }
  });
});
