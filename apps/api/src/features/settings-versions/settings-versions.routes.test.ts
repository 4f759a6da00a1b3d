import { routes } from "@palisade/contract/http/routes";
import type { RouteDefinition } from "@palisade/contract/http/route";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { eachTestHasAShield } from "#src/test-support/shield-of-each-test.ts";
import type { TestApp } from "#src/test-support/test-app.ts";
import { addMember, createShield } from "#src/test-support/test-shields.ts";
import { call, createUser, expectStatus, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
let owner: TestUser;
let shieldId: string;

eachTestHasAShield((current) => {
  ({ testApp, owner, shieldId } = current);
});
beforeEach(async () => {
  await putOnPlan("pro");
});

async function putOnPlan(slug: string): Promise<void> {
  await sql`
    update shields set pricing_plan_id = (select id from pricing_plans where slug = ${slug})
    where id = ${shieldId}
  `.execute(testApp.platform.db);
}

async function send(route: RouteDefinition, rest: object = {}, token = owner.token) {
  const { params = {}, ...others } = rest as { params?: Record<string, string> };
  const answer = call(testApp, route, { token, params: { id: shieldId, ...params }, ...others });
  return (await expectStatus(answer, route.success)).json();
}

const mitigate = (body: object) => send(routes.mitigation.updateMitigation, { body });
const rename = (server_name: string) =>
  send(routes.serverLife.renameServer, { body: { server_name } });

async function newest(): Promise<string> {
  const list = await send(routes.history.listHistory);
  return routes.history.listHistory.response.parse(list).data[0]?.id ?? "";
}

async function compare(entryId: string, other?: string) {
  const query = other === undefined ? {} : { with: other };
  const answer = await send(routes.history.compareHistory, { params: { entryId }, query });
  return routes.history.compareHistory.response
    .parse(answer)
    .areas.flatMap(({ area, changes }) =>
      changes.map(({ field, before, after }) => [area, field, before, after]),
    );
}

async function restore(entryId: string, body: object = {}, token = owner.token) {
  const answer = await send(routes.history.restoreHistory, { params: { entryId }, body }, token);
  return routes.history.restoreHistory.response.parse(answer);
}

describe("a version of the settings", () => {
  test("is compared with the settings of now and of another time", async () => {
    await mitigate({ rejoin_cooldown: 7 });
    const first = await newest();
    await mitigate({ rejoin_cooldown: 9, anti_forge: true });
    const second = await newest();
    await rename("Later");
    expect(await compare(first)).toEqual([
      ["general", "name", "Later", expect.any(String)],
      ["mitigation", "rejoin_cooldown", 9, 7],
      ["mitigation", "anti_forge", true, false],
    ]);
    expect(await compare(first, second)).toEqual([
      ["mitigation", "rejoin_cooldown", 9, 7],
      ["mitigation", "anti_forge", true, false],
    ]);
  });

  test("is restored in every area as one revision, and on record as the caller's change", async () => {
    await send(routes.firewall.addFirewallEntry, { body: { type: "blacklist", ip: "192.0.2.1" } });
    await send(routes.firewall.addFirewallEntry, { body: { type: "blacklist", ip: "Griefer_1" } });
    await rename("Before");
    const group = await send(routes.backends.createBackendGroup, { body: { name: "Lobby" } });
    const backendId = group.backend.id;
    await send(routes.backends.addBackendServer, {
      params: { backendId },
      body: { ip: "2001:db8::7", port: 25_570 },
    });
    const version = await newest();
    await send(routes.backends.deleteBackendGroup, { params: { backendId } });
    await send(routes.firewall.clearFirewallList, { params: { type: "blacklist" } });
    await send(routes.firewall.updateFirewall, { body: { whitelist_only: true } });
    await send(routes.serverMessages.updateServerMessages, {
      body: { mitigation: { vpn_msg: "No VPN" } },
    });
    await send(routes.caching.updateCaching, { body: { caching_enabled: false } });
    await mitigate({ rejoin_cooldown: 9, minecraft_versions: { min: "1.12", max: "1.20" } });
    await rename("After");
    testApp.clock.advance(10_000);

    const { revision, restored, left_out } = await restore(version);
    expect(left_out).toEqual([]);
    expect(restored.toSorted()).toEqual(
      ["backends", "caching", "firewall", "general", "messages", "mitigation"].toSorted(),
    );
    const { server } = await send(routes.servers.getServer);
    expect(server.server_name).toBe("Before");
    const { backends } = await send(routes.backends.getBackends);
    expect(backends.map(({ name }: { name: string }) => name)).toContain("Lobby");
    expect(JSON.stringify(backends)).toContain("2001:db8::7");
    const firewall = await send(routes.firewall.getFirewall);
    expect(firewall.blacklist_ips.map(({ ip }: { ip: string }) => ip).toSorted()).toEqual([
      "192.0.2.1",
      "Griefer_1",
    ]);
    expect(firewall.whitelist_only).toBe(false);
    const settings = await send(routes.mitigation.getMitigation);
    expect(settings).toMatchObject({ rejoin_cooldown: 5, minecraft_versions: { min: "1.8" } });
    // A group that was made anew has another id.
    expect((await compare(version)).filter(([area]) => area !== "backends")).toEqual([]);
    const { data } = await send(routes.history.listHistory, { query: { per_page: "6" } });
    for (const entry of data) expect(entry.author.name).toBe(owner.email);
    const revisions = data.map((entry: { revision: number | null }) => entry.revision);
    expect(new Set(revisions)).toEqual(new Set([revision, null]));
  });

  test("leaves out what the plan does not include any more, says so, and restores the rest", async () => {
    await mitigate({ anti_vpn: true, anti_forge: true });
    const version = await newest();
    await mitigate({ anti_vpn: false, anti_forge: false });
    await putOnPlan("free");
    const { restored, left_out } = await restore(version);
    expect(restored).toEqual(["mitigation"]);
    expect(left_out).toEqual([
      { area: "mitigation", field: "anti_vpn", item: null, reason: expect.stringMatching(/plan/i) },
    ]);
    expect(await send(routes.mitigation.getMitigation)).toMatchObject({
      anti_forge: true,
      anti_vpn: false,
    });
  });

  test("is restored by members as far as their role goes, and area by area", async () => {
    const operator = await createUser(testApp);
    await addMember(testApp, shieldId, operator);
    await sql`update shield_members set member_role = 'operator' where user_id = ${operator.id}`.execute(
      testApp.platform.db,
    );
    await rename("Before");
    const version = await newest();
    await rename("After");
    await mitigate({ anti_forge: true });
    expect(await restore(version, { areas: ["caching"] })).toMatchObject({
      revision: null,
      restored: [],
    });
    const { restored, left_out } = await restore(version, {}, operator.token);
    expect(restored).toEqual(["mitigation"]);
    expect(left_out).toMatchObject([{ area: "general", field: "name" }]);
    const { data } = await send(routes.history.listHistory);
    expect(data[0]).toMatchObject({ author: { kind: "member", name: operator.email } });
  });

  test("does not exist where it is another shield's", async () => {
    const entryId = await newest();
    const other = await createUser(testApp);
    shieldId = (await createShield(testApp, other)).id;
    for (const route of [routes.history.compareHistory, routes.history.restoreHistory]) {
      const answer = await call(testApp, route, {
        token: other.token,
        params: { id: shieldId, entryId },
        body: {},
      });
      expect(answer.statusCode).toBe(404);
    }
  });
});
