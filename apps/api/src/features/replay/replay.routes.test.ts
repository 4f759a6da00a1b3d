import { roleRights } from "@palisade/contract/http/member-rights";
import type { LoginEntry } from "@palisade/contract/edge/telemetry";
import { routes } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import {
  changesOf,
  eachTestReplays,
  networkOf as from,
  noMitigation as quiet,
  type ReplayOfTest,
} from "#src/test-support/test-replay.ts";
import { addMember, createShield } from "#src/test-support/test-shields.ts";
import { call, createUser, type TestUser } from "#src/test-support/test-users.ts";
import { createReplayPlaces } from "./replay-places.ts";
import { replayMitigation } from "./replay.service.ts";

let at: ReplayOfTest;
eachTestReplays((current) => (at = current));

const change = (query: ReturnType<typeof sql>) => query.execute(at.testApp.platform.db);

describe("a replay of the log", () => {
  test("counts what would have become of all logins, and of how many it does not know enough", async () => {
    await at.save(quiet);
    await at.log([
      { ago: 9, player: "A", ip: from(1), attempt: undefined },
      { ago: 8, player: "B", ip: from(2), facts: { left_out: "40" } },
      { ago: 7, player: "C", ip: from(3), attempt: { forge: true, ping: "unknown" } },
      { ago: 6, player: "D", ip: from(4), verdict: "vpn" },
      { ago: 5, player: "E", ip: from(5), verdict: "offline" },
    ]);
    expect(await at.replay({ anti_forge: true })).toMatchObject({
      logins: 5,
      left_out: 40,
      assumed: 1,
      // Anti-VPN was on at the time.
      differing: 1,
      saved: { admitted: 4, verify: 0, refused: 1, reasons: { offline: 1 } },
      proposed: { admitted: 3, verify: 0, refused: 2, reasons: { offline: 1, forge: 1 } },
      changes: [{ from: "admitted", to: "refused", count: 1, rows: [{ player: "C" }] }],
    });
    // Pings matter to this one, and no edge has noted them.
    expect((await at.replay({ antibot_level: "low" })).assumed).toBe(2);
  });

  test("counts what a flood left out in the flood, however late its edge tells of it", async () => {
    await at.save({ ...quiet, antibot_level: "low" });
    const unpinged = { attempt: { ping: "none" } } as const;
    await at.log([
      ...Array.from({ length: 20 }, (_, n) => ({
        ago: 3_600 + n / 100,
        player: `Flood${n}`,
        ip: from(n),
      })),
      { ago: 3_598, player: "InFlood", ip: from(50), ...unpinged },
      { ago: 60, player: "Quiet", ip: from(51), ...unpinged },
      { ago: 59, player: "Later", ip: from(52), ...unpinged, facts: { left_out: "400" } },
      { ago: 58, player: "Latest", ip: from(53), ...unpinged },
    ]);
    const rush = {
      mitigation_threshold_enabled: true,
      mitigation_threshold: 15,
      mitigation_duration_enabled: false,
    };
    expect(changesOf(await at.replay(rush))).toEqual(["InFlood: admitted > bot_check"]);
  });

  test("says how many players need a paid account, and that sizes of packets are not known", async () => {
    await at.save(quiet);
    await at.log([
      { ago: 9, player: "A", ip: from(1), protocol: 765 },
      { ago: 8, player: "B", ip: from(2), protocol: 765 },
    ]);
    expect(await at.replay({ secure_profiles: true })).toMatchObject({
      account_checks: 2,
      sizes_unknown: false,
    });
    const smaller = { max_packet_size_enabled: true, max_packet_size: 8_000 };
    expect(await at.replay(smaller)).toMatchObject({ account_checks: 0, sizes_unknown: true });
  });

  test("goes by the lists as they are saved", async () => {
    await at.save({ ...quiet });
    await at.log([
      { ago: 9, player: "Trusted", ip: from(1), attempt: { forge: true } },
      { ago: 8, player: "Modded", ip: from(2), attempt: { forge: true } },
      { ago: 7, player: "builder", ip: from(3), attempt: { forge: true } },
    ]);
    await call(at.testApp, routes.firewall.addFirewallEntry, {
      token: at.owner.token,
      params: { id: at.shieldId },
      body: { type: "whitelist", ip: from(1) },
    });
    await call(at.testApp, routes.firewall.addFirewallEntry, {
      token: at.owner.token,
      params: { id: at.shieldId },
      body: { type: "whitelist", ip: "Builder" },
    });
    await call(at.testApp, routes.firewall.updateFirewall, {
      token: at.owner.token,
      params: { id: at.shieldId },
      body: { ip_whitelist_enabled: true },
    });
    const rows = await at.replay({ anti_forge: true });
    expect(changesOf(rows)).toEqual(["Modded: admitted > forge"]);
  });

  test("looks at the last 24 hours, and at the newest logins of them where there are too many", async () => {
    await at.save(quiet);
    await at.log([
      { ago: 25 * 3_600, player: "Yesterday", attempt: { forge: true } },
      ...[9, 8, 7, 6].map((ago) => ({
        ago,
        player: `P${ago}`,
        ip: from(ago),
        attempt: { forge: true } as const,
      })),
    ]);
    const all = await at.replay({ anti_forge: true });
    expect([all.logins, all.is_shortened]).toEqual([4, false]);
    expect(Date.parse(all.to) - Date.parse(all.from)).toBe(24 * 3_600_000);
    const { signal } = new AbortController();
    const now = at.testApp.clock.now();
    const request = {
      shieldId: at.shieldId,
      body: { anti_forge: true },
      now,
      signal,
      loginsMax: 3,
    };
    const newest = await replayMitigation(at.testApp.platform.db, request);
    expect([newest.summary.logins, newest.isShortened]).toEqual([3, true]);
    expect(now.getTime() - newest.from.getTime()).toBe(8_000);
  });

  test("shows the newest hundred of each kind of change, with the outcomes in words", async () => {
    await at.save(quiet);
    await at.log(
      Array.from({ length: 120 }, (_, n) => ({
        ago: 300 - n,
        player: `P${n}`,
        ip: from(n),
        attempt: { forge: true } as const,
      })),
    );
    const [kind] = (await at.replay({ anti_forge: true })).changes;
    expect([kind?.count, kind?.reasons, kind?.rows.length]).toEqual([120, { forge: 120 }, 100]);
    expect(kind?.rows[0]).toMatchObject({
      player: "P119",
      ip: from(119),
      version: expect.any(String),
      verdict: "joined",
      verdict_reason: "Joined",
      saved: { outcome: "admitted", refusal: null, reason: "Let in" },
      proposed: { refusal: "forge", reason: "The client has Forge, and Anti-Forge is on" },
    });
  });

  test("has no login of another shield", async () => {
    const other = (await createShield(at.testApp, at.owner)).id;
    await at.log([{ ago: 9, player: "Modded", attempt: { forge: true } }], other);
    const answer = await at.replay({ anti_forge: true });
    expect([answer.logins, answer.changes]).toEqual([0, []]);
  });

  test("refuses what could not be saved either", async () => {
    await change(
      sql`update shields set pricing_plan_id = (select id from pricing_plans where slug = 'free')
        where id = ${at.shieldId}`,
    );
    expect((await at.ask({ anti_vpn: true })).json().code).toBe("plan_required");
    const invalid = await at.ask({ max_connections_enabled: true, max_connections: 0 });
    expect([invalid.statusCode, invalid.json().code]).toEqual([422, "validation_failed"]);
  });

  test("one shield has one at a time", () => {
    const places = createReplayPlaces();
    const leave = places.take("a");
    expect(places.take("a")).toBeUndefined();
    expect(places.take("b")).toBeDefined();
    expect(places.take("c")).toBeUndefined();
    leave?.();
    expect(places.take("a")).toBeDefined();
  });

  test("a caller who has gone away stops it", async () => {
    await at.log(Array.from({ length: 150 }, (_, n) => ({ ago: 300 - n, player: `P${n}` })));
    const request = {
      shieldId: at.shieldId,
      body: {},
      now: at.testApp.clock.now(),
      signal: AbortSignal.abort(),
    };
    await expect(replayMitigation(at.testApp.platform.db, request)).rejects.toMatchObject({
      code: "unavailable",
    });
  });
});

describe("members", () => {
  async function member(rights: object): Promise<TestUser> {
    const user = await createUser(at.testApp);
    await addMember(at.testApp, at.shieldId, user);
    await change(
      sql`update shield_members set member_role = 'custom', rights = ${JSON.stringify(rights)}::jsonb
        where user_id = ${user.id}`,
    );
    return user;
  }

  test("see addresses only with the right to them, and need the right to the log", async () => {
    await at.save(quiet);
    await at.log([{ ago: 9, player: "Modded", ip: "203.0.113.7", attempt: { forge: true } }]);
    const viewer = await member(roleRights.viewer);
    expect((await at.replay({ anti_forge: true }, viewer)).changes[0]?.rows[0]?.ip).toBe(
      "203.0.*.*",
    );
    const operator = await member(roleRights.operator);
    expect((await at.replay({ anti_forge: true }, operator)).changes[0]?.rows[0]?.ip).toBe(
      "203.0.113.7",
    );
    const blind = await member({ ...roleRights.viewer, logs: "none" });
    expect((await at.ask({ anti_forge: true }, blind)).json().code).toBe("forbidden");
  });
});

test("facts that a later edge says in other words count as unknown, and stop no report", async () => {
  const later = { passed: "palm-reading" } as unknown as NonNullable<LoginEntry["attempt"]>;
  await at.log([
    { ago: 9, player: "A", attempt: later },
    { ago: 8, player: "B", attempt: { vpn: { list: "a\u0000b" } } },
    { ago: 7, player: "C" },
  ]);
  const { rows } = await sql<{ attempt: unknown }>`
    select attempt from login_entries where shield_id = ${at.shieldId} order by player
  `.execute(at.testApp.platform.db);
  expect(rows.map(({ attempt }) => attempt)).toEqual([null, { vpn: { list: "a?b" } }, {}]);
});
