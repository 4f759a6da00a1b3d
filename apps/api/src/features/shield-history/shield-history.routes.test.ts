import { configSchemaVersion } from "@palisade/contract/edge/shield-config";
import type { HistoryEntry } from "@palisade/contract/http/history";
import { routes } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { eachTestHasAShield } from "#src/test-support/shield-of-each-test.ts";
import type { TestApp } from "#src/test-support/test-app.ts";
import { addMember } from "#src/test-support/test-shields.ts";
import {
  call,
  createApiKey,
  createUser,
  expectStatus,
  type TestUser,
} from "#src/test-support/test-users.ts";

let testApp: TestApp;
let owner: TestUser;
let shieldId: string;

eachTestHasAShield((current) => {
  ({ testApp, owner, shieldId } = current);
});

async function history(query: Record<string, string> = {}, { token } = owner) {
  const answer = await expectStatus(
    call(testApp, routes.history.listHistory, { token, params: { id: shieldId }, query }),
    200,
  );
  return routes.history.listHistory.response.parse(answer.json());
}

const changes = async (query?: Record<string, string>) => (await history(query)).data;

const toValues = (entry: HistoryEntry | undefined) =>
  entry?.changes.map(({ field, item, before, after }) => [field, item, before, after]);

const rename = (token: string, server_name: string) =>
  expectStatus(
    call(testApp, routes.serverLife.renameServer, {
      token,
      params: { id: shieldId },
      body: { server_name },
    }),
    200,
  );

const mitigate = (body: object, token = owner.token) =>
  expectStatus(
    call(testApp, routes.mitigation.updateMitigation, { token, params: { id: shieldId }, body }),
    200,
  );

const addEntry = (type: string, ip: string) =>
  expectStatus(
    call(testApp, routes.firewall.addFirewallEntry, {
      token: owner.token,
      params: { id: shieldId },
      body: { type, ip },
    }),
    201,
  );

describe("the history of a shield", () => {
  test("has a member's rename on the owner's record, with the name before", async () => {
    const member = await createUser(testApp);
    await addMember(testApp, shieldId, member);
    const [created] = await changes();
    const name = created?.changes[0]?.after;
    await rename(member.token, "Renamed by a member");
    const [entry] = await changes();
    expect(entry).toMatchObject({
      area: "general",
      revision: null,
      author: { kind: "member", name: member.email, key: null },
    });
    expect(toValues(entry)).toEqual([["name", null, name, "Renamed by a member"]]);
    // The member sees the owner's record as well.
    expect((await history({}, member)).data[0]).toEqual(entry);
  });

  test("says which settings a call changed and no others, and by which API key", async () => {
    const key = await createApiKey(testApp, owner, "write");
    const before = await changes();
    await mitigate({ rejoin_cooldown_enabled: true, rejoin_cooldown: 7 }, key);
    await mitigate({ rejoin_cooldown: 7 });
    const after = await changes();
    expect(after).toHaveLength(before.length + 1);
    expect(after[0]).toMatchObject({
      area: "mitigation",
      author: { kind: "owner", name: owner.email, key: "write key" },
      revision: expect.any(Number),
    });
    expect(toValues(after[0])).toEqual([
      ["rejoin_cooldown_enabled", null, false, true],
      ["rejoin_cooldown", null, 5, 7],
    ]);
  });

  test("names entries of lists that were added and removed, the first 50 of many", async () => {
    await addEntry("blacklist", "192.0.2.1");
    await expectStatus(
      call(testApp, routes.firewall.importFirewall, {
        token: owner.token,
        params: { id: shieldId },
        body: {
          type: "blacklist",
          mode: "replace",
          text: Array.from({ length: 60 }, (_, last) => `198.51.100.${last}`).join("\n"),
        },
      }),
      200,
    );
    const [imported, added] = await changes({ area: "firewall" });
    expect(added?.changes).toMatchObject([
      { field: "blacklist", added: ["192.0.2.1"], removed: [], added_count: 1 },
    ]);
    expect(imported?.changes).toMatchObject([
      { field: "blacklist", removed: ["192.0.2.1"], added_count: 60, removed_count: 1 },
    ]);
    expect(imported?.changes[0]?.added).toHaveLength(50);
  });

  test("tells a group by its name, when it is made and when it is removed", async () => {
    await sql`
      update shields set pricing_plan_id = (select id from pricing_plans where slug = 'pro')
      where id = ${shieldId}
    `.execute(testApp.platform.db);
    const made = await expectStatus(
      call(testApp, routes.backends.createBackendGroup, {
        token: owner.token,
        params: { id: shieldId },
        body: { name: "Lobby" },
      }),
      201,
    );
    const backendId = made.json().backend.id;
    await expectStatus(
      call(testApp, routes.backends.deleteBackendGroup, {
        token: owner.token,
        params: { id: shieldId, backendId },
      }),
      200,
    );
    const [removed, entry] = await changes({ area: "backends" });
    expect(toValues(removed)).toContainEqual(["group", "Lobby", "Lobby", null]);
    expect(toValues(entry)).toContainEqual(["group", "Lobby", null, "Lobby"]);
  });

  test("is filtered by area, author and time, and paged", async () => {
    const member = await createUser(testApp);
    await addMember(testApp, shieldId, member);
    await rename(member.token, "First");
    await mitigate({ anti_forge: true });
    testApp.clock.advance(3 * 86_400_000);
    await rename(owner.token, "Second");
    const areas = async (query: Record<string, string>) =>
      (await changes(query)).map(({ area }) => area);
    expect(await areas({ area: "mitigation" })).toEqual(["mitigation"]);
    expect(await areas({ by: member.id })).toEqual(["general"]);
    expect(await areas({ days: "1" })).toEqual(["general"]);
    const page = await history({ page: "2", per_page: "1" });
    expect([page.data[0]?.area, page.total, page.last_page]).toEqual(["mitigation", 4, 4]);
    expect(page.authors).toEqual(
      [owner, member]
        .map(({ id, email }) => ({ value: id, name: email }))
        .toSorted((a, b) => a.name.localeCompare(b.name)),
    );
  });

  test("is exported as a table that spreadsheets do not run", async () => {
    await rename(owner.token, "Sum -1");
    const answer = await expectStatus(
      call(testApp, routes.history.exportHistory, { token: owner.token, params: { id: shieldId } }),
      200,
    );
    const [names, newest] = answer.body.split("\r\n");
    expect(names).toBe(
      "created_at,area,revision,author_kind,author,api_key,field,item,before,after",
    );
    expect(newest).toContain(`,general,,owner,${owner.email},,name,,`);
    expect(newest).toMatch(/,Sum -1$/);
  });

  test("holds no secret of the shield, whatever was changed", async () => {
    await addEntry("whitelist", "192.0.2.9");
    await mitigate({ secure_profiles: true });
    const { db } = testApp.platform;
    const { config } = await db
      .selectFrom("shield_configs")
      .select("config")
      .where("shield_id", "=", shieldId)
      .where("schema", "=", configSchemaVersion)
      .executeTakeFirstOrThrow();
    const { cookie_key } = JSON.parse(config).mitigation;
    expect(cookie_key).toMatch(/.{20}/);
    const stored = await db.selectFrom("shield_changes").select("changes").execute();
    const settings = await db.selectFrom("shield_settings").select("settings").execute();
    expect(JSON.stringify([stored, settings])).not.toContain(cookie_key);
    expect(JSON.stringify([stored, settings])).not.toMatch(/psk_|pst_|pse_|psi_/);
  });

  test("tells about a shield of an earlier version from its next change on", async () => {
    const { db } = testApp.platform;
    await db.deleteFrom("shield_settings").where("shield_id", "=", shieldId).execute();
    await mitigate({ anti_forge: true });
    expect(toValues((await changes())[0])).toEqual([["anti_forge", null, false, true]]);
  });

  test("is not there for others", async () => {
    const stranger = await createUser(testApp);
    for (const route of [routes.history.listHistory, routes.history.exportHistory]) {
      const answer = await call(testApp, route, {
        token: stranger.token,
        params: { id: shieldId },
      });
      expect(answer.statusCode).toBe(404);
    }
  });
});
