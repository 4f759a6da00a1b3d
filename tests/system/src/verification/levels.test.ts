import { startImpairmentProxy } from "@palisade/testing/impairment-proxy";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tryLogin } from "../minecraft/java-client.ts";
import {
  type HostedServer,
  type JoinOptions,
  type PeerHost,
  startPeerHost,
} from "../minecraft/peer-host.ts";
import { hostOf, type Level, levels, type Version, versions } from "./cases.ts";
import { type EdgeProgram, startEdgeProgram } from "./edge-program.ts";
import { createProfileKey, type SessionServer, startSessionServer } from "./session-server.ts";
import { shieldOf, texts } from "./shields.ts";

/**
 * Real clients of every version at every AntiBot level, on the way to servers in online mode: what
 * the edge asks them, and that everything behind is as without it.
 */

const attackThreshold = 1;
const profileKey = createProfileKey();
let sessions: SessionServer;
let peers: PeerHost;
let edge: EdgeProgram;
const servers = new Map<string, HostedServer>();

beforeAll(async () => {
  [sessions, peers] = await Promise.all([startSessionServer(), startPeerHost()]);
  for (const { version } of versions) {
    const options = { version, proxy: true, sessionPort: sessions.port };
    servers.set(version, await peers.serve(version, options));
  }
  const shields = levels.map(({ name, antibot, advanced, isAttacked }, at) =>
    shieldOf({
      n: at + 1,
      mitigation: {
        antibot,
        advanced_antibot: advanced,
        attack_threshold: isAttacked ? attackThreshold : null,
        // None of these games sends more before encryption; the later bytes are not measured.
        packet_bytes_max: 5_000,
      },
      servers: new Map([...servers].map(([version, server]) => [hostOf(version, name), server])),
    }),
  );
  edge = await startEdgeProgram({ shields, sessionServerUrl: sessions.url });
  await edge.serversUp(levels.length * versions.length);
  await attack(levels.filter(({ isAttacked }) => isAttacked));
});

afterAll(async () => {
  await Promise.all([edge?.stop(), peers?.end(), sessions?.end()]);
});

/** Logins that are no players', as many as it takes. */
async function attack(attacked: readonly Level[]): Promise<void> {
  const hosts = attacked.map(({ name }) => hostOf("1.8.8", name));
  let round = 0;
  await until(
    async () => {
      // From many networks, as attacks are; loopback is never banned.
      const from = `127.200.${round++ % 250}.1`;
      const logins = [...hosts, ...hosts].map((host) =>
        tryLogin({ edge: edge.address, host, from }, "no-player"),
      );
      await Promise.all(logins);
      return (await edge.metric("shields_under_attack")) === attacked.length;
    },
    { what: "an attack on every shield that is to have one" },
  );
}

/** How a player was admitted: at once, transferred back, or asked to rejoin. */
type Way = "straight" | "transfer" | "rejoin";

interface LevelOutcome {
  readonly first: Way;
  readonly again: Way;
  /** Facts that the server saw of the joins, and the client of its connection. */
  readonly seen: Awaited<ReturnType<typeof play>>[];
}

/** A new player pings the server list, joins, plays, and comes back later. */
async function join({ version, player: name }: Version, level: Level): Promise<LevelOutcome> {
  const at = versions.findIndex((each) => each.version === version);
  const player = `${name}_${level.name.replace("-advanced", "_a")}`;
  const from = `127.${10 + levels.indexOf(level)}.${at}.1`;
  const options = { ...optionsOf(version, level.name, player), from };
  await peers.ping(options);
  const first = await enter(options);
  const seen = [await play(options)];
  const again = await enter(options);
  seen.push(await play(options));
  return { first, again, seen };
}

/** As who plays this version comes to a shield of that level, with an account. */
function optionsOf(version: Version["version"], level: string, player: string): JoinOptions {
  const keyed = version === "1.19" || version === "1.19.2";
  return {
    edge: edge.address,
    hostname: hostOf(version, level),
    version,
    player,
    account: { ...sessions.account(player), ...(keyed ? { profileKey } : {}) },
    falls: true,
    greeted: true,
  };
}

/** @throws where he does not get in */
async function enter(options: JoinOptions): Promise<Way> {
  const server = serverOf(options);
  let way: Way = "straight";
  let outcome = await peers.join(options);
  if (outcome.outcome === "kicked" && outcome.text.startsWith(texts.rejoin)) {
    way = "rejoin";
    outcome = await peers.join(options);
  }
  if (outcome.outcome !== "joined")
    throw new Error(`${options.player}: ${JSON.stringify(outcome)}`);
  const { source, transfers } = outcome;
  // The server knows the player's address by its PROXY header.
  const headers = server.connections().filter(({ kind }) => kind === "player");
  expect(headers).toContainEqual(expect.objectContaining({ kind: "player", ...source }));
  if (transfers === 0) return way;
  expect(transfers).toBe(1);
  return "transfer";
}

/** There and back through the relay, then leaves. */
async function play({ player, account, ...options }: JoinOptions) {
  const server = serverOf(options);
  const { isEncrypted } = await peers.echo(player, "still there");
  const joins = server.joins().filter((join) => join.player === player);
  const { intent, uuid = "" } = joins.at(-1) ?? {};
  await peers.quit(player);
  await until(() => !server.players().includes(player), { what: `${player} to leave` });
  return { isEncrypted, intent, isOwner: uuid.replaceAll("-", "") === account?.id };
}

function serverOf({ version = "" }: Pick<JoinOptions, "version">): HostedServer {
  const server = servers.get(version);
  if (server === undefined) throw new Error(`no server of ${version}`);
  return server;
}

describe.each(versions)("a player of Minecraft $version", (version) => {
  test("gets in at every level, is asked once at most, and plays encrypted as on a server of its own", async () => {
    const pages = await Promise.all(
      levels.map(async (level) => [level.name, await join(version, level)] as const),
    );
    const asPlayed = { isEncrypted: true, intent: 2, isOwner: true };
    const expected = levels.map(({ name, verifies }) => [
      name,
      {
        first: verifies ? version.back : "straight",
        again: "straight",
        seen: [asPlayed, asPlayed],
      },
    ]);
    expect(Object.fromEntries(pages)).toEqual(Object.fromEntries(expected));
  });
});

describe.each(["low", "medium-advanced"])("while a shield of level %s is attacked", (level) => {
  test("a player who has not pinged the server list does so before they are admitted", async () => {
    const player = `Hasty_${level.slice(0, 6)}`;
    const options = { ...optionsOf("1.20.4", level, player), from: `127.${90 + level.length}.1.1` };
    const outcome = await peers.join(options);
    expect(outcome).toMatchObject({ outcome: "kicked", state: "login" });
    if (outcome.outcome === "kicked") expect(outcome.text).toMatch(texts.bot_check);
    const server = serverOf(options);
    expect(server.joins().map((join) => join.player)).not.toContain(player);
    await peers.ping(options);
    await enter(options);
    expect(server.players()).toContain(player);
    await play(options);
  });
});

describe("on a line that takes 800 ms there and back", () => {
  test("players pass the checks of movement, and come back over the same line", async () => {
    const line = await startImpairmentProxy(edge.address);
    line.impair({ delayMs: 400 });
    const players = [
      ["1.8.8", "high", "Slowhand", "kicked"],
      ["1.16.5", "high-advanced", "Snail", "kicked"],
      ["1.20.4", "high-advanced", "Turtle", "kicked"],
      ["1.21.4", "high-advanced", "Sloth", "joined"],
    ] as const;
    try {
      await Promise.all(
        players.map(async ([version, level, player, first]) => {
          const { host, port } = line;
          const options = { ...optionsOf(version, level, player), edge: { host, port } };
          const outcome = await peers.join(options);
          expect([player, outcome.outcome]).toEqual([player, first]);
          if (first === "joined") expect(outcome.transfers).toBe(1);
          else expect((await peers.join(options)).outcome).toBe("joined");
          await peers.quit(player);
        }),
      );
    } finally {
      await line.close();
    }
  });
});
