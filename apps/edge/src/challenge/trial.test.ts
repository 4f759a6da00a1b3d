import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { encodePlayKeepAliveAnswer } from "@palisade/minecraft-protocol/java/play";
import { until } from "@palisade/testing/until";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestBackend } from "#src/testing/test-backend.ts";
import {
  startTestEdge,
  testBackend,
  type TestEdge,
  testGroup,
  type TestPlayer,
  testShield,
} from "#src/testing/test-edge.ts";

const usual = "play.example.org";
const tried = "tryabcdefgh2.gs.localhost";
const protocol = 758;
const hourMs = 3_600_000;

let edge: TestEdge;
let backend: Awaited<ReturnType<typeof startTestBackend>>;
/** Bytes the backend has received. */
let heard: Buffer[];

beforeEach(async () => {
  edge = await startTestEdge();
  heard = [];
  backend = await startTestBackend({
    onRaw: (socket) => void socket.on("data", (chunk: Buffer) => heard.push(chunk)),
  });
  const { mitigation, lists, messages } = testShield();
  edge.apply({
    groups: [testGroup(testBackend(backend.port))],
    lists: { ...lists, whitelist_enabled: true, whitelist: ["127.0.0.0/24"] },
    messages: { ...messages, rejoin: "Verified, rejoin" },
    mitigation: {
      ...mitigation,
      // One login in a second would be an attack, and shadow mode checks no player.
      antibot: "medium",
      attack_threshold: 1,
      shadow: true,
      try_label: tried,
      try_challenge: "level",
      try_until: Date.now() + 24 * hourMs,
    },
  });
});
afterEach(async () => {
  await edge.stop();
  await backend.stop();
});

function hello(host: string, name: string): Buffer {
  const handshake = encodeHandshake({ protocol, host, port: 25_565, intent: "login" });
  return Buffer.concat([handshake, encodeLoginStart(name)]);
}

async function join(host: string, name = "Steve"): Promise<TestPlayer> {
  const player = await edge.connect();
  player.send(hello(host, name));
  return player;
}

/** The fields of a frame that the edge has sent. */
async function frameAt(player: TestPlayer, index: number): Promise<Buffer> {
  return await until(() => {
    let at = 0;
    for (let n = 0; ; n++) {
      const frame = readFrame(player.received, at, 100_000);
      if (frame.kind !== "packet") return undefined;
      if (n === index) return player.received.subarray(frame.bodyStart, frame.bodyEnd);
      at = frame.bodyEnd;
    }
  });
}

async function pass(name?: string): Promise<void> {
  const player = await join(tried, name);
  const asked = (await frameAt(player, 1)).readBigInt64BE();
  player.send(encodePlayKeepAliveAnswer(protocol, asked) ?? Buffer.alloc(0));
  await until(() => player.hasEnded);
  expect(player.text).toContain("Verified, rejoin");
}

describe("the name at which every player is checked", () => {
  test("a player on the whitelist is checked there, and joins the server after that", async () => {
    await join(usual);
    await until(() => heard.length > 0);
    heard.length = 0;
    await pass();
    expect(heard).toEqual([]);
    await join(tried);
    await until(() => heard.length > 0);
    expect(Buffer.concat(heard)).toEqual(hello(tried, "Steve"));
  });

  test("they are checked again once they have had time to join; others are checked at once", async () => {
    await pass();
    const other = await join(tried, "Alex");
    await frameAt(other, 1);
    edge.advance(4 * 60_000);
    await pass();
    expect(heard).toEqual([]);
  });

  test("its checks are part of no statistics and no attack, and are in the owner's log", async () => {
    for (const name of ["A", "B", "C"]) {
      const player = await join(tried, name);
      await frameAt(player, 1);
      player.socket.destroy();
    }
    await pass("Steve");
    await until(() => edge.admission.pending === 0);
    const counted = edge.counted();
    expect(counted?.challenged ?? 0).toBe(0);
    expect([counted?.refused ?? {}, counted?.verified ?? 0]).toEqual([{}, 0]);
    expect(counted?.challenges).toBeUndefined();
    const entries = edge.logins.take(9);
    expect(entries.map(({ verdict, host }) => `${verdict} ${host}`).toSorted()).toEqual([
      `bot_check ${tried}`,
      `bot_check ${tried}`,
      `bot_check ${tried}`,
      `verified ${tried}`,
    ]);
    expect(entries.every(({ attempt }) => attempt?.attack === undefined)).toBe(true);
  });

  test("a pass there makes no player known at the usual address", async () => {
    await pass();
    const ip = Uint8Array.of(127, 0, 0, 1);
    expect(edge.verified.passedChallenge("Steve", ip, Date.now())).toBeUndefined();
  });

  test("after its time it leads nowhere", async () => {
    edge.advance(24 * hourMs + 1);
    const player = await join(tried);
    await until(() => player.hasEnded);
    expect(heard).toEqual([]);
    expect(edge.outcomes.get("unknown_host")).toBe(1);
  });
});
