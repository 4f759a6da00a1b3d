import { configSchemaVersion } from "@palisade/contract/edge/shield-config";
import type { RouteDefinition } from "@palisade/contract/http/route";
import { routes } from "@palisade/contract/http/routes";
import { startFakeZone, type FakeZone } from "@palisade/testing/fake-zone";
import { expect } from "vitest";
import { createTestApp, type TestApp } from "./test-app.ts";
import { alias } from "./test-doctor.ts";
import { createShield, enrolEdge, planIdOf, type PlanSlug } from "./test-shields.ts";
import { call, createStaff, type CallOptions, type TestUser } from "./test-users.ts";

const { addDomain, checkShieldDomain, listDomains, removeDomain, restoreDomain } =
  routes.shieldDomains;

let serial = 0;
export const freshDomain = (): string => `own${++serial}.example.test`;

export interface DomainFixture {
  readonly testApp: TestApp;
  /** The answers of the app's resolver. */
  readonly zone: FakeZone;
}

/** As in production: only proven domains are routed. */
export async function createDomainFixture(): Promise<DomainFixture> {
  const zone = await startFakeZone();
  const testApp = await createTestApp({
    config: { development: false, dnsResolvers: [zone.address] },
  });
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
  return { testApp, zone };
}

/** Calls about a shield's domains, on the present fixture. */
export function domainCalls(fixture: () => DomainFixture) {
  /** A shield on a plan with room, without any domain. */
  async function shieldOf(user: TestUser, plan: PlanSlug = "plus") {
    const { testApp } = fixture();
    const { db } = testApp.platform;
    const changes = { real_ip: "93.184.216.34", domain: freshDomain() };
    const { id, cname_record: cname } = await createShield(testApp, user, changes);
    const pricing_plan_id = await planIdOf(testApp, plan);
    await db.updateTable("shields").set({ pricing_plan_id }).where("id", "=", id).execute();
    await db.deleteFrom("shield_domains").where("shield_id", "=", id).execute();
    return { id, cname };
  }

  const as = (user: TestUser, route: RouteDefinition, asked: CallOptions) =>
    call(fixture().testApp, route, { token: user.token, ...asked });

  const tryAdd = (user: TestUser, id: string, domain: string, headers = {}) =>
    as(user, addDomain, { params: { id }, body: { domain }, headers });

  async function add(user: TestUser, id: string, domain: string) {
    const answer = await tryAdd(user, id, domain);
    expect(answer.statusCode, answer.body).toBe(201);
    return addDomain.response.parse(answer.json());
  }

  async function check(user: TestUser, id: string, domainId: string) {
    const answer = await as(user, checkShieldDomain, { params: { id, domainId } });
    expect(answer.statusCode, answer.body).toBe(200);
    return checkShieldDomain.response.parse(answer.json());
  }

  /** Added, its record made, looked at. */
  async function addProven(user: TestUser, shield: { id: string; cname: string }, name: string) {
    const { zone } = fixture();
    const { domain } = await add(user, shield.id, name);
    zone.records = [
      ...zone.records.filter((each) => each.name !== name),
      alias(name, shield.cname),
    ];
    expect((await check(user, shield.id, domain.id)).domain.status).toBe("setup_finished");
    return domain;
  }

  async function list(user: TestUser, id: string) {
    return listDomains.response.parse((await as(user, listDomains, { params: { id } })).json());
  }

  const remove = (user: TestUser, id: string, domainId: string) =>
    as(user, removeDomain, { params: { id, domainId } });
  const restore = (user: TestUser, id: string, domainId: string) =>
    as(user, restoreDomain, { params: { id, domainId } });

  /** Names as edges have them. */
  async function routed(shieldId: string): Promise<{ name: string; group_id: string | null }[]> {
    const { db } = fixture().testApp.platform;
    const { config } = await db
      .selectFrom("shield_configs")
      .where("schema", "=", configSchemaVersion)
      .select("config")
      .where("shield_id", "=", shieldId)
      .executeTakeFirstOrThrow();
    return JSON.parse(config).domains;
  }
  const namesOf = async (shieldId: string) => (await routed(shieldId)).map(({ name }) => name);

  return { shieldOf, as, tryAdd, add, check, addProven, list, remove, restore, routed, namesOf };
}
