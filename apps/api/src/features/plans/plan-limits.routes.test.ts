import { configSchemaVersion, shieldConfig } from "@palisade/contract/edge/shield-config";
import type { RouteDefinition } from "@palisade/contract/http/route";
import { routes } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { freshDomain } from "#src/test-support/test-domains.ts";
import { giveMoney } from "#src/test-support/test-money.ts";
import { createShield, enrolEdge, planIdOf, shieldBody } from "#src/test-support/test-shields.ts";
import {
  call,
  createStaff,
  createUser,
  expectStatus,
  proveAnew,
  type TestUser,
} from "#src/test-support/test-users.ts";

/** Every way in which a shield might get more than its plan has. */

let testApp: TestApp;
let owner: TestUser;
let shieldId: string;
let removedDomain: string;
/** A version of the settings that uses all of the plan Pro. */
let richVersion: string;
let serial = 0;

beforeAll(async () => {
  testApp = await createTestApp();
  const staff = await createStaff(testApp);
  await enrolEdge(testApp, staff, { name: "one" });
  await enrolEdge(testApp, staff, { name: "two", location: "kyiv" });
  await sql`
    insert into pricing_plans (id, slug, name, description, price_cents, features, limits, position)
    select gen_random_uuid(), 'plain', 'Plain', '', 0, '[]',
      limits || '{"customization": false}', 9 from pricing_plans where slug = 'free'
  `.execute(testApp.platform.db);
});
afterAll(() => testApp?.close());

/** A shield that uses Pro in every way, and is on the plan Plain by now. */
beforeEach(async () => {
  owner = await createUser(testApp);
  await giveMoney(testApp, owner, 20_000);
  const body = { pricing_plan_id: await planIdOf(testApp, "pro"), domain: freshDomain() };
  ({ id: shieldId } = await createShield(testApp, owner, body));
  const { domain } = await does(routes.shieldDomains.addDomain, {
    body: { domain: freshDomain() },
  });
  removedDomain = domain.id;
  await does(routes.backends.createBackendGroup, { body: { name: "Lobby", region: "kyiv" } });
  await does(routes.mitigation.updateMitigation, {
    body: { antibot_level: "extreme", anti_vpn: true },
  });
  await does(routes.caching.updateCaching, { body: { caching_enabled: true } });
  await does(routes.serverMessages.updateServerMessages, {
    body: { offline: { motd_line1: "Ours" } },
  });
  const history = await does(routes.history.listHistory);
  richVersion = history.data[0].id;
  await does(routes.shieldDomains.removeDomain, { params: { domainId: removedDomain } });
  const { backends } = await does(routes.backends.getBackends);
  const lobby = backends.find(({ name }: { name: string }) => name === "Lobby");
  await does(routes.backends.deleteBackendGroup, { params: { backendId: lobby.id } });
  await does(routes.mitigation.updateMitigation, {
    body: { antibot_level: "low", anti_vpn: false },
  });
  await does(routes.caching.updateCaching, { body: { caching_enabled: false } });
  await does(routes.serverMessages.updateServerMessages, { body: { offline: { motd_line1: "" } } });
  await putOnPlan("plain");
});

interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly query?: Readonly<Record<string, string>>;
}

const send = (route: RouteDefinition, { params, ...rest }: Sent = {}) =>
  call(testApp, route, { token: owner.token, params: { id: shieldId, ...params }, ...rest });

async function does(route: RouteDefinition, sent: Sent = {}) {
  return (await expectStatus(send(route, sent), route.success)).json();
}

async function putOnPlan(slug: string): Promise<void> {
  await sql`
    update shields set pricing_plan_id = (select id from pricing_plans where slug = ${slug})
    where id = ${shieldId}
  `.execute(testApp.platform.db);
}

/** The newest configuration, as edges get it. */
async function served() {
  // Any change compiles it anew.
  serial += 1;
  await does(routes.firewall.addFirewallEntry, {
    body: { type: "blacklist", ip: `192.0.2.${serial}` },
  });
  const { config } = await testApp.platform.db
    .selectFrom("shield_configs")
    .select("config")
    .where("shield_id", "=", shieldId)
    .where("schema", "=", configSchemaVersion)
    .executeTakeFirstOrThrow();
  return shieldConfig.parse(JSON.parse(config));
}

describe("a plan's limit is refused at every way to exceed it", () => {
  test.each<[string, () => RouteDefinition, () => Sent | Promise<Sent>, string]>([
    [
      "domains: a new one",
      () => routes.shieldDomains.addDomain,
      () => ({ body: { domain: freshDomain() } }),
      "plan_limit",
    ],
    [
      "domains: one whose deletion is taken back",
      () => routes.shieldDomains.restoreDomain,
      () => ({ params: { domainId: removedDomain } }),
      "plan_limit",
    ],
    [
      "backend groups: a new one",
      () => routes.backends.createBackendGroup,
      () => ({ body: { name: "Second" } }),
      "plan_limit",
    ],
    [
      "locations: the region of the shield",
      () => routes.regions.updateRegion,
      () => ({ body: { location: "kyiv" } }),
      "location_unavailable",
    ],
    [
      "locations: the region of a group",
      () => routes.backends.updateBackendGroup,
      async () => {
        const { backends } = await does(routes.backends.getBackends);
        return { params: { backendId: backends[0].id }, body: { region: "kyiv" } };
      },
      "location_unavailable",
    ],
    [
      "locations: the wizard",
      () => routes.servers.createServer,
      async () => ({
        body: {
          ...(await shieldBody(testApp, owner)),
          domain: freshDomain(),
          location: "kyiv",
        },
      }),
      "location_unavailable",
    ],
    [
      "antibot: a stricter level",
      () => routes.mitigation.updateMitigation,
      () => ({ body: { antibot_level: "high" } }),
      "plan_required",
    ],
    [
      "anti-VPN",
      () => routes.mitigation.updateMitigation,
      () => ({ body: { anti_vpn: true } }),
      "plan_required",
    ],
    [
      "caching: switched on",
      () => routes.caching.updateCaching,
      () => ({ body: { caching_enabled: true } }),
      "plan_required",
    ],
    ["caching: a purge", () => routes.caching.purgeCache, () => ({}), "plan_required"],
    [
      "customization: own texts",
      () => routes.serverMessages.updateServerMessages,
      () => ({ body: { offline: { motd_line1: "Ours" } } }),
      "plan_required",
    ],
  ])("%s", async (_, route, sent, code) => {
    const answer = await send(route(), await sent());
    expect([answer.statusCode >= 400, answer.json().code]).toEqual([true, code]);
  });

  test("an earlier version of the settings: what the plan lacks is left out and named", async () => {
    const answer = await does(routes.history.restoreHistory, {
      params: { entryId: richVersion },
      body: {},
    });
    const { left_out: leftOut } = routes.history.restoreHistory.response.parse(answer);
    const fields = new Set(leftOut.map(({ area, field }) => `${area} ${field}`));
    for (const field of [
      "backends group",
      "mitigation antibot_level",
      "mitigation anti_vpn",
      "caching caching_enabled",
      "messages motd_line1",
    ]) {
      expect(fields).toContain(field);
    }
    const config = await served();
    expect(config.groups).toHaveLength(1);
    expect(config.mitigation).toMatchObject({ antibot: "low", anti_vpn: false });
    expect(config.status_cache.enabled).toBe(false);
  });

  test("a cheaper plan, with the name of each limit", async () => {
    await putOnPlan("pro");
    await does(routes.shieldDomains.restoreDomain, { params: { domainId: removedDomain } });
    await does(routes.backends.createBackendGroup, { body: { name: "Lobby", region: "kyiv" } });
    await does(routes.mitigation.updateMitigation, {
      body: { antibot_level: "extreme", anti_vpn: true },
    });
    await proveAnew(testApp, owner.token);
    const answer = await send(routes.planChanges.changePlan, {
      body: { pricing_plan_id: await planIdOf(testApp, "free") },
    });
    expect([answer.statusCode, answer.json().code]).toEqual([409, "plan_exceeded"]);
    const paths = answer.json().issues.map(({ path }: { path: string }) => path);
    expect(paths.toSorted()).toEqual([
      "anti_vpn",
      "antibot_level",
      "backend_groups",
      "domains",
      "locations",
    ]);
  });
});

describe("a shield whose plan has become smaller", () => {
  test("is served only what the plan has, whatever is stored", async () => {
    await putOnPlan("pro");
    await does(routes.mitigation.updateMitigation, {
      body: { antibot_level: "extreme", anti_vpn: true },
    });
    await does(routes.caching.updateCaching, { body: { caching_enabled: true } });
    await does(routes.serverMessages.updateServerMessages, {
      body: { firewall: { blacklist_msg: "Ours" } },
    });
    const rich = await served();
    expect(rich.mitigation).toMatchObject({ antibot: "extreme", anti_vpn: true });
    expect([rich.status_cache.enabled, JSON.stringify(rich.messages).includes("Ours")]).toEqual([
      true,
      true,
    ]);
    await putOnPlan("plain");
    const plain = await served();
    expect(plain.mitigation).toMatchObject({ antibot: "medium", anti_vpn: false });
    expect([plain.status_cache.enabled, JSON.stringify(plain.messages).includes("Ours")]).toEqual([
      false,
      false,
    ]);
    expect(plain.shares.players).toBe(1_000);
  });
});
