import { configSchemaVersion } from "@palisade/contract/edge/shield-config";
import { startFakeZone, type FakeZone } from "@palisade/testing/fake-zone";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { deriveKeys } from "#src/platform/security/derived-key.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createShield, enrolEdge } from "#src/test-support/test-shields.ts";
import { createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";
import { createDnsLookup } from "./dns-lookup.ts";
import { proofOf } from "./domain-proof.ts";
import { domainChecks, domainExpiry, type DomainJobsDeps } from "./domains.jobs.ts";
import { claimLifeMs } from "./domains.service.ts";

let testApp: TestApp;
let zone: FakeZone;
let owner: TestUser;
let deps: DomainJobsDeps;

beforeAll(async () => {
  zone = await startFakeZone();
  testApp = await createTestApp();
  const { platform } = testApp;
  // The tests say when: the schedule's own runs would look in between.
  await sql`delete from jobs.schedule`.execute(platform.db);
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
  owner = await createUser(testApp);
  const { db, clock, bus, failpoint, config, log } = platform;
  deps = {
    db,
    clock,
    log,
    zone: config.zone,
    anyName: true,
    proofKeys: deriveKeys(config, "domain proof"),
    javaPort: () => 25_565,
    writes: createShieldWrites({
      clock: testApp.clock,
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
beforeEach(() => {
  zone.records = [];
  zone.faults = {};
});

let serial = 0;

/** A shield whose owner pressed Skip. */
async function createSkipped(user = owner, domain = `skip${++serial}.example.test`) {
  const { id, cname_record } = await createShield(testApp, user, { domain });
  return { id, cname: cname_record, domain };
}

const look = () => domainChecks(deps).run({});
const expire = () => domainExpiry(deps).run({});

async function stateOf(shieldId: string) {
  const { db } = testApp.platform;
  const claim = await db
    .selectFrom("shield_domains")
    .select(["verified_at", "expired_at"])
    .where("shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
  const stored = await db
    .selectFrom("shield_configs")
    .where("schema", "=", configSchemaVersion)
    .select(["config", "revision"])
    .where("shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
  const { domains, label } = JSON.parse(stored.config);
  return { ...claim, revision: stored.revision, domains, label };
}

function questionsAbout(domain: string): number {
  return zone.asked.filter(({ name, type }) => name === domain && type === "A").length;
}

describe("a skipped domain", () => {
  test("turns proven once its record is there, as a new revision, without anybody's doing", async () => {
    const shield = await createSkipped();
    await look();
    expect(await stateOf(shield.id)).toMatchObject({ verified_at: null, revision: 1 });
    zone.records = [{ type: "CNAME", name: shield.domain, value: shield.cname }];
    testApp.clock.advance(60_000);
    await look();
    expect(await stateOf(shield.id)).toMatchObject({
      verified_at: testApp.clock.now(),
      revision: 2,
      domains: [{ name: shield.domain, proven: true }],
    });
    testApp.clock.advance(86_400_000);
    const before = questionsAbout(shield.domain);
    await look();
    expect(questionsAbout(shield.domain)).toBe(before);
  });

  test("is looked at after growing pauses, an hour at most; a failing resolver changes nothing", async () => {
    const shield = await createSkipped();
    zone.faults = { "*": "servfail" };
    const asked: number[] = [];
    for (let minute = 0; minute < 300; minute += 1) {
      const before = questionsAbout(shield.domain);
      await look();
      if (questionsAbout(shield.domain) > before) asked.push(minute);
      testApp.clock.advance(60_000);
    }
    expect(asked).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
    expect(await stateOf(shield.id)).toMatchObject({ verified_at: null, revision: 1 });
  });

  test("two workers do not look at the same one", async () => {
    const shields = await Promise.all([createSkipped(), createSkipped(), createSkipped()]);
    await Promise.all([look(), look(), look()]);
    expect(shields.map(({ domain }) => questionsAbout(domain))).toEqual([1, 1, 1]);
  });

  test("stays where another's proof still holds", async () => {
    const rival = await createUser(testApp);
    const shield = await createSkipped();
    zone.records = [{ type: "CNAME", name: shield.domain, value: shield.cname }];
    await look();
    const late = await createShieldOfProven(rival, shield.domain);
    const { txt } = proofOf(deps.proofKeys, shield.domain, late.cname);
    zone.records = [
      ...zone.records,
      { type: "TXT", name: `_palisade.${shield.domain}`, value: txt },
    ];
    await look();
    expect((await stateOf(late.id)).verified_at).toBeNull();
    // The first one's record goes, and with it the reason.
    zone.records = zone.records.slice(1);
    testApp.clock.advance(3_600_000);
    await look();
    expect((await stateOf(late.id)).domains).toMatchObject([{ proven: true }]);
    expect(await stateOf(shield.id)).toMatchObject({ verified_at: null, domains: [] });
  });

  test("does not swing between two shields of one owner that both prove it", async () => {
    const first = await createSkipped();
    const second = await createSkipped(owner, first.domain);
    zone.records = [first, second].map(({ cname }) => ({
      type: "TXT",
      name: `_palisade.${first.domain}`,
      value: proofOf(deps.proofKeys, first.domain, cname).txt,
    }));
    await look();
    const before = await Promise.all([stateOf(first.id), stateOf(second.id)]);
    expect(before.filter(({ verified_at }) => verified_at !== null)).toHaveLength(1);
    testApp.clock.advance(3_600_000);
    await look();
    expect(await Promise.all([stateOf(first.id), stateOf(second.id)])).toEqual(before);
  });
});

/** A claim made before the domain was proven by another account: afterwards it would be refused. */
async function createShieldOfProven(user: TestUser, domain: string) {
  const { id, cname_record } = await createShield(testApp, user);
  await testApp.platform.db
    .updateTable("shield_domains")
    .set({ name: domain })
    .where("shield_id", "=", id)
    .execute();
  return { id, cname: cname_record };
}

/** Nothing can be committed for this shield: its settings do not compile, say. */
function poisonedBy(shieldId: string): DomainJobsDeps {
  const { writes } = deps;
  return {
    ...deps,
    writes: {
      ...writes,
      commit: (trx, id) =>
        id === shieldId ? Promise.reject(new Error("poisoned")) : writes.commit(trx, id),
    },
  };
}

describe("a claim that cannot be dealt with", () => {
  test("keeps no other from being proven, also in later rounds", async () => {
    const bad = await createSkipped();
    // More than are looked at at once, so that some come in a round after the bad one's.
    const others = [];
    for (let n = 0; n < 21; n += 1) others.push(await createSkipped(await createUser(testApp)));
    zone.records = [bad, ...others].map(({ domain, cname }) => ({
      type: "CNAME",
      name: domain,
      value: cname,
    }));
    await domainChecks(poisonedBy(bad.id)).run({});
    expect((await stateOf(bad.id)).verified_at).toBeNull();
    for (const { id } of others) expect((await stateOf(id)).verified_at).not.toBeNull();
  });

  test("keeps no other from ending", async () => {
    const bad = await createSkipped();
    testApp.clock.advance(1_000);
    const other = await createSkipped();
    testApp.clock.advance(claimLifeMs);
    await domainExpiry(poisonedBy(bad.id)).run({});
    expect((await stateOf(bad.id)).expired_at).toBeNull();
    expect((await stateOf(other.id)).expired_at).not.toBeNull();
  });
});

describe("an unproven claim", () => {
  test("ends after 7 days: neither routed nor looked at, and the label stays", async () => {
    const shield = await createSkipped();
    testApp.clock.advance(claimLifeMs - 1);
    await expire();
    expect((await stateOf(shield.id)).expired_at).toBeNull();
    // Routed so far: development routes unproven domains.
    expect((await stateOf(shield.id)).domains).toHaveLength(1);
    testApp.clock.advance(1);
    await expire();
    const ended = await stateOf(shield.id);
    expect(ended).toMatchObject({ revision: 2, domains: [], label: shield.cname });
    expect(ended.expired_at).toEqual(testApp.clock.now());
    zone.records = [{ type: "CNAME", name: shield.domain, value: shield.cname }];
    await look();
    await expire();
    expect(await stateOf(shield.id)).toEqual(ended);
    expect(questionsAbout(shield.domain)).toBe(0);
  });

  test("that lost its proof has its 7 days from then on, and is looked at again at once", async () => {
    const shield = await createSkipped();
    zone.records = [{ type: "CNAME", name: shield.domain, value: shield.cname }];
    testApp.clock.advance(3_600_000);
    await look();
    testApp.clock.advance(claimLifeMs * 2);
    // It points to the owner's next shield for a while.
    const next = await createShieldOfProven(owner, shield.domain);
    zone.records = [{ type: "CNAME", name: shield.domain, value: next.cname }];
    await look();
    expect((await stateOf(next.id)).verified_at).not.toBeNull();
    await expire();
    expect(await stateOf(shield.id)).toMatchObject({ verified_at: null, expired_at: null });
    const before = questionsAbout(shield.domain);
    testApp.clock.advance(60_000);
    await look();
    expect(questionsAbout(shield.domain)).toBe(before + 1);
    testApp.clock.advance(claimLifeMs - 60_000 - 1);
    await expire();
    expect((await stateOf(shield.id)).expired_at).toBeNull();
    testApp.clock.advance(1);
    await expire();
    expect((await stateOf(shield.id)).expired_at).toEqual(testApp.clock.now());
  });

  test("that was proven does not end", async () => {
    const shield = await createSkipped();
    zone.records = [{ type: "CNAME", name: shield.domain, value: shield.cname }];
    await look();
    testApp.clock.advance(claimLifeMs * 2);
    await expire();
    expect(await stateOf(shield.id)).toMatchObject({
      expired_at: null,
      domains: [{ proven: true }],
    });
  });
});
