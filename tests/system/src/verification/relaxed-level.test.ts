import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tryLogin } from "../minecraft/java-client.ts";
import {
  type HostedServer,
  type JoinOptions,
  type PeerHost,
  startPeerHost,
  wrongCode,
} from "../minecraft/peer-host.ts";
import { type EdgeProgram, startEdgeProgram } from "./edge-program.ts";
import { type SessionServer, startSessionServer } from "./session-server.ts";
import { shieldOf, texts } from "./shields.ts";

/** False positives: real clients whose players do not solve the captcha of level extreme. */

/** There is neither a boat nor a resource pack for it, so the captcha comes soon. */
const version = "1.8.8";
const lenient = "lenient.example.org";
const strict = "strict.example.org";
const longAgoMs = 26 * 3_600_000;
const attackThreshold = 3;
/** As many as it takes, on networks of their own. */
const regulars = joins("Regular", 120);
const newcomers = joins("Newcomer", 140);

let sessions: SessionServer;
let peers: PeerHost;
let server: HostedServer;
let edge: EdgeProgram;

function joins(name: string, network: number) {
  return Array.from({ length: 5 }, (_, n) => ({
    version,
    player: `${name}_${n}`,
    from: `127.${network + n}.0.1`,
  }));
}

beforeAll(async () => {
  [sessions, peers] = await Promise.all([startSessionServer(), startPeerHost()]);
  server = await peers.serve("game", { version, proxy: true });
  const shields = [
    shieldOf({ n: 1, mitigation: { antibot: "high" }, servers: new Map([[lenient, server]]) }),
    shieldOf({
      n: 2,
      mitigation: { antibot: "extreme", attack_threshold: attackThreshold },
      servers: new Map([[strict, server]]),
    }),
  ];
  const options = { shields, sessionServerUrl: sessions.url };
  edge = await startEdgeProgram({ ...options, aheadMs: -longAgoMs });
  await verify(regulars);
  await edge.leave();
  edge = await startEdgeProgram({ ...options, after: edge });
  await edge.serversUp(shields.length);
});

afterAll(async () => {
  await Promise.all([edge?.stop(), peers?.end(), sessions?.end()]);
});

type Who = ReturnType<typeof joins>;

/** Their kick text, or that they are admitted. */
async function join(who: Who, hostname: string): Promise<string[]> {
  return await Promise.all(
    who.map(async (each) => {
      const game = { falls: true, greeted: true, captcha: wrongCode };
      const options: JoinOptions = { ...each, ...game, edge: edge.address, hostname };
      const outcome = await peers.join(options);
      if (outcome.outcome === "joined") await peers.quit(each.player);
      return outcome.outcome === "kicked" ? (outcome.text.split("\n")[0] ?? "") : outcome.outcome;
    }),
  );
}

/** A game is enough for level high. */
async function verify(who: Who): Promise<void> {
  expect(await join(who, lenient)).toEqual(who.map(() => texts.rejoin));
}

async function attack(): Promise<void> {
  let round = 0;
  await until(
    async () => {
      const from = `127.200.${round++ % 250}.1`;
      const target = { edge: edge.address, host: strict, from };
      await Promise.all(
        Array.from({ length: 2 * attackThreshold }, () => tryLogin(target, "no-player")),
      );
      return (await edge.metric("shields_under_attack")) === 1;
    },
    { what: "an attack" },
  );
}

test("many regular players who fail at extreme relax an attacked shield to high; players verified for extreme do not", async () => {
  await verify(newcomers);
  await attack();
  const refused = newcomers.map(() => texts.bot_check);
  expect(await join(newcomers, strict)).toEqual(refused);
  expect(await join(newcomers, strict)).toEqual(refused);
  expect(await join(regulars, strict)).toEqual(refused);
  const admitted = regulars.map(() => "joined");
  expect(await join(regulars, strict)).toEqual(admitted);
  expect(await join(newcomers, strict)).toEqual(admitted);
});
