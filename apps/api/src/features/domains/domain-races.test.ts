import { configSchemaVersion } from "@palisade/contract/edge/shield-config";
import { routes } from "@palisade/contract/http/routes";
import { startFakeZone, type FakeZone } from "@palisade/testing/fake-zone";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  createShield,
  enrolEdge,
  reserveCname,
  shieldBody,
} from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";

let one: TestApp;
let two: TestApp;
let zone: FakeZone;
let users: TestUser[];

const publicBackend = { real_ip: "93.184.216.34" };
const domain = "contested.example.test";
const rounds = 3;

beforeAll(async () => {
  zone = await startFakeZone();
  const config = { development: false, dnsResolvers: [zone.address] };
  one = await createTestApp({ config });
  two = await createTestApp({ config, sharing: one });
  await enrolEdge(one, await createStaff(one), { name: "one" });
  users = [await createUser(one), await createUser(one)];
});
afterAll(async () => {
  await two.close();
  await one.close();
  await zone.close();
});

/** A shield with an unproven claim of the domain, also where it could not be made any more. */
async function createClaimant(user: TestUser): Promise<string> {
  const changes = { ...publicBackend, domain: "other.example.test" };
  const { id, cname_record } = await createShield(one, user, changes);
  await one.platform.db
    .updateTable("shield_domains")
    .set({ name: domain })
    .where("shield_id", "=", id)
    .execute();
  return cname_record;
}

/** All calls that both users can make about the domain, over either process, at once. */
async function storm(): Promise<number[]> {
  const shields = await Promise.all(
    users.map(async (user) => ({ user, label: await createClaimant(user) })),
  );
  const fresh = await Promise.all(
    users.map(async (user) => ({ user, label: await reserveCname(one, user) })),
  );
  const labels = [...shields, ...fresh];
  const check = (testApp: TestApp, { user, label }: { user: TestUser; label: string }) =>
    call(testApp, routes.domains.checkCname, {
      token: user.token,
      body: { domain, cname_record: label },
    });
  const create = async (testApp: TestApp, { user, label }: { user: TestUser; label: string }) =>
    call(testApp, routes.servers.createServer, {
      token: user.token,
      body: { ...(await shieldBody(testApp, user)), ...publicBackend, domain, cname_record: label },
    });
  const answers = [];
  // Each in turn is the one DNS points at, while all of them ask.
  for (const { label } of labels) {
    zone.records = [{ type: "CNAME", name: domain, value: label }];
    answers.push(
      ...(await Promise.all([
        ...labels.flatMap((who) => [check(one, who), check(two, who)]),
        ...fresh.map((who) => create(two, who)),
        one.platform.db
          .transaction()
          .execute((trx) => one.platform.jobs.send(trx, "domains.check", {}))
          .then(() => ({ statusCode: 200 })),
      ])),
    );
    one.clock.advance(3_600_000);
  }
  return answers.map(({ statusCode }) => statusCode);
}

test("checks, purchases and repeated lookups at once: no call waits for ever, and one proof is kept", async () => {
  for (let round = 0; round < rounds; round += 1) {
    const statuses = new Set(await storm());
    for (const status of statuses) expect([200, 201, 422]).toContain(status);
    const claims = await one.platform.db
      .selectFrom("shield_domains")
      .innerJoin("shield_configs", "shield_configs.shield_id", "shield_domains.shield_id")
      .select(["shield_domains.verified_at", "shield_configs.config"])
      .where("shield_domains.name", "=", domain)
      .where("shield_configs.schema", "=", configSchemaVersion)
      .execute();
    expect(claims.filter(({ verified_at }) => verified_at !== null)).toHaveLength(1);
    // Edges were given what the tables say.
    for (const { verified_at, config } of claims) {
      const names = JSON.parse(config).domains.map(({ name }: { name: string }) => name);
      expect(names.includes(domain)).toBe(verified_at !== null);
    }
  }
});

const { addDomain, checkShieldDomain, removeDomain, restoreDomain } = routes.shieldDomains;

test("undo, deletion and another account's proof at once, in two processes: edges have what the tables say", async () => {
  const name = "undone.example.test";
  const shields = await Promise.all(
    users.map(async (user, at) => {
      const changes = { ...publicBackend, domain: `first${at}.example.test` };
      const { id, cname_record: label } = await createShield(one, user, changes);
      const { db } = one.platform;
      await db.deleteFrom("shield_domains").where("shield_id", "=", id).execute();
      const params = { id };
      const added = await call(one, addDomain, {
        token: user.token,
        params,
        body: { domain: name },
      });
      const { domain } = addDomain.response.parse(added.json());
      return { user, label, params: { id, domainId: domain.id } };
    }),
  );
  for (let round = 0; round < 2 * rounds; round += 1) {
    zone.records = [{ type: "CNAME", name, value: shields[round % 2]?.label ?? "" }];
    const answers = await Promise.all(
      shields.flatMap(({ user: { token }, params }) => [
        call(one, checkShieldDomain, { token, params }),
        call(two, removeDomain, { token, params }),
        call(one, restoreDomain, { token, params }),
        call(two, checkShieldDomain, { token, params }),
        call(two, restoreDomain, { token, params }),
      ]),
    );
    for (const { statusCode } of answers) expect([200, 404, 422]).toContain(statusCode);
    const claims = await one.platform.db
      .selectFrom("shield_domains")
      .innerJoin("shield_configs", "shield_configs.shield_id", "shield_domains.shield_id")
      .select(["verified_at", "removed_at", "config"])
      .where("shield_domains.name", "=", name)
      .where("shield_configs.schema", "=", configSchemaVersion)
      .execute();
    expect(claims.filter(({ verified_at }) => verified_at !== null).length).toBeLessThan(2);
    for (const { verified_at, removed_at, config } of claims) {
      const names = JSON.parse(config).domains.map((each: { name: string }) => each.name);
      expect(names.includes(name)).toBe(verified_at !== null && removed_at === null);
    }
    // The limits of the calls begin anew.
    one.clock.advance(60_000);
  }
});
