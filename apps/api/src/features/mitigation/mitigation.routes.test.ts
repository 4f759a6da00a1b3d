import { usualChallenges } from "@palisade/contract/edge/earlier-shield-config";
import { configSchemaVersion, shieldConfig } from "@palisade/contract/edge/shield-config";
import { mitigationDefaults } from "@palisade/contract/http/mitigation";
import { routes } from "@palisade/contract/http/routes";
import { newestRelease } from "@palisade/minecraft-protocol/java/versions";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { eachTestHasAShield } from "#src/test-support/shield-of-each-test.ts";
import type { TestApp } from "#src/test-support/test-app.ts";
import { call, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
let owner: TestUser;
let shieldId: string;

eachTestHasAShield((current) => {
  ({ testApp, owner, shieldId } = current);
});

const { getMitigation, updateMitigation } = routes.mitigation;

const get = () => call(testApp, getMitigation, { token: owner.token, params: { id: shieldId } });

const put = (body: object, headers: Record<string, string> = {}) =>
  call(testApp, updateMitigation, {
    token: owner.token,
    params: { id: shieldId },
    body,
    headers,
  });

async function compiled() {
  const { config } = await testApp.platform.db
    .selectFrom("shield_configs")
    .select("config")
    .where("schema", "=", configSchemaVersion)
    .where("shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
  return shieldConfig.parse(JSON.parse(config));
}

/** Puts the shield on another of the product's plans. */
async function change(plan: "free" | "pro"): Promise<void> {
  await sql`
    update shields set pricing_plan_id = (select id from pricing_plans where slug = ${plan})
    where id = ${shieldId}
  `.execute(testApp.platform.db);
}

describe("mitigation", () => {
  test("challenges unknown players during an attack, and no one else, on a new shield", async () => {
    expect((await get()).json()).toEqual({
      ...mitigationDefaults,
      minecraft_versions: { min: "1.8", max: newestRelease },
      antibot_level_max: "medium",
      anti_vpn_available: false,
      anti_vpn_has_lists: true,
      shadowed_24h: {},
      would_challenge_24h: {},
    });
    expect((await compiled()).mitigation).toEqual({
      shadow: false,
      logins_per_second: null,
      rejoin_cooldown_ms: null,
      packet_bytes_max: null,
      antibot: "medium",
      advanced_antibot: false,
      attack_threshold: 50,
      attack_duration_ms: 900_000,
      secure_profiles: false,
      anti_vpn: false,
      anti_forge: false,
      cookie_key: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
      ...usualChallenges,
    });
  });

  test("every control reaches the edges in the units they count in; what is left out stays", async () => {
    await change("pro");
    const answer = await put({
      max_connections_enabled: true,
      max_connections: 20,
      rejoin_cooldown_enabled: true,
      rejoin_cooldown: 7,
      max_packet_size_enabled: true,
      max_packet_size: 6_000,
      antibot_level: "extreme",
      advanced_antibot: true,
      mitigation_threshold: 12,
      mitigation_duration: 3,
      secure_profiles: true,
      anti_vpn: true,
      anti_forge: true,
      shadow_mode: true,
      verified_hours: 48,
      unknown_versions: "refuse",
      text_captcha: true,
    });
    expect(answer.json()).toMatchObject({
      message: "Mitigation settings updated",
      revision: 2,
      mitigation: { antibot_level: "extreme", anti_vpn: true, mitigation_threshold_enabled: true },
    });
    const all = {
      shadow: true,
      logins_per_second: 20,
      rejoin_cooldown_ms: 7_000,
      packet_bytes_max: 6_000,
      antibot: "extreme",
      advanced_antibot: true,
      attack_threshold: 12,
      attack_duration_ms: 180_000,
      secure_profiles: true,
      anti_vpn: true,
      anti_forge: true,
      cookie_key: expect.any(String),
      ...usualChallenges,
      verified_ms: 172_800_000,
      unknown_versions: "refuse",
      text_captcha: true,
    };
    expect((await compiled()).mitigation).toEqual(all);
    await put({ mitigation_threshold_enabled: false, mitigation_duration_enabled: false });
    expect((await compiled()).mitigation).toEqual({
      ...all,
      attack_threshold: null,
      attack_duration_ms: 0,
    });
  });

  test("a range of versions is the earlier one first; off, all from 1.8 on get in", async () => {
    expect((await compiled()).versions).toEqual({ min: "1.8", max: null });
    const range = { min: "1.20.4", max: "1.6.4" };
    await put({ minecraft_version_range_enabled: true, minecraft_versions: range });
    expect((await get()).json().minecraft_versions).toEqual({ min: "1.6.4", max: "1.20.4" });
    const { versions, messages } = await compiled();
    expect(versions).toEqual({ min: "1.6.4", max: "1.20.4" });
    expect(messages.invalid_version).toContain("1.6.4");
    await put({ minecraft_version_range_enabled: false });
    expect((await compiled()).versions).toEqual({ min: "1.8", max: null });
  });

  test("a range that is turned on as it is shuts out no game of today, nor another setting one of tomorrow", async () => {
    await put({ anti_forge: true });
    const { rows } = await sql<{ settings: object }>`
      select settings from shield_mitigation where shield_id = ${shieldId}
    `.execute(testApp.platform.db);
    expect(rows[0]?.settings).not.toHaveProperty("minecraft_versions");
    await put({ minecraft_version_range_enabled: true });
    expect((await compiled()).versions).toEqual({ min: "1.8", max: newestRelease });
  });

  test("a save that changes nothing makes no revision and no ETag stale", async () => {
    await put({ minecraft_versions: { min: "1.12.2", max: "1.20.4" }, anti_forge: true });
    const before = await get();
    const etag = String(before.headers.etag);
    for (const body of [
      {},
      { anti_forge: true },
      { minecraft_versions: { min: "1.20.4", max: "1.12.2" } },
    ]) {
      const answer = await put(body, { "if-match": etag });
      expect([answer.statusCode, answer.headers.etag]).toEqual([200, etag]);
      expect(answer.json()).toMatchObject({ revision: 2, mitigation: before.json() });
    }
    expect((await compiled()).revision).toBe(2);
    expect((await put({ anti_forge: false })).json()).toMatchObject({ revision: 3 });
  });

  test.each([
    [{ max_connections: 1_001 }, "max_connections", "max_connections.range"],
    [{ verified_hours: 0 }, "verified_hours", "verified_hours.range"],
    [{ verified_hours: 721 }, "verified_hours", "verified_hours.range"],
    [{ verified_hours: 1.5 }, "verified_hours", "verified_hours.range"],
    [{ unknown_versions: "never" }, "unknown_versions", "unknown_versions.invalid"],
    [{ text_captcha: "yes" }, "text_captcha", "boolean.invalid"],
    [{ max_connections: 0.5 }, "max_connections", "max_connections.range"],
    [{ rejoin_cooldown: 31 }, "rejoin_cooldown", "rejoin_cooldown.range"],
    [{ max_packet_size: 4_999 }, "max_packet_size", "max_packet_size.range"],
    [{ max_packet_size: 131_073 }, "max_packet_size", "max_packet_size.range"],
    [{ mitigation_threshold: -1 }, "mitigation_threshold", "mitigation_threshold.range"],
    [{ mitigation_duration: 31 }, "mitigation_duration", "mitigation_duration.range"],
    [{ antibot_level: "High" }, "antibot_level", "antibot_level.invalid"],
    [{ anti_forge: "yes" }, "anti_forge", "boolean.invalid"],
    [{ max_connections_enabled: true, max_connections: 0 }, "max_connections", "limit.zero"],
    [{ mitigation_threshold: 0 }, "mitigation_threshold", "limit.zero"],
    [{ mitigation_duration: 0 }, "mitigation_duration", "limit.zero"],
    [
      { minecraft_versions: { min: "1.8", max: "9.9" } },
      "minecraft_versions.max",
      "version.unknown",
    ],
  ])("%o is refused at its field, and nothing changes", async (body, path, code) => {
    const answer = await put(body);
    expect([answer.statusCode, answer.json().issues]).toMatchObject([422, [{ path, code }]]);
    expect((await get()).json()).toMatchObject(mitigationDefaults);
  });

  test("a limit of 0 may be stored while it is off", async () => {
    expect((await put({ max_connections: 0 })).statusCode).toBe(200);
    expect((await put({ max_connections_enabled: true })).statusCode).toBe(422);
  });

  test("a setting outside the plan is 403; after a downgrade it neither acts nor shows", async () => {
    for (const body of [{ antibot_level: "high" }, { anti_vpn: true }]) {
      const answer = await put(body);
      expect([answer.statusCode, answer.json().code]).toEqual([403, "plan_required"]);
    }
    await change("pro");
    await put({ antibot_level: "extreme", anti_vpn: true });
    await change("free");
    expect((await get()).json()).toMatchObject({ antibot_level: "medium", anti_vpn: false });
    await put({ anti_forge: true });
    expect((await compiled()).mitigation).toMatchObject({ antibot: "medium", anti_vpn: false });
    await change("pro");
    expect((await get()).json()).toMatchObject({ antibot_level: "extreme", anti_vpn: true });
  });

  test("a stale If-Match is refused; a shield without settings can be read and changed", async () => {
    await testApp.platform.db
      .deleteFrom("shield_mitigation")
      .where("shield_id", "=", shieldId)
      .execute();
    const etag = String((await get()).headers.etag);
    const first = await put({ anti_forge: true }, { "if-match": etag });
    expect([first.statusCode, first.headers.etag]).toEqual([200, (await get()).headers.etag]);
    const stale = await put({ anti_forge: false }, { "if-match": etag });
    expect([stale.statusCode, stale.json().code]).toEqual([412, "precondition_failed"]);
    expect((await get()).json().anti_forge).toBe(true);
  });

  test("a shield that is not active keeps its settings: 409", async () => {
    await testApp.platform.db
      .updateTable("shields")
      .set({ status: "expired" })
      .where("id", "=", shieldId)
      .execute();
    const answer = await put({ anti_forge: true });
    expect([answer.statusCode, answer.json().code]).toEqual([409, "server_not_active"]);
  });

  test("says beside a shield's attacks whether anything is done about them", async () => {
    const { token } = owner;
    const state = async () => {
      const params = { id: shieldId };
      const overview = await call(testApp, routes.servers.getOverview, { token, params });
      const list = await call(testApp, routes.servers.listServers, { token, query: {} });
      return [overview.json().antibot, list.json().data[0].antibot];
    };
    expect(await state()).toEqual(["on", "on"]);
    await put({ antibot_level: "disabled", anti_forge: true });
    expect(await state()).toEqual(["off", "off"]);
    await put({ advanced_antibot: true });
    expect(await state()).toEqual(["on", "on"]);
    await put({ shadow_mode: true });
    expect(await state()).toEqual(["shadow", "shadow"]);
  });
});
