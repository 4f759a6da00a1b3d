import type { AntibotLevel } from "@palisade/contract/edge/shield-config";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tryLogin } from "../minecraft/java-client.ts";
import {
  type HostedServer,
  type JoinWish,
  type PeerHost,
  startPeerHost,
} from "../minecraft/peer-host.ts";
import { type EdgeProgram, startEdgeProgram } from "./edge-program.ts";
import { createProfileKey, type SessionServer, startSessionServer } from "./session-server.ts";
import { shieldOf, texts } from "./shields.ts";

/**
 * Real clients of every version at every AntiBot level, on the way to servers in online mode: what
 * the edge asks them, and that everything behind is as without it.
 */

/** `gravity`: the strictest check is a fall; of the others it is the account. */
const versions = [
  { version: "1.8.8", person: "Steve", back: "rejoin", strictest: "gravity" },
  { version: "1.12.2", person: "Alexa", back: "rejoin", strictest: "gravity" },
  { version: "1.15.2", person: "Mira", back: "rejoin", strictest: "gravity" },
  { version: "1.16.5", person: "Jonas", back: "rejoin", strictest: "premium" },
  { version: "1.18.2", person: "Olga", back: "rejoin", strictest: "premium" },
  { version: "1.19", person: "Pavel", back: "rejoin", strictest: "premium" },
  { version: "1.19.2", person: "Greta", back: "rejoin", strictest: "premium" },
  { version: "1.20.1", person: "Hugo", back: "rejoin", strictest: "premium" },
  { version: "1.20.2", person: "Lena", back: "rejoin", strictest: "premium" },
  { version: "1.20.4", person: "Boris", back: "rejoin", strictest: "premium" },
  { version: "1.20.6", person: "Nora", back: "transfer", strictest: "premium" },
  { version: "1.21.4", person: "Emil", back: "transfer", strictest: "premium" },
  { version: "1.21.8", person: "Tessa", back: "transfer", strictest: "premium" },
  { version: "26.1", person: "Ivan", back: "transfer", strictest: "premium" },
] as const;
type Version = (typeof versions)[number];

interface Level {
  readonly name: string;
  readonly antibot: AntibotLevel;
  readonly advanced: boolean;
  readonly isAttacked: boolean;
  /** Whether an unknown player is verified. */
  readonly verifies: boolean;
}

const levels: readonly Level[] = [
  ...[true, false].flatMap((advanced): Level[] => {
    const level = (antibot: AntibotLevel, isAttacked: boolean, verifies: boolean): Level => ({
      name: `${antibot}${advanced ? "-advanced" : ""}`,
      antibot,
      advanced,
      isAttacked,
      verifies,
    });
    return [
      level("low", true, false),
      level("medium", true, true),
      level("high", false, true),
      level("extreme", false, true),
    ];
  }),
  { name: "calm", antibot: "medium", advanced: true, isAttacked: false, verifies: false },
];

const attackThreshold = 1;
const profileKey = createProfileKey();
let sessions: SessionServer;
let peers: PeerHost;
let edge: EdgeProgram;
const servers = new Map<string, HostedServer>();

beforeAll(async () => {
  [sessions, peers] = await Promise.all([startSessionServer(), startPeerHost()]);
  for (const { version } of versions) {
    const wish = { version, proxy: true, sessionPort: sessions.port };
    servers.set(version, await peers.serve(version, wish));
  }
  const shields = levels.map(({ name, antibot, advanced, isAttacked }, at) =>
    shieldOf({
      n: at + 1,
      mitigation: {
        antibot,
        advanced_antibot: advanced,
        attack_threshold: isAttacked ? attackThreshold : null,
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

function hostOf(version: string, level: string): string {
  return `v${version.replaceAll(".", "-")}.${level}.example.org`;
}

/** Logins that are no players', as many as it takes. */
async function attack(attacked: readonly Level[]): Promise<void> {
  await until(
    async () => {
      const hosts = attacked.map(({ name }) => hostOf("1.8.8", name));
      const logins = [...hosts, ...hosts].map((host) =>
        tryLogin({ edge: edge.address, host, from: "127.200.0.1" }, "no-player"),
      );
      await Promise.all(logins);
      return (await edge.metric("shields_under_attack")) === attacked.length;
    },
    { what: "an attack on every shield that is to have one" },
  );
}

/** How somebody has got in: at once, sent back by himself, or asked to. */
type Way = "straight" | "transfer" | "rejoin";

interface Visit {
  readonly first: Way;
  readonly again: Way;
  /** What the server saw of both, and the client of its connection. */
  readonly seen: Awaited<ReturnType<typeof play>>[];
}

/** A newcomer as people are: looks at the list, joins, plays, and comes back later. */
async function visit({ version, person, strictest }: Version, level: Level): Promise<Visit> {
  const player = `${person}_${level.name.replace("-advanced", "_a")}`;
  const at = versions.findIndex((each) => each.version === version);
  const falls = level.antibot === "extreme" && strictest === "gravity";
  const keyed = version === "1.19" || version === "1.19.2";
  const wish: JoinWish = {
    edge: edge.address,
    hostname: hostOf(version, level.name),
    version,
    from: `127.${10 + levels.indexOf(level)}.${at}.1`,
    player,
    account: { ...sessions.account(player), ...(keyed ? { profileKey } : {}) },
    ...(falls ? { program: "mineflayer", greeted: true } : {}),
  };
  await peers.ping(wish);
  const first = await enter(wish);
  const seen = [await play(wish)];
  const again = await enter(wish);
  seen.push(await play(wish));
  return { first, again, seen };
}

/** @throws where he does not get in */
async function enter(wish: JoinWish): Promise<Way> {
  const server = serverOf(wish);
  let way: Way = "straight";
  let outcome = await peers.join(wish);
  if (outcome.outcome === "kicked" && outcome.text.startsWith(texts.rejoin)) {
    way = "rejoin";
    outcome = await peers.join(wish);
  }
  if (outcome.outcome !== "joined") throw new Error(`${wish.player}: ${JSON.stringify(outcome)}`);
  const { source, transfers } = outcome;
  // The server knows by its PROXY header whom it has got.
  const headers = server.connections().filter(({ kind }) => kind === "player");
  expect(headers).toContainEqual(expect.objectContaining({ kind: "player", ...source }));
  if (transfers === 0) return way;
  expect(transfers).toBe(1);
  return "transfer";
}

/** There and back through the relay, then leaves. */
async function play({ player, account, ...wish }: JoinWish) {
  const server = serverOf(wish);
  const { isEncrypted } = await peers.echo(player, "still there");
  const joins = server.joins().filter((join) => join.player === player);
  const { intent, uuid = "" } = joins.at(-1) ?? {};
  await peers.quit(player);
  await until(() => !server.players().includes(player), { what: `${player} to leave` });
  return { isEncrypted, intent, isOwner: uuid.replaceAll("-", "") === account?.id };
}

function serverOf({ version = "" }: Pick<JoinWish, "version">): HostedServer {
  const server = servers.get(version);
  if (server === undefined) throw new Error(`no server of ${version}`);
  return server;
}

describe.each(versions)("a player of Minecraft $version", (version) => {
  test("gets in at every level, is asked once at most, and plays encrypted as on a server of its own", async () => {
    const visits = await Promise.all(
      levels.map(async (level) => [level.name, await visit(version, level)] as const),
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
    expect(Object.fromEntries(visits)).toEqual(Object.fromEntries(expected));
  });
});

describe.each(["low", "medium-advanced"])("while a shield of level %s is attacked", (level) => {
  test("whoever has not looked at the list of servers does so before he gets in", async () => {
    const server = serverOf({ version: "1.20.4" });
    const wish: JoinWish = {
      edge: edge.address,
      hostname: hostOf("1.20.4", level),
      version: "1.20.4",
      from: `127.${90 + level.length}.1.1`,
      player: `Hasty_${level.slice(0, 6)}`,
      account: sessions.account(`Hasty_${level.slice(0, 6)}`),
    };
    const outcome = await peers.join(wish);
    expect(outcome).toMatchObject({ outcome: "kicked", state: "login" });
    if (outcome.outcome === "kicked") expect(outcome.text).toMatch(texts.bot_check);
    expect(server.joins().map(({ player }) => player)).not.toContain(wish.player);
    await peers.ping(wish);
    await enter(wish);
    expect(server.players()).toContain(wish.player);
    await play(wish);
  });
});
