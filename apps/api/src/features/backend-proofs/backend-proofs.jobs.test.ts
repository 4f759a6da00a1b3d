import { configSchemaVersion, shieldConfig } from "@palisade/contract/edge/shield-config";
import type { Server } from "@palisade/contract/http/servers";
import { startFakeZone, type FakeZone } from "@palisade/testing/fake-zone";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { createDnsLookup } from "#src/features/domains/dns-lookup.ts";
import { deriveKeys } from "#src/platform/security/derived-key.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createShield, enrolEdge } from "#src/test-support/test-shields.ts";
import { createStaff, createUser } from "#src/test-support/test-users.ts";
import { proofChecks, type ProofJobsDeps } from "./backend-proofs.jobs.ts";
import { proofTokenOf } from "./backend-proofs.service.ts";

const address = "203.0.113.7";
const pointer = {
  type: "PTR",
  name: "7.113.0.203.in-addr.arpa",
  value: "mc.hoster.example",
} as const;

let testApp: TestApp;
let zone: FakeZone;
let deps: ProofJobsDeps;
let shield: Server;

beforeAll(async () => {
  zone = await startFakeZone();
  testApp = await createTestApp();
  const { db, clock, bus, failpoint, config, log } = testApp.platform;
  // The test says when: the schedule's own runs would look in between.
  await sql`delete from jobs.schedule`.execute(db);
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
  deps = {
    db,
    clock,
    log,
    proofKeys: deriveKeys(config, "backend proof"),
    // No edge hears anything.
    probes: { ask: () => Promise.resolve(null) },
    writes: createShieldWrites({
      clock,
      bus,
      failpoint,
      allowUnproven: false,
      cookieSecret: Buffer.alloc(32),
    }),
    lookup: createDnsLookup({
      resolvers: [zone.address],
      zone: config.zone,
      zoneServer: () => undefined,
      tellsPrivate: true,
      timeoutMs: 5_000,
      deadlineMs: 30_000,
      limits: { perKind: { wizard: 100, doctor: 100, job: 100 }, perUser: 100, waitingPerUser: 0 },
    }),
  };
});
afterAll(async () => {
  await testApp.close();
  await zone.close();
});
beforeEach(async () => {
  shield = await createShield(testApp, await createUser(testApp));
  zone.records = [];
  await sql`
    update backends set host = ${address} where group_id in
      (select id from backend_groups where shield_id = ${shield.id})
  `.execute(testApp.platform.db);
});

const look = () => proofChecks(deps).run({});

function proveByRecord(): void {
  const value = proofTokenOf(deps.proofKeys, shield.id);
  zone.records = [pointer, { type: "TXT", name: `_palisade.${pointer.value}`, value }];
}

/** As edges have the shield's backend. */
async function isProven(): Promise<boolean | undefined> {
  const { config } = await testApp.platform.db
    .selectFrom("shield_configs")
    .select("config")
    .where("shield_id", "=", shield.id)
    .where("schema", "=", configSchemaVersion)
    .executeTakeFirstOrThrow();
  return shieldConfig.parse(JSON.parse(config)).groups[0]?.backends[0]?.proven;
}

test("an owner's record is found without a call, and edges are told", async () => {
  proveByRecord();
  await look();
  expect(await isProven()).toBe(true);
});

test("a backend without a proof is looked at again after pauses that grow to an hour", async () => {
  const pauses: number[] = [];
  for (let turn = 0; turn < 8; turn += 1) {
    await look();
    const now = testApp.clock.now().getTime();
    const { rows } = await sql<{ at: Date }>`
      select proof_check_at as at from backends where group_id in
        (select id from backend_groups where shield_id = ${shield.id})
    `.execute(testApp.platform.db);
    const pauseMs = (rows[0]?.at.getTime() ?? 0) - now;
    pauses.push(pauseMs / 60_000);
    testApp.clock.advance(pauseMs);
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  expect(await isProven()).toBe(false);
});

test("a record that comes between two looks counts at the second, and one of another shield never", async () => {
  const other = await createShield(testApp, await createUser(testApp));
  const value = proofTokenOf(deps.proofKeys, other.id);
  zone.records = [pointer, { type: "TXT", name: `_palisade.${pointer.value}`, value }];
  await look();
  expect(await isProven()).toBe(false);
  proveByRecord();
  await look();
  expect(await isProven()).toBe(false);
  testApp.clock.advance(60_000);
  await look();
  expect(await isProven()).toBe(true);
});
