import { isDeepStrictEqual } from "node:util";
import type { LogEntry } from "@palisade/contract/http/logs";
import { mitigationRoutes } from "@palisade/contract/http/mitigation";
import { replayRoutes } from "@palisade/contract/http/replay";
import { routes } from "@palisade/contract/http/routes";
import { encodeFrame } from "@palisade/minecraft-protocol/java/fields";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { freePort } from "@palisade/testing/free-port";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { legacyLogin } from "../minecraft/legacy-client.ts";
import { wrongCode } from "../minecraft/peer-host.ts";
import { isEchoed, startEchoServer } from "../overload/echo-server.ts";
import { groupsOf } from "../routing/backend-groups.ts";
import { attack, attacksOn } from "./attack.ts";
import type { GuardedShield, LogQuery } from "./guarded-shield.ts";
import { readKick, standardTexts } from "./kick-text.ts";
import { rawLogin } from "./raw-login.ts";
import { hello, join, type Rule, rules, type JoinResult } from "./rules.ts";
import { listedBeginning, type MitigationFixture, startMitigationFixture } from "./fixture.ts";

/**
 * Mitigation as its owner sets it and players see it: each rule on and off with real clients and
 * servers, through the whole product.
 */

/** On lists of VPNs, too. */
const trusted = `${listedBeginning}0.1`;
let fixture: MitigationFixture;

beforeAll(async () => {
  fixture = await startMitigationFixture();
});

afterAll(() => fixture?.end());

/** The text a rule's refused read, but for what is filled in for each of them. */
function textOf({ on: { minecraft_versions: range } }: Rule, text = ""): string {
  return text
    .replaceAll("{min_version}", range?.min ?? "")
    .replaceAll("{max_version}", range?.max ?? "");
}

const logLook = { everyMs: 700, what: "the log's entries" };

describe("each rule", () => {
  test.concurrent.each(rules)(
    "$name refuses only the players it is against, in the owner's words; in shadow mode it only logs them; the overview counts what the log lists",
    async (rule) => {
      const shield = await fixture.newShield(rule);
      const join = (from?: string, to = shield): Promise<JoinResult> =>
        rule.offend(fixture, fixture.joinerAt(to, from));
      const refused = () =>
        until(async () => {
          const found = await join();
          return found.kick !== undefined && found;
        });
      const [group, message] = rule.message;
      const isShadowTold = rule.isSoft && rule.isForeseen !== false;

      // So that many at once are no attack, which has limits of its own.
      await shield.set({ ...rule.off, mitigation_threshold_enabled: false });
      expect((await join()).kick).toBeUndefined();
      await shield.set(rule.on);
      const first = await refused();
      const told = [readKick(first.kick, textOf(rule, standardTexts[message]))];
      expect((await join(undefined, fixture.neighbourOf(rule.version))).kick).toBeUndefined();
      expect((await rule.obey(fixture, fixture.joinerAt(shield))).kick).toBeUndefined();

      await shield.say({ [group]: { [message]: rule.ownText } });
      const second = await refused();
      told.push(readKick(second.kick, textOf(rule, rule.ownText)));
      expect(told[1]?.player).toBe(second.player);

      await shield.trust(trusted);
      expect((await join(trusted)).kick === undefined).toBe(rule.isSoft);
      await shield.set({ shadow_mode: true });
      await until(async () => {
        expect((await join()).kick === undefined).toBe(rule.isSoft);
        const found = await shield.entries({ verdict: rule.reason });
        // A counting window that ended during the join leaves no entry in the log.
        return !isShadowTold || found.some(({ shadow }) => shadow);
      }, logLook);
      await shield.set({ ...rule.off, shadow_mode: false });
      expect((await join()).kick).toBeUndefined();

      const entries = await until(async () => {
        const found = await shield.entries({ verdict: rule.reason });
        const isTold = told.every(({ trace }) => found.some((entry) => entry.trace === trace));
        return isTold && found;
      }, logLook);
      expect(entries.some(({ shadow }) => shadow)).toBe(isShadowTold);
      for (const entry of entries) {
        expect(entry).toMatchObject({ facts: rule.facts, host: shield.domain });
      }
      const [entry, ...others] = await shield.entries({ trace: told[0]?.trace ?? "" });
      expect([entry?.player, entry?.shadow, others]).toEqual([first.player, false, []]);
      await expectCounted(shield);
    },
  );

  test.concurrent("an attack makes the level stricter for as long as it lasts, but in shadow mode, and is told once", async () => {
    const { edge, owner, peers } = fixture.minecraft;
    const shield = await fixture.newShield();
    await shield.set({ mitigation_threshold: 5 });
    expect((await join(fixture, fixture.joinerAt(shield))).kick).toBeUndefined();
    expect(await attacksOn(fixture, shield)).toEqual([]);

    const running = await attack(fixture, shield);
    expect(running).toMatchObject({ ended_at: null, relaxed_to: null, edges: 1 });
    const { data: overview } = await owner(routes.servers.getOverview, { params: shield.params });
    expect(overview.under_attack).toBe(true);
    const stranger = await join(fixture, fixture.joinerAt(shield));
    readKick(stranger.kick, standardTexts["bot_check_msg"] ?? "");
    const [entry] = await logged(shield, { verdict: "bot_check" });
    expect(entry?.facts).toMatchObject({ ping: "none" });
    // This player's network has no other players.
    const player = fixture.joinerAt(shield, "127.3.0.1");
    await peers.ping({ edge, hostname: shield.domain, from: player.from });
    // Medium, as every new shield has it: unknown players are verified.
    readKick((await join(fixture, player)).kick, standardTexts["rejoin_msg"] ?? "");
    expect((await join(fixture, player)).kick).toBeUndefined();
    await shield.set({ shadow_mode: true });
    expect((await join(fixture, fixture.joinerAt(shield))).kick).toBeUndefined();

    // Ten seconds after the flood then, where it were fifteen minutes.
    await shield.set({ mitigation_duration_enabled: false, shadow_mode: false });
    const [over, ...others] = await until(
      async () => {
        const found = await attacksOn(fixture, shield);
        return found[0]?.ended_at !== null && found;
      },
      { everyMs: 500, what: "the end of the attack" },
    );
    expect(others).toEqual([]);
    expect(over?.id).toBe(running.id);
    expect(over?.peak_per_second).toBeGreaterThan(5);
    expect(over?.sources).toBeGreaterThanOrEqual(3);
    expect(over?.refused.bot_check).toBeGreaterThan(0);
    expect((await join(fixture, fixture.joinerAt(shield))).kick).toBeUndefined();
  });

  test.concurrent("players who were verified just now relax no level, however many of them fail during an attack", async () => {
    const shield = await fixture.newShield({ plan: "Pro" });
    await shield.set({ antibot_level: "high", mitigation_threshold_enabled: false });
    const players = [1, 2, 3, 4, 5, 6].map((n) => fixture.joinerAt(shield, `127.6.${n}.1`));
    // There is neither a boat nor a resource pack for 1.8.8, so the captcha comes soon.
    const client = { version: "1.8.8", captcha: wrongCode };
    const joinAll = () => Promise.all(players.map((player) => join(fixture, player, client)));
    const rejoin = standardTexts["rejoin_msg"] ?? "";
    for (const { kick } of await joinAll()) readKick(kick, rejoin);
    // Movement is enough for level high; extreme asks for a captcha, which none solves.
    await shield.set({
      antibot_level: "extreme",
      mitigation_threshold_enabled: true,
      mitigation_threshold: 5,
    });
    expect((await attack(fixture, shield)).relaxed_to).toBeNull();
    for (let attempt = 0; attempt < 2; attempt++) {
      for (const { kick } of await joinAll()) readKick(kick, standardTexts["bot_check_msg"] ?? "");
    }
    expect((await attack(fixture, shield)).relaxed_to).toBeNull();
  });

  test.concurrent("a packet above the limit is refused by its length, from Login Start on; one within it gets in; the overview counts what the log lists", async () => {
    const shield = await fixture.newShield();
    // Bytes behind Login Start are a signal, for which Medium checks a player.
    await shield.set({ antibot_level: "low" });
    const { edge } = fixture.minecraft;
    const words = "§cYour game has sent too much at once.";
    // A login of 1.20.4 with one packet more, as mods send them.
    const modded = (bytes: number) => {
      const { player, from } = fixture.joinerAt(shield);
      const start = encodeLoginStart(player, Buffer.alloc(16, 1));
      const login = hello(fixture, { shield, player }, { protocol: 765, start });
      const more = encodeFrame(2, Buffer.alloc(bytes - 1, 1));
      return rawLogin(edge, from, Buffer.concat([login, more]));
    };
    /** A Login Start of 24,000 bytes, of which more than the length never comes. */
    const announce = () => {
      const { player, from } = fixture.joinerAt(shield);
      const start = Buffer.of(0xc0, 0xbb, 0x01);
      return rawLogin(edge, from, hello(fixture, { shield, player }, { start }));
    };
    expect(await modded(100_000)).toBe("admitted");
    expect(await announce()).toBe("closed");
    await shield.set({ max_packet_size_enabled: true, max_packet_size: 5_000 });
    expect(await modded(5_000)).toBe("admitted");
    const first = readKick(await modded(5_001), words);
    const second = readKick(await announce(), words);
    expect((await join(fixture, fixture.joinerAt(shield))).kick).toBeUndefined();
    await shield.set({ max_packet_size: 5_001 });
    expect(await modded(5_001)).toBe("admitted");
    await shield.set({ max_packet_size: 5_000, shadow_mode: true });
    expect(await modded(5_001)).toBe("admitted");
    // No login can go on with it, so shadow mode has nothing to admit.
    expect(await announce()).toBe("closed");
    const facts = [
      [first, "5001"],
      [second, "24000"],
    ] as const;
    for (const [{ trace }, bytes] of facts) {
      const [entry] = await logged(shield, { trace });
      expect(entry).toMatchObject({ verdict: "packet_size", facts: { bytes }, shadow: false });
    }
    await expectCounted(shield);
  });

  test.concurrent("at level high an unknown player is verified and told so in the owner's words; whitelisted or in shadow mode they are not; the overview counts what the log lists", async () => {
    const shield = await fixture.newShield({ plan: "Pro" });
    await shield.set({ antibot_level: "high" });
    const rejoinMsg = "&2Danke, {player}!\n&7{trace} &onochmal";
    const joiner = fixture.joinerAt(shield);
    const first = readKick((await join(fixture, joiner)).kick, standardTexts["rejoin_msg"] ?? "");
    expect((await join(fixture, joiner)).kick).toBeUndefined();
    await shield.say({ mitigation: { rejoin_msg: rejoinMsg } });
    const other = fixture.joinerAt(shield);
    expect(readKick((await join(fixture, other)).kick, rejoinMsg).player).toBe(other.player);
    // The edge cannot verify a game older than 1.7 and therefore refuses it.
    const range = { min: "1.5.2", max: "1.21.8" };
    await shield.set({ minecraft_version_range_enabled: true, minecraft_versions: range });
    const veteran = fixture.joinerAt(shield);
    const old = {
      edge: fixture.minecraft.edge,
      host: shield.domain,
      protocol: 78,
      from: veteran.from,
    };
    readKick(await legacyLogin(old, veteran.player), standardTexts["bot_check_msg"] ?? "");
    await shield.trust(trusted);
    expect((await join(fixture, fixture.joinerAt(shield, trusted))).kick).toBeUndefined();
    await shield.set({ shadow_mode: true });
    expect((await join(fixture, fixture.joinerAt(shield))).kick).toBeUndefined();
    const [entry] = await logged(shield, { trace: first.trace });
    expect(entry).toMatchObject({ verdict: "verified", player: joiner.player, shadow: false });
    await expectCounted(shield);
  });

  test.concurrent("acts at once while the game server is off, before a player hears that it is", async () => {
    const shield = await fixture.newShield({ port: await freePort() });
    const modded = () => join(fixture, fixture.joinerAt(shield), { marker: "\0FML3\0" });
    const offline = standardTexts["offline_kick_msg"] ?? "";
    readKick((await modded()).kick, offline);
    await shield.set({ anti_forge: true });
    readKick((await modded()).kick, standardTexts["forge_msg"] ?? "");
    readKick((await join(fixture, fixture.joinerAt(shield))).kick, offline);
    await shield.set({ anti_forge: false });
    readKick((await modded()).kick, offline);
    await logged(shield, { verdict: "forge" });
    expect(await shield.entries({ verdict: "joined" })).toEqual([]);
  });

  test.concurrent("a replay of the log says of a change exactly how it treats the same players once it is saved", async () => {
    const { owner, peers } = fixture.minecraft;
    const shield = await fixture.newShield({ plan: "Pro" });
    const { params } = shield;
    await shield.trust(trusted);
    await shield.set({ antibot_level: "disabled", mitigation_threshold_enabled: false });
    const plain = fixture.joinerAt(shield);
    const other = fixture.joinerAt(shield);
    const players = [
      [plain],
      [{ ...other, player: other.player.replace(/\D+/, "Bot_") }],
      [fixture.joinerAt(shield), { marker: "\0FORGE" }],
      [fixture.joinerAt(shield, `${listedBeginning}0.9`)],
      [fixture.joinerAt(shield, trusted), { marker: "\0FORGE" }],
    ] as const;
    const joinAll = () =>
      Promise.all(players.map(([joiner, options]) => join(fixture, joiner, options)));
    expect((await joinAll()).map(({ kick }) => kick)).toEqual(players.map(() => undefined));
    const newest = async (count: number) =>
      (
        await until(
          async () => {
            const entries = await shield.entries({});
            return entries.length === count && entries;
          },
          { everyMs: 500, what: "the log's entries" },
        )
      ).slice(0, players.length);
    const before = await newest(players.length);

    const body = {
      anti_forge: true,
      anti_vpn: true,
      advanced_antibot: true,
      antibot_level: "high",
    } as const;
    const { data: replay } = await owner(replayRoutes.replayMitigation, { params, body });
    expect(replay).toMatchObject({ logins: players.length, left_out: 0, differing: 0 });
    const foreseen = new Map(before.map(({ player }) => [player, "joined"]));
    for (const { rows } of replay.changes) {
      for (const { player, proposed } of rows) {
        foreseen.set(player, proposed.refusal ?? "verified");
      }
    }
    expect(new Set(foreseen.values())).toEqual(
      new Set(["verified", "bot_name", "forge", "vpn", "joined"]),
    );

    await shield.set(body);
    await Promise.all(players.map(([{ player }]) => peers.quit(player)));
    await joinAll();
    const after = await newest(2 * players.length);
    expect(new Map(after.map(({ player, verdict }) => [player, verdict]))).toEqual(foreseen);
    // Verified now, this player may come in.
    expect((await join(fixture, plain)).kick).toBeUndefined();
  });

  test.concurrent("games that are not parsed are cut off by the limit of connections, but in shadow mode", async () => {
    const server = await startEchoServer();
    const shield = await fixture.newShield({ plan: "Pro" });
    const group = await groupsOf(fixture.minecraft, shield).add({
      name: "Terraria",
      game: "other",
    });
    await group.addServer(server.port);
    const { port } = await group.seen();
    const target = { host: fixture.minecraft.edge.host, port: port ?? 0 };
    const threeAtOnce = () =>
      Promise.all([1, 2, 3].map(() => isEchoed(target, fixture.joinerAt(shield).from)));
    // Its port opens with the edge's next look at what ports there are.
    await until(async () => (await threeAtOnce()).every(Boolean));
    await shield.set({ max_connections_enabled: true, max_connections: 1 });
    await until(async () => (await threeAtOnce()).includes(false));
    await shield.set({ shadow_mode: true });
    expect(await threeAtOnce()).toEqual([true, true, true]);
    server.stop();
  });
});

/** The log entries of the shield, once there are any. */
function logged(shield: GuardedShield, query: LogQuery): Promise<LogEntry[]> {
  const found = async () => {
    const entries = await shield.entries(query);
    return entries.length > 0 && entries;
  };
  return until(found, { everyMs: 500, what: "the log's entry" });
}

/** Verdicts that are no refusals. */
const letGo: ReadonlySet<LogEntry["verdict"]> = new Set(["joined", "verified", "left"]);

/**
 * The overview counts the connections that the log lists, refused and in shadow mode; analytics and its
 * CSV count the kicks by their reason.
 */
async function expectCounted(shield: GuardedShield): Promise<void> {
  const { params } = shield;
  const { owner } = fixture.minecraft;
  const counted = async () => {
    const { data: overview } = await owner(routes.servers.getOverview, { params });
    const { data: settings } = await owner(mitigationRoutes.getMitigation, { params });
    const query = { range: "24h" } as const;
    const { data: analytics } = await owner(routes.analytics.getAnalytics, { params, query });
    const { data: csv } = await owner(routes.analytics.exportAnalytics, { params, query });
    return {
      refused: overview.blocked_connections,
      shadowed: settings.shadowed_24h,
      byReason: analytics.totals.refused,
      exported: refusedIn(csv),
    };
  };
  const listed = async () => {
    const entries = await shield.entries({});
    const names = entries.filter(({ verdict }) => !letGo.has(verdict));
    const shadowed: Record<string, number> = {};
    const byReason: Record<string, number> = {};
    for (const { verdict, shadow } of names) {
      const counts = shadow ? shadowed : byReason;
      counts[verdict] = (counts[verdict] ?? 0) + 1;
    }
    const refused = names.filter(({ shadow }) => !shadow).length;
    return { refused, shadowed, byReason, exported: byReason };
  };
  // Log and counts each arrive in their own time.
  await until(async () => isDeepStrictEqual(await counted(), await listed()), {
    everyMs: 2_000,
    what: "the connections of the log in overview, analytics and CSV",
  });
}

/** Sums of the columns of the CSV that count kicks, by reason. */
function refusedIn(csv: string): Record<string, number> {
  const [head = [], ...lines] = csv
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));
  const sums = head.flatMap((name, column) => {
    const sum = lines.reduce((total, line) => total + Number(line[column] ?? 0), 0);
    return name.startsWith("refused_") && sum > 0 ? [[name.slice(8), sum] as const] : [];
  });
  return Object.fromEntries(sums);
}
