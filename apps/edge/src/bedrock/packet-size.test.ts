import { deflateRawSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  encodeFrameSet,
  reliabilities,
  type Frame,
} from "@palisade/minecraft-protocol/bedrock/frames";
import { encodePlainBatch } from "@palisade/minecraft-protocol/bedrock/game-batch";
import { encodeLogin } from "@palisade/minecraft-protocol/bedrock/game-packets";
import { RakNetClient } from "@palisade/testing/bedrock/raknet-client";
import { RakNetServer } from "@palisade/testing/bedrock/raknet-server";
import { freePort } from "@palisade/testing/free-port";
import { sampleBackend, sampleGroup, sampleShield } from "@palisade/testing/sample-shield";
import { until } from "@palisade/testing/until";
import { startTestEdge, type TestEdge } from "#src/testing/test-edge.ts";

/** The owner's limit of packets, and logins of Bedrock of several sizes. */

let edge: TestEdge;
let backend: RakNetServer;
let player: RakNetClient;
let port: number;

beforeEach(async () => {
  edge = await startTestEdge();
  backend = await RakNetServer.listen({ advertisement: "MCPE;A;766;1.21.50;0;9;1;;Survival;1;" });
  port = await freePort();
});
afterEach(async () => {
  await player.abandon();
  await backend.abandon();
  await edge.stop();
});

function protect(packet_bytes_max: number | null, shadow = false): void {
  const { mitigation } = sampleShield();
  edge.apply({
    groups: [sampleGroup({ ...sampleBackend(1), bedrock_port: backend.address.port })],
    bedrock: { ports: [port], only_in: [] },
    mitigation: { ...mitigation, packet_bytes_max, shadow },
  });
}

async function join(): Promise<void> {
  player = await RakNetClient.open({ host: "127.0.0.1", port, from: "127.0.0.1" });
  await player.connect();
}

const claims = Buffer.from(
  JSON.stringify({ extraData: { displayName: "Alex", XUID: "", identity: "1" } }),
).toString("base64url");

/** As clients of 1.18 send it, with an identity of so many bytes and a skin behind it. */
function loginOf(identityBytes: number): Buffer {
  const chain = JSON.stringify({ chain: [`e30.${claims}.${"A".repeat(128)}`] });
  const identity = chain.padEnd(identityBytes, " ");
  const skin = Buffer.alloc(60_000, "skin").toString("base64url");
  const batch = encodePlainBatch([encodeLogin({ protocol: 503, identity }, skin)]).subarray(1);
  return Buffer.concat([Buffer.of(0xfe), deflateRawSync(batch, { level: 0 })]);
}

/** The login in parts that announce more of them than there are. */
function sendAnnouncing(message: Buffer, count: number): void {
  const partBytes = 1_200;
  for (let index = 0; index * partBytes < message.length; index += 1) {
    const frame: Frame = {
      reliability: reliabilities.reliableOrdered,
      reliableIndex: 100 + index,
      sequenceIndex: undefined,
      order: { index: 1, channel: 0 },
      split: { count, id: 9, index },
      body: message.subarray(index * partBytes, (index + 1) * partBytes),
    };
    player.sendRaw(encodeFrameSet(100 + index, [frame]));
  }
}

const logged = async () => {
  let [entry] = edge.logins.take(1);
  await until(() => (entry ??= edge.logins.take(1)[0]) !== undefined, { what: "the log entry" });
  return entry;
};

describe("with a limit of packets", () => {
  test("a player whose proof of the account is within it joins, whatever the size of the skin", async () => {
    protect(5_000);
    await join();
    player.sendReliable(loginOf(5_000));
    expect(await logged()).toMatchObject({ verdict: "joined", player: "Alex" });
    expect(edge.counters.players).toBe(1);
  });

  test.each([
    ["just above it", 5_001],
    ["longer than the edge reads", 90_000],
  ])("a proof %s ends the connection, counted and logged with its size", async (_, bytes) => {
    protect(5_000);
    await join();
    player.sendReliable(loginOf(bytes));
    const facts = { edition: "bedrock", bytes: String(bytes) };
    expect(await logged()).toMatchObject({ verdict: "packet_size", facts });
    expect(edge.counters.players).toBe(0);
    expect(edge.counted()?.refused).toEqual({ packet_size: 1 });
  });

  test("a login that announces more parts than any skin has ends the connection", async () => {
    protect(131_072);
    await join();
    sendAnnouncing(loginOf(2_000), 1_000_000);
    const facts = { bytes: String(1_000_000 * 1_200) };
    expect(await logged()).toMatchObject({ verdict: "packet_size", facts });
    expect(edge.counters.players).toBe(0);
  });

  test("shadow mode lets the player in, and logs what it would have done", async () => {
    protect(5_000, true);
    await join();
    player.sendReliable(loginOf(6_000));
    expect(await logged()).toMatchObject({ verdict: "packet_size", shadow: true });
    expect(edge.counters.players).toBe(1);
  });
});

test("without a limit, no size ends the connection", async () => {
  protect(null);
  await join();
  sendAnnouncing(loginOf(9_000), 1_000_000);
  expect(await logged()).toMatchObject({ verdict: "joined", player: "Alex" });
  expect(edge.counters.players).toBe(1);
});
