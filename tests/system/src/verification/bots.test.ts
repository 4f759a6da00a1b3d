import { encodeConfigurationKeepAliveAnswer } from "@palisade/minecraft-protocol/java/configuration";
import { encodeLoginCookieResponse } from "@palisade/minecraft-protocol/java/cookies";
import { encodeFrame, encodeVarInt } from "@palisade/minecraft-protocol/java/fields";
import { loginAcknowledged } from "@palisade/minecraft-protocol/java/login-success";
import { encodePlayKeepAliveAnswer } from "@palisade/minecraft-protocol/java/play";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type HostedServer,
  type JoinOptions,
  type PeerHost,
  startPeerHost,
} from "../minecraft/peer-host.ts";
import { type EdgeProgram, startEdgeProgram } from "./edge-program.ts";
import { RawClient } from "./raw-client.ts";
import { shieldOf, texts } from "./shields.ts";

/** Bots that verification stops: the server never hears of them. */

const version = "1.21.4";
const host = "play.example.org";
const strictHost = "strict.example.org";
const aMinuteMs = 61_000;

let peers: PeerHost;
let server: HostedServer;
let edge: EdgeProgram;
/** Serves the same shield; its clock is a minute ahead. */
let later: EdgeProgram;

beforeAll(async () => {
  peers = await startPeerHost();
  server = await peers.serve("game", { version, proxy: true });
  const servers = new Map([[host, server]]);
  const shields = [
    shieldOf({ n: 1, mitigation: { antibot: "high" }, servers }),
    shieldOf({
      n: 2,
      mitigation: { antibot: "extreme" },
      servers: new Map([[strictHost, server]]),
    }),
  ];
  const options = { shields, sessionServerUrl: "http://127.0.0.1:9" };
  [edge, later] = await Promise.all([
    startEdgeProgram(options),
    startEdgeProgram({ ...options, aheadMs: aMinuteMs }),
  ]);
});

afterAll(async () => {
  await Promise.all([edge?.stop(), later?.stop(), peers?.end()]);
});

/** The addresses the server has heard of, by PROXY header. */
function heard(): number {
  return server.connections().filter(({ kind }) => kind !== "local").length;
}

interface Counts {
  readonly begun: number;
  readonly passed: number;
  readonly refused: number;
}

async function counts(): Promise<Counts> {
  const [begun, passed, refused] = await Promise.all([
    edge.metric("verifications_total", 'step="begun"'),
    edge.metric("verifications_total", 'step="passed"'),
    edge.metric("refused_total", 'reason="bot_check"'),
  ]);
  return { begun, passed, refused };
}

/** Worker threads report their counts from time to time; no verified player is among them. */
async function countedSince(before: Counts, begun: number, refused: number): Promise<void> {
  const expected = {
    begun: before.begun + begun,
    passed: before.passed,
    refused: before.refused + refused,
  };
  await expect.poll(counts, { timeout: 30_000 }).toEqual(expected);
}

/** Versions with the play state, with the configuration state, and with cookies. */
const protocols = [47, 340, 754, 758, 764, 765, 767, 769, 772, 775];

interface Bot {
  readonly name: string;
  readonly run: (client: RawClient, protocol: number) => Promise<string>;
}

function hasConfiguration(protocol: number): boolean {
  return protocol >= 764;
}

/** The cookie that the edge asks for, and the answer. */
async function echo(client: RawClient, protocol: number, wrongBy: bigint): Promise<Uint8Array> {
  if (hasConfiguration(protocol)) client.send(loginAcknowledged);
  const question = await client.packet(1);
  const [answer, asked] = hasConfiguration(protocol)
    ? [encodeConfigurationKeepAliveAnswer, question.readBigInt64BE()]
    : [encodePlayKeepAliveAnswer, playId(question, protocol)];
  const packet = answer(protocol, asked + wrongBy);
  if (packet === undefined) throw new Error("has no keep-alive");
  return packet;
}

/** A varint up to 1.12.1, a long after. */
function playId(question: Buffer, protocol: number): bigint {
  if (protocol >= 340) return question.readBigInt64BE();
  return question.reduceRight((id, byte) => (id << 7n) | BigInt(byte & 0x7f), 0n);
}

const bots: readonly Bot[] = [
  { name: "sends a login and nothing after it", run: (client) => client.toldAtTheEnd() },
  {
    name: "acknowledges and answers nothing",
    run: (client, protocol) => {
      if (hasConfiguration(protocol)) client.send(loginAcknowledged);
      return client.toldAtTheEnd();
    },
  },
  {
    name: "gives back another keep-alive",
    run: async (client, protocol) => {
      client.send(await echo(client, protocol, 1n));
      return client.toldAtTheEnd();
    },
  },
];

describe("a bot", () => {
  test("that leaves at the first challenge takes no verification slot from others", async () => {
    const before = await counts();
    await Promise.all(
      protocols.map(async (protocol, at) => {
        const login = { host, protocol, name: `Early_${protocol}x`, from: `127.60.${at}.1` };
        const client = new RawClient({ edge: edge.address, ...login });
        await client.packet(0);
        client.leave();
      }),
    );
    // Refused, as those are who answer wrongly.
    await countedSince(before, protocols.length, protocols.length);
    await until(
      async () => (await edge.metric("connection_outcomes_total", '"left"')) === protocols.length,
      { what: "all of them to be gone" },
    );
    await until(async () => (await edge.metric("pending")) === 0, { what: "their places" });
    expect(heard()).toBe(0);
  });

  test("that says nothing more, or something wrong, is told so, and no server hears of it", async () => {
    const before = await counts();
    const ends = bots.flatMap(({ run }, kind) =>
      protocols.map(async (protocol, at) => {
        const from = `127.${50 + kind}.${at}.1`;
        const name = `${["Anna", "Bert", "Cleo"][kind]}_${protocol}x`;
        return run(new RawClient({ edge: edge.address, host, protocol, name, from }), protocol);
      }),
    );
    for (const text of await Promise.all(ends)) expect(text).toContain(texts.bot_check);
    expect(heard()).toBe(0);
    await countedSince(before, ends.length, ends.length);
  });

  test("that shows a cookie it has made up gets no further with it", async () => {
    const before = heard();
    const counted = await counts();
    const tries = Array.from({ length: 5 }, async (_, at) => {
      const login = { host, protocol: 772, name: `Made_${at}up`, from: `127.80.${at}.1` };
      const client = new RawClient({ edge: edge.address, ...login, intent: "transfer" });
      await client.packet(0);
      client.send(encodeLoginCookieResponse("palisade:verified", Buffer.alloc(68, 1)));
      // Login Success, as to any newcomer.
      await client.packet(1);
      client.leave();
    });
    await Promise.all(tries);
    expect(heard()).toBe(before);
    await countedSince(counted, tries.length, tries.length);
  });
});

describe("at level extreme a bot without a game", () => {
  test("that confirms a place where it was not put is told so", async () => {
    const before = await counts();
    const login = { host: strictHost, protocol: 340, name: "Walker", from: "127.61.1.1" };
    const client = new RawClient({ edge: edge.address, ...login });
    // Login Success and the question; then the world, and its own place in it.
    const question = (await client.packet(1)).readBigInt64BE();
    client.send(encodePlayKeepAliveAnswer(340, question));
    await client.packet(2);
    client.send(encodeFrame(0x00, encodeVarInt(0)));
    expect(await client.toldAtTheEnd()).toContain(texts.bot_check);
    expect(heard()).toBe(0);
    await countedSince(before, 1, 1);
  });
});

test.each([
  ["Lara", "shield1.gs.localhost", "shield1.gs.localhost"],
  ["Lotte", "Shield1.GS.localhost.", "shield1.gs.localhost"],
])("%s, who comes by %s, is sent back to %s", async (player, hostname, host) => {
  const options = { edge: edge.address, hostname, version, player, falls: true, greeted: true };
  expect(await peers.join(options)).toMatchObject({ outcome: "joined", transfers: 1 });
  expect(server.joins()).toContainEqual(expect.objectContaining({ player, host }));
  await peers.quit(player);
});

describe("a cookie", () => {
  /** Verified by this edge, and what he was given there. */
  async function verifiedBy(at: EdgeProgram, player: string): Promise<Record<string, string>> {
    const outcome = await join(at, { player });
    expect(outcome).toMatchObject({ outcome: "joined", transfers: 1 });
    return outcome.cookies;
  }

  async function join(
    at: EdgeProgram,
    options: Pick<JoinOptions, "player"> & Partial<JoinOptions>,
  ) {
    const from = "127.70.1.1";
    const outcome = await peers.join({
      edge: at.address,
      hostname: host,
      version,
      from,
      falls: true,
      greeted: true,
      ...options,
    });
    if (outcome.outcome === "joined") await peers.quit(options.player);
    return outcome;
  }

  /** With which intent the server saw the player last. */
  function intentOf(player: string): number | undefined {
    return server.joins().findLast((seen) => seen.player === player)?.intent;
  }

  test("lets its owner in at another edge, once; after that it proves nothing there", async () => {
    const cookies = await verifiedBy(later, "Wanda");
    const back = { player: "Wanda", cookies, intent: "transfer" } as const;
    expect(await join(edge, back)).toMatchObject({ outcome: "joined", transfers: 0 });
    expect(intentOf("Wanda")).toBe(2);
    const before = heard();
    // A real client, that passes: what counts is that it was asked.
    expect(await join(edge, back)).toMatchObject({ outcome: "joined", transfers: 1 });
    expect(heard()).toBe(before + 1);
  });

  test.each([
    ["under another name", () => later, () => edge, { player: "Walter" }],
    ["from another network", () => later, () => edge, { from: "127.70.2.1" }],
    ["after a minute", () => edge, () => later, {}],
  ] as const)(
    "shown %s does not spare a player the verification",
    async (_how, giving, taking, other) => {
      const player = `Otto_${_how.length}`;
      const cookies = await verifiedBy(giving(), player);
      const before = heard();
      const replay = { player, cookies, intent: "transfer", ...other } as const;
      // Real clients, that pass: what counts is that they were asked.
      expect(await join(taking(), replay)).toMatchObject({ outcome: "joined", transfers: 1 });
      expect(heard()).toBe(before + 1);
    },
  );
});
