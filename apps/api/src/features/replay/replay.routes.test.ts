import { randomUUID } from "node:crypto";
import type { LoginEntry } from "@palisade/contract/edge/telemetry";
import type { MitigationReplay } from "@palisade/contract/http/replay";
import { roleRights } from "@palisade/contract/http/member-rights";
import { routes } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { loginEntry } from "#src/test-support/login-entry.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  addMember,
  createShield,
  enrolEdge,
  type TestEdge,
} from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";
import { createReplayPlaces } from "./replay-places.ts";
import { replayMitigation } from "./replay.service.ts";

let testApp: TestApp;
let edge: TestEdge;
let owner: TestUser;
let shieldId: string;
const bootId = randomUUID();
let seq = 0;

beforeAll(async () => {
  testApp = await createTestApp();
  // A whole second, so that milliseconds after it are in one.
  testApp.clock.set(new Date(Math.floor(Date.now() / 1_000) * 1_000));
  edge = await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  owner = await createUser(testApp);
  shieldId = (await createShield(testApp, owner)).id;
  await change(
    sql`update shields set pricing_plan_id = (select id from pricing_plans where slug = 'pro')
      where id = ${shieldId}`,
  );
});

const change = (query: ReturnType<typeof sql>) => query.execute(testApp.platform.db);

/** A login so many seconds ago; one second is the same for whole and for part numbers. */
type Told = Omit<Partial<LoginEntry>, "at"> & { readonly ago: number };

async function log(told: readonly Told[], of = shieldId): Promise<void> {
  seq += 1;
  const nothing = { minutes: [], live: [], backends: [], favicons: [], attacks: [] };
  const logins = told.map(({ ago, ...entry }) =>
    loginEntry({
      at: new Date(testApp.clock.nowMs() - ago * 1_000).toISOString(),
      shield_id: of,
      attempt: {},
      ...entry,
    }),
  );
  const answer = await call(testApp, routes.edge.telemetry, {
    token: edge.credential,
    body: { boot_id: bootId, seq, ...nothing, logins },
  });
  expect([answer.statusCode, answer.json().accepted]).toEqual([200, true]);
}

const save = (body: object) =>
  call(testApp, routes.mitigation.updateMitigation, {
    token: owner.token,
    params: { id: shieldId },
    body,
  });

const ask = (body: object, user = owner) =>
  call(testApp, routes.replay.replayMitigation, {
    token: user.token,
    params: { id: shieldId },
    body,
  });

async function replay(body: object, user = owner): Promise<MitigationReplay> {
  const answer = await ask(body, user);
  expect(answer.statusCode, answer.body).toBe(200);
  return routes.replay.replayMitigation.response.parse(answer.json());
}

/** Each change as `player: from > to`, with the reason of a refusal, the oldest first. */
function changesOf({ changes }: MitigationReplay): string[] {
  return changes
    .flatMap(({ rows }) => rows)
    .toSorted((a, b) => a.at.localeCompare(b.at))
    .map(({ player, saved, proposed }) => {
      const [from, to] = [saved, proposed].map(({ outcome, refusal }) => refusal ?? outcome);
      return `${player}: ${from} > ${to}`;
    });
}

const quiet = {
  antibot_level: "disabled",
  mitigation_threshold_enabled: false,
} as const;

/** Networks of their own, so that no rate is met. */
const from = (n: number) => `198.51.${n}.1`;
const valid = Date.parse("2100-01-01T00:00:00Z");

/** A player who was asked to pass a challenge, and did not. */
function failed(
  player: string,
  {
    asked,
    fault,
    ...login
  }: Pick<Told, "ago" | "ip"> & {
    readonly asked: NonNullable<NonNullable<LoginEntry["attempt"]>["asked"]>;
    readonly fault: string;
  },
): Told {
  const facts = { verification: fault };
  const attempt = { asked };
  // The edge can ask players with this version for any challenge.
  return { ...login, player, protocol: 340, verdict: "bot_check", facts, attempt };
}

interface Case {
  readonly name: string;
  readonly saved?: object;
  readonly proposed: object;
  readonly logins: readonly Told[];
  readonly changes: readonly string[];
}

const cases: readonly Case[] = [
  {
    name: "a higher level verifies each unknown player once",
    proposed: { antibot_level: "high" },
    logins: [
      { ago: 90, player: "New", ip: from(1) },
      { ago: 80, player: "Known", ip: from(2), attempt: { passed: "protocol" } },
      { ago: 70, player: "new", ip: "198.51.1.99" },
      { ago: 60, player: "New", ip: from(3) },
    ],
    changes: ["New: admitted > verify", "New: admitted > verify"],
  },
  {
    name: "a player who failed the check is not let in by another level that checks them",
    saved: { ...quiet, antibot_level: "high" },
    proposed: { antibot_level: "extreme" },
    logins: [
      { ago: 50, player: "Bot", verdict: "bot_check", facts: { verification: "silence" } },
      { ago: 20, player: "Alex", verdict: "verified", ip: from(1) },
    ],
    changes: [],
  },
  {
    name: "without a level the verified and the refused of before just join",
    saved: { ...quiet, antibot_level: "high" },
    proposed: { antibot_level: "disabled" },
    logins: [
      { ago: 50, player: "Bot", verdict: "bot_check", facts: { verification: "silence" } },
      { ago: 20, player: "Alex", verdict: "verified", ip: from(1) },
    ],
    changes: ["Bot: bot_check > admitted", "Alex: verify > admitted"],
  },
  {
    name: "fewer logins per second refuse the later ones of each second",
    proposed: { max_connections_enabled: true, max_connections: 2 },
    logins: [
      { ago: 9, player: "A", ip: from(1) },
      { ago: 8.9, player: "B", ip: from(2) },
      { ago: 8.8, player: "C", ip: from(3) },
      { ago: 7.9, player: "D", ip: from(4) },
    ],
    changes: ["C: admitted > max_connections"],
  },
  {
    name: "the cooldown refuses who comes back too soon, and no verified player",
    proposed: { rejoin_cooldown_enabled: true, rejoin_cooldown: 10 },
    logins: [
      { ago: 60, player: "Alex", ip: from(1) },
      { ago: 55, player: "Alex", ip: from(1) },
      { ago: 45, player: "Alex", ip: from(1) },
      { ago: 44, player: "Sam", ip: from(2), attempt: { passed: "protocol" } },
      { ago: 43, player: "Sam", ip: from(2), attempt: { passed: "protocol" } },
    ],
    changes: ["Alex: admitted > cooldown"],
  },
  {
    name: "a login is counted when it was decided, not when its player had joined",
    proposed: { rejoin_cooldown_enabled: true, rejoin_cooldown: 10 },
    logins: [
      { ago: 40, player: "Slow", ip: from(1), attempt: { waited_ms: 20_000 } },
      { ago: 46, player: "Slow", ip: from(1), attempt: { waited_ms: 1_000 } },
    ],
    changes: [],
  },
  {
    name: "anti-VPN refuses the addresses that edges have found in their lists",
    proposed: { anti_vpn: true },
    logins: [
      { ago: 9, player: "Hidden", attempt: { vpn: { list: "hosting" } } },
      { ago: 8, player: "Alex", ip: from(1) },
    ],
    changes: ["Hidden: admitted > vpn"],
  },
  {
    name: "anti-Forge refuses clients with Forge; off, it lets them in",
    saved: { ...quiet, anti_forge: true },
    proposed: { anti_forge: false },
    logins: [{ ago: 9, player: "Modded", verdict: "forge", attempt: { forge: true } }],
    changes: ["Modded: forge > admitted"],
  },
  {
    name: "a login that no edge would read is let in by no packet size",
    saved: { ...quiet, max_packet_size_enabled: true, max_packet_size: 8_000 },
    proposed: { max_packet_size: 10_000 },
    logins: [
      {
        ago: 9,
        player: "",
        verdict: "packet_size",
        facts: { bytes: "9000" },
        attempt: { frame_bytes: 9_000 },
      },
    ],
    changes: [],
  },
  {
    name: "a weaker level checks players who failed the stronger one, unless they answered nothing",
    saved: { ...quiet, antibot_level: "extreme" },
    proposed: { antibot_level: "high" },
    logins: [
      failed("Real", { ago: 50, ip: from(1), asked: "gravity", fault: "no-fall" }),
      failed("Bot", { ago: 40, ip: from(2), asked: "gravity", fault: "silence" }),
    ],
    changes: ["Real: bot_check > verify"],
  },
  {
    name: "without secure profiles no player is refused for an account that was not paid",
    saved: { ...quiet, antibot_level: "high", secure_profiles: true },
    proposed: { secure_profiles: false },
    logins: [
      {
        ...failed("Free", { ago: 50, ip: from(1), asked: "premium", fault: "not-premium" }),
        verdict: "secure_profiles",
      },
    ],
    changes: ["Free: secure_profiles > verify"],
  },
  {
    name: "a failure of the edge says nothing about the player",
    saved: { ...quiet, antibot_level: "high" },
    proposed: { antibot_level: "extreme" },
    logins: [failed("Late", { ago: 50, ip: from(1), asked: "protocol", fault: "no-room" })],
    changes: [],
  },
  {
    name: "a check lets no player join a backend that is down",
    proposed: { antibot_level: "high" },
    logins: [{ ago: 9, player: "Alex", verdict: "offline" }],
    changes: [],
  },
  {
    name: "a transferred player without a cookie is refused at any level but in shadow mode",
    saved: { ...quiet, antibot_level: "low" },
    proposed: { antibot_level: "high" },
    logins: [{ ago: 9, player: "Bot", verdict: "bot_check", facts: { cookie: "left" } }],
    changes: [],
  },
  {
    name: "a larger packet size lets in the packets that are within it",
    saved: { ...quiet, max_packet_size_enabled: true, max_packet_size: 8_000 },
    proposed: { max_packet_size: 10_000 },
    logins: [
      { ago: 9, player: "A", verdict: "packet_size", facts: { bytes: "9000" } },
      { ago: 8, player: "B", verdict: "packet_size", facts: { bytes: "12000" }, ip: from(1) },
    ],
    changes: ["A: packet_size > admitted"],
  },
  {
    name: "secure profiles look at the key where the version shows one, and at the account elsewhere",
    proposed: { secure_profiles: true },
    logins: [
      { ago: 9, player: "None", protocol: 759, ip: from(1) },
      { ago: 8, player: "Old", protocol: 759, ip: from(2), attempt: { profile_key: 1_000 } },
      { ago: 7, player: "Good", protocol: 759, ip: from(3), attempt: { profile_key: valid } },
      { ago: 6, player: "Odd", protocol: 759, ip: from(4), attempt: { profile_key: "unreadable" } },
      { ago: 5, player: "Later", protocol: 765, ip: from(5) },
    ],
    changes: [
      "None: admitted > secure_profiles",
      "Old: admitted > secure_profiles",
      "Odd: admitted > secure_profiles",
      "Later: admitted > verify",
    ],
  },
  {
    name: "names of tools are refused by Advanced AntiBot",
    proposed: { advanced_antibot: true },
    logins: [
      { ago: 9, player: "Bot_17", ip: from(1) },
      { ago: 8, player: "Alex", ip: from(2) },
    ],
    changes: ["Bot_17: admitted > bot_name"],
  },
  {
    name: "a lower threshold makes an attack of a rush, in which newcomers have to have pinged",
    saved: { ...quiet, antibot_level: "low" },
    proposed: {
      mitigation_threshold_enabled: true,
      mitigation_threshold: 2,
      mitigation_duration_enabled: false,
    },
    logins: [
      { ago: 60, player: "A", ip: from(1), attempt: { ping: "none" } },
      { ago: 59.9, player: "B", ip: from(2), attempt: { ping: "none" } },
      { ago: 59.8, player: "C", ip: from(3), attempt: { ping: "none" } },
      { ago: 55, player: "D", ip: from(4), attempt: { ping: "none" } },
      { ago: 54, player: "Pinged", ip: from(5) },
      { ago: 30, player: "E", ip: from(6), attempt: { ping: "none" } },
    ],
    changes: ["C: admitted > bot_check", "D: admitted > bot_check"],
  },
  {
    name: "a higher threshold makes no attack of what was one",
    saved: {
      ...quiet,
      antibot_level: "low",
      mitigation_threshold_enabled: true,
      mitigation_threshold: 2,
    },
    proposed: { mitigation_threshold: 90 },
    logins: [
      {
        ago: 60,
        player: "A",
        ip: from(1),
        verdict: "bot_check",
        attempt: { attack: true, ping: "none" },
      },
      { ago: 59, player: "B", ip: from(2), attempt: { attack: true } },
    ],
    changes: ["A: bot_check > admitted"],
  },
  {
    name: "shadow mode lets in what mitigation refuses, and goes on refusing other versions",
    saved: { ...quiet, anti_forge: true },
    proposed: {
      shadow_mode: true,
      minecraft_version_range_enabled: true,
      minecraft_versions: { min: "1.20", max: "1.21" },
    },
    logins: [
      { ago: 9, player: "Modded", verdict: "forge", attempt: { forge: true } },
      { ago: 8, player: "Old", protocol: 47, ip: from(1) },
    ],
    changes: ["Modded: forge > admitted", "Old: admitted > invalid_version"],
  },
];

describe("a replay of the log", () => {
  test.each(cases)("$name", async ({ saved = quiet, proposed, logins, changes }) => {
    await save(saved);
    await log(logins);
    const answer = await replay(proposed);
    expect(changesOf(answer)).toEqual(changes);
    expect(answer).toMatchObject({
      logins: logins.length,
      left_out: 0,
      assumed: 0,
      differing: 0,
      is_shortened: false,
    });
    // Nothing was saved.
    expect(changesOf(await replay({}))).toEqual([]);
  });

  test("counts what would have become of all logins, and of how many it does not know enough", async () => {
    await save(quiet);
    await log([
      { ago: 9, player: "A", ip: from(1), attempt: undefined },
      { ago: 8, player: "B", ip: from(2), facts: { left_out: "40" } },
      { ago: 7, player: "C", ip: from(3), attempt: { forge: true, ping: "unknown" } },
      { ago: 6, player: "D", ip: from(4), verdict: "vpn" },
      { ago: 5, player: "E", ip: from(5), verdict: "offline" },
    ]);
    expect(await replay({ anti_forge: true })).toMatchObject({
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
    expect((await replay({ antibot_level: "low" })).assumed).toBe(2);
  });

  test("counts what a flood left out in the flood, however late its edge tells of it", async () => {
    await save({ ...quiet, antibot_level: "low" });
    const unpinged = { attempt: { ping: "none" } } as const;
    await log([
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
    expect(changesOf(await replay(rush))).toEqual(["InFlood: admitted > bot_check"]);
  });

  test("says how many players need a paid account, and that sizes of packets are not known", async () => {
    await save(quiet);
    await log([
      { ago: 9, player: "A", ip: from(1), protocol: 765 },
      { ago: 8, player: "B", ip: from(2), protocol: 765 },
    ]);
    expect(await replay({ secure_profiles: true })).toMatchObject({
      account_checks: 2,
      sizes_unknown: false,
    });
    const smaller = { max_packet_size_enabled: true, max_packet_size: 8_000 };
    expect(await replay(smaller)).toMatchObject({ account_checks: 0, sizes_unknown: true });
  });

  test("goes by the lists as they are saved", async () => {
    await save({ ...quiet });
    await log([
      { ago: 9, player: "Trusted", ip: from(1), attempt: { forge: true } },
      { ago: 8, player: "Modded", ip: from(2), attempt: { forge: true } },
      { ago: 7, player: "builder", ip: from(3), attempt: { forge: true } },
    ]);
    await call(testApp, routes.firewall.addFirewallEntry, {
      token: owner.token,
      params: { id: shieldId },
      body: { type: "whitelist", ip: from(1) },
    });
    await call(testApp, routes.firewall.addFirewallEntry, {
      token: owner.token,
      params: { id: shieldId },
      body: { type: "whitelist", ip: "Builder" },
    });
    await call(testApp, routes.firewall.updateFirewall, {
      token: owner.token,
      params: { id: shieldId },
      body: { ip_whitelist_enabled: true },
    });
    const rows = await replay({ anti_forge: true });
    expect(changesOf(rows)).toEqual(["Modded: admitted > forge"]);
  });

  test("looks at the last 24 hours, and at the newest logins of them where there are too many", async () => {
    await save(quiet);
    await log([
      { ago: 25 * 3_600, player: "Yesterday", attempt: { forge: true } },
      ...[9, 8, 7, 6].map((ago) => ({
        ago,
        player: `P${ago}`,
        ip: from(ago),
        attempt: { forge: true } as const,
      })),
    ]);
    const all = await replay({ anti_forge: true });
    expect([all.logins, all.is_shortened]).toEqual([4, false]);
    expect(Date.parse(all.to) - Date.parse(all.from)).toBe(24 * 3_600_000);
    const { signal } = new AbortController();
    const now = testApp.clock.now();
    const request = { shieldId, body: { anti_forge: true }, now, signal, loginsMax: 3 };
    const newest = await replayMitigation(testApp.platform.db, request);
    expect([newest.summary.logins, newest.isShortened]).toEqual([3, true]);
    expect(now.getTime() - newest.from.getTime()).toBe(8_000);
  });

  test("shows the newest hundred of each kind of change, with the outcomes in words", async () => {
    await save(quiet);
    await log(
      Array.from({ length: 120 }, (_, n) => ({
        ago: 300 - n,
        player: `P${n}`,
        ip: from(n),
        attempt: { forge: true } as const,
      })),
    );
    const [kind] = (await replay({ anti_forge: true })).changes;
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
    const other = (await createShield(testApp, owner)).id;
    await log([{ ago: 9, player: "Modded", attempt: { forge: true } }], other);
    const answer = await replay({ anti_forge: true });
    expect([answer.logins, answer.changes]).toEqual([0, []]);
  });

  test("refuses what could not be saved either", async () => {
    await change(
      sql`update shields set pricing_plan_id = (select id from pricing_plans where slug = 'free')
        where id = ${shieldId}`,
    );
    expect((await ask({ anti_vpn: true })).json().code).toBe("plan_required");
    const invalid = await ask({ max_connections_enabled: true, max_connections: 0 });
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
    await log(Array.from({ length: 150 }, (_, n) => ({ ago: 300 - n, player: `P${n}` })));
    const request = { shieldId, body: {}, now: testApp.clock.now(), signal: AbortSignal.abort() };
    await expect(replayMitigation(testApp.platform.db, request)).rejects.toMatchObject({
      code: "unavailable",
    });
  });
});

describe("members", () => {
  async function member(rights: object): Promise<TestUser> {
    const user = await createUser(testApp);
    await addMember(testApp, shieldId, user);
    await change(
      sql`update shield_members set member_role = 'custom', rights = ${JSON.stringify(rights)}::jsonb
        where user_id = ${user.id}`,
    );
    return user;
  }

  test("see addresses only with the right to them, and need the right to the log", async () => {
    await save(quiet);
    await log([{ ago: 9, player: "Modded", ip: "203.0.113.7", attempt: { forge: true } }]);
    const viewer = await member(roleRights.viewer);
    expect((await replay({ anti_forge: true }, viewer)).changes[0]?.rows[0]?.ip).toBe("203.0.*.*");
    const operator = await member(roleRights.operator);
    expect((await replay({ anti_forge: true }, operator)).changes[0]?.rows[0]?.ip).toBe(
      "203.0.113.7",
    );
    const blind = await member({ ...roleRights.viewer, logs: "none" });
    expect((await ask({ anti_forge: true }, blind)).json().code).toBe("forbidden");
  });
});

test("facts that a later edge says in other words count as unknown, and stop no report", async () => {
  const later = { passed: "palm-reading" } as unknown as NonNullable<LoginEntry["attempt"]>;
  await log([
    { ago: 9, player: "A", attempt: later },
    { ago: 8, player: "B", attempt: { vpn: { list: "a\u0000b" } } },
    { ago: 7, player: "C" },
  ]);
  const { rows } = await sql<{ attempt: unknown }>`
    select attempt from login_entries where shield_id = ${shieldId} order by player
  `.execute(testApp.platform.db);
  expect(rows.map(({ attempt }) => attempt)).toEqual([null, { vpn: { list: "a?b" } }, {}]);
});
