import { configSchemaVersion, shieldConfig } from "@palisade/contract/edge/shield-config";
import { type NetworkRule, networkRulesMax } from "@palisade/contract/http/network-rules";
import { routes } from "@palisade/contract/http/routes";
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

const { listNetworkRules, addNetworkRule, removeNetworkRule } = routes.networkRules;

function add(body: object, token = owner.token) {
  return call(testApp, addNetworkRule, { token, params: { id: shieldId }, body });
}

async function added(body: object): Promise<NetworkRule> {
  const answer = await expectStatus(add(body), 201);
  return addNetworkRule.response.parse(answer.json()).rule;
}

async function list() {
  const params = { id: shieldId };
  const answer = call(testApp, listNetworkRules, { token: owner.token, params });
  return listNetworkRules.response.parse((await expectStatus(answer, 200)).json());
}

function remove(ruleId: string, token = owner.token) {
  return call(testApp, removeNetworkRule, { token, params: { id: shieldId, ruleId } });
}

async function compiled() {
  const row = await testApp.platform.db
    .selectFrom("shield_configs")
    .select("config")
    .where("schema", "=", configSchemaVersion)
    .where("shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
  return shieldConfig.parse(JSON.parse(row.config)).mitigation.network_rules;
}

/** From the test's clock on. */
const later = (ms: number): string => new Date(testApp.clock.now().getTime() + ms).toISOString();
const hourMs = 3_600_000;

describe("rules by country and network", () => {
  test("are there once they were added, newest first, on edges too, and gone once removed", async () => {
    expect(await list()).toEqual({ rules: [], databases: { countries: false, networks: false } });
    const country = await added({ country: "nl", action: "block", note: "  Bots\u202e " });
    testApp.clock.advance(1_000);
    const expires_at = later(hourMs);
    const network = await added({ asn: 4_294_967_295, action: "challenge", expires_at });
    expect(country).toMatchObject({ country: "NL", asn: null, note: "Bots", expires_at: null });
    expect(network).toMatchObject({ country: null, asn: 4_294_967_295, note: "", expires_at });
    expect((await list()).rules).toEqual([network, country]);
    expect(await compiled()).toEqual({
      countries: [{ country: "NL", action: "block", until: null }],
      networks: [{ asn: 4_294_967_295, action: "challenge", until: Date.parse(expires_at) }],
    });
    await expectStatus(remove(country.id), 200);
    expect((await list()).rules).toEqual([network]);
    expect((await compiled()).countries).toEqual([]);
    await expectStatus(remove(country.id), 404);
  });

  test("name either a country or a network, an action, and an end that is to come", async () => {
    const bad: readonly (readonly [object, string])[] = [
      [{ action: "block" }, "country"],
      [{ country: "NL", asn: 1, action: "block" }, "country"],
      [{ country: "XX", action: "block" }, "country"],
      [{ asn: 4_294_967_296, action: "block" }, "asn"],
      [{ asn: 1.5, action: "block" }, "asn"],
      [{ country: "NL", action: "kick" }, "action"],
      [{ country: "NL", action: "block", note: "x".repeat(201) }, "note"],
      [{ country: "NL", action: "block", expires_at: later(0) }, "expires_at"],
      [{ country: "NL", action: "block", expires_at: "tomorrow" }, "expires_at"],
    ];
    for (const [body, path] of bad) {
      const answer = await expectStatus(add(body), 422);
      expect(answer.json().issues[0].path, JSON.stringify(body)).toBe(path);
    }
    expect((await list()).rules).toEqual([]);
  });

  test("are one for each country and network, and 500 at most", async () => {
    await added({ country: "NL", action: "block" });
    const again = await expectStatus(add({ country: "NL", action: "allow" }), 422);
    expect(again.json().code).toBe("entry_exists");
    await sql`
      insert into firewall_network_rules (id, shield_id, asn, action, created_at)
      select gen_random_uuid(), ${shieldId}, n, 'block', now()
      from generate_series(1, ${networkRulesMax - 1}) n
    `.execute(testApp.platform.db);
    const full = await expectStatus(add({ asn: 64_496, action: "block" }), 422);
    expect(full.json()).toMatchObject({ code: "list_full", issues: [{ path: "asn" }] });
    expect((await list()).rules).toHaveLength(networkRulesMax);
  });
});

describe("an ended rule", () => {
  beforeEach(async () => {
    await added({ country: "SE", action: "block" });
    await added({ country: "NL", action: "block", expires_at: later(hourMs) });
  });

  test("gives way to a new one of its country or network, which has an id of its own", async () => {
    expect((await add({ country: "NL", action: "allow" })).json().code).toBe("entry_exists");
    testApp.clock.advance(hourMs);
    const rule = await added({ country: "NL", action: "allow", note: "back" });
    expect(rule).toMatchObject({ action: "allow", note: "back", expires_at: null });
    const { rules } = await list();
    expect(rules).toMatchObject([rule, { country: "SE" }]);
    expect(await compiled()).toMatchObject({
      countries: [
        { country: "NL", action: "allow", until: null },
        { country: "SE", action: "block" },
      ],
    });
    expect((await add({ country: "NL", action: "block" })).json().code).toBe("entry_exists");
  });

  test("is shown for a day, then removed here and on edges", async () => {
    testApp.clock.advance(24 * hourMs);
    await testApp.runJob("network-rules.sweep");
    expect((await list()).rules).toHaveLength(2);
    testApp.clock.advance(hourMs);
    await testApp.runJob("network-rules.sweep");
    expect((await list()).rules).toMatchObject([{ country: "SE" }]);
    expect((await compiled()).countries).toMatchObject([{ country: "SE" }]);
  });
});

describe("the history of the settings", () => {
  const history = async () => {
    const params = { id: shieldId };
    const answer = call(testApp, routes.history.listHistory, { token: owner.token, params });
    return routes.history.listHistory.response.parse((await expectStatus(answer, 200)).json()).data;
  };

  test("has each change of the rules, and brings an earlier version back with the notes that are left", async () => {
    await added({ country: "NL", action: "block", note: "kept" });
    const gone = await added({ asn: 64_496, action: "allow" });
    await added({ country: "SE", action: "block", expires_at: later(hourMs) });
    const [version] = await history();
    expect(version?.changes).toMatchObject([{ field: "network_rules" }]);
    await expectStatus(remove(gone.id), 200);
    await added({ country: "DE", action: "challenge" });
    testApp.clock.advance(2 * hourMs);
    await expectStatus(
      call(testApp, routes.history.restoreHistory, {
        token: owner.token,
        params: { id: shieldId, entryId: version?.id ?? "" },
        body: {},
      }),
      200,
    );
    const { rules } = await list();
    expect(rules.map(({ country, asn, action, note }) => [country ?? asn, action, note])).toEqual([
      [64_496, "allow", ""],
      ["NL", "block", "kept"],
    ]);
  });
});

describe("other people", () => {
  test("with a role that only reads see the rules and change none; strangers see nothing", async () => {
    const rule = await added({ country: "NL", action: "block" });
    const viewer = await createUser(testApp);
    await addMember(testApp, shieldId, viewer);
    await sql`update shield_members set member_role = 'viewer' where user_id = ${viewer.id}`.execute(
      testApp.platform.db,
    );
    const read = (token: string) =>
      call(testApp, listNetworkRules, { token, params: { id: shieldId } });
    expect((await read(viewer.token)).json().rules).toHaveLength(1);
    await expectStatus(add({ country: "SE", action: "block" }, viewer.token), 403);
    await expectStatus(remove(rule.id, viewer.token), 403);
    const { token } = await createUser(testApp);
    await expectStatus(read(token), 404);
    await expectStatus(add({ country: "SE", action: "block" }, token), 404);
    await expectStatus(remove(rule.id, token), 404);
  });

  test("cannot remove a rule by the id of their own shield", async () => {
    const rule = await added({ country: "NL", action: "block" });
    const other = await createUser(testApp);
    const { id } = await createShield(testApp, other);
    const params = { id, ruleId: rule.id };
    await expectStatus(call(testApp, removeNetworkRule, { token: other.token, params }), 404);
    expect((await list()).rules).toHaveLength(1);
  });
});

describe("networks", () => {
  test("carry the name of a network that the shield's log has", async () => {
    // The log has room for the days around the real one.
    testApp.clock.set(new Date());
    const { asn } = await added({ asn: 64_496, action: "block" });
    await added({ asn: 64_497, action: "block" });
    await sql`
      insert into login_entries (id, shield_id, edge_id, "at", verdict, shadow, player, ip, protocol,
        host, trace, facts, asn, network)
      values (gen_random_uuid(), ${shieldId}, gen_random_uuid(), ${testApp.clock.now()}, 'joined', false,
        'Steve', '192.0.2.1', 765, 'a.example', 'ABCD1234', '{}', ${asn}, 'Example Hosting')
    `.execute(testApp.platform.db);
    const names = (await list()).rules.map(({ network }) => network);
    expect(names).toEqual([null, "Example Hosting"]);
  });
});
