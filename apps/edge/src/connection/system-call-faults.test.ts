import { createHash } from "node:crypto";
import { connect } from "node:net";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { type DescriptorTracking, trackDescriptors } from "@palisade/sockets/descriptors";
import { until } from "@palisade/testing/until";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { injectFaults } from "#src/testing/fault-injection.ts";
import { Random } from "#src/testing/fuzz/random.ts";
import { startEcho } from "#src/testing/relay-streams.ts";
import { startTestEdge, testBackend, testGroup, type TestEdge } from "#src/testing/test-edge.ts";
import { threadReactor } from "@palisade/sockets/reactor";

const seed = 20_261_123;
const streams = 60;
const atOnce = 20;
const bytesMax = 300_000;

let tracking: DescriptorTracking;
let edge: TestEdge;
const stops: (() => unknown)[] = [];

beforeEach(async () => {
  // The thread's own reactor is there before and stays.
  threadReactor();
  tracking = trackDescriptors();
  edge = await startTestEdge();
  const echo = await startEcho();
  stops.push(echo.stop);
  edge.apply({ groups: [testGroup(testBackend(echo.port))] });
});
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

interface Stream {
  readonly sent: string;
  readonly heard: string;
  readonly failed: boolean;
}

/** Joins, sends random bytes in pieces, and hears them from the backend until both have ended. */
async function runStream(random: Random, number: number): Promise<Stream> {
  const socket = connect({ port: edge.port, host: "127.0.0.1", allowHalfOpen: true });
  const sent = createHash("sha1");
  const heard = createHash("sha1");
  const ended = Promise.withResolvers<boolean>();
  const joined = Promise.withResolvers<void>();
  socket.on("data", (bytes) => {
    heard.update(bytes);
    joined.resolve();
  });
  socket.on("error", () => ended.resolve(true)).on("close", () => ended.resolve(false));
  socket.on("end", () => socket.end());
  const handshake = { protocol: 758, host: "play.example.org", port: 1, intent: "login" } as const;
  const login = [encodeHandshake(handshake), encodeLoginStart(`Player${number}`)];
  const total = random.below(bytesMax);
  const pieces = [...login, ...Array.from({ length: 5 }, () => random.bytes(total / 5))];
  for (const piece of pieces) {
    sent.update(piece);
    socket.write(piece);
    await new Promise((resolve) => void setImmediate(resolve));
  }
  // A player who ends before a backend has answered has left.
  await Promise.race([joined.promise, ended.promise]);
  socket.end();
  const failed = await ended.promise;
  return { failed, sent: sent.digest("hex"), heard: heard.digest("hex") };
}

async function runStreams(random: Random): Promise<Stream[]> {
  const results: Stream[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < streams) results.push(await runStream(random, next++));
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
}

/** All that the edge holds for connections is given back. */
async function expectNothingLeft(): Promise<void> {
  await until(() => edge.counters.players === 0 && edge.admission.pending === 0);
  await edge.stop();
  tracking.stop();
}

describe(`system calls that fail at random (seed ${seed})`, () => {
  test("for the moment, or move a part of the bytes: every stream arrives whole", async () => {
    const random = new Random(seed);
    const faults = injectFaults(random, { passing: 6 });
    stops.push(faults.undo);
    const results = await runStreams(random);
    expect(results.filter(({ failed, sent, heard }) => failed || sent !== heard)).toEqual([]);
    expect(faults.injected()).toBeGreaterThan(streams);
    await expectNothingLeft();
  });

  test("for good: connections end, none hangs, and no descriptor is left or closed twice", async () => {
    const random = new Random(seed);
    const faults = injectFaults(random, { passing: 6, lasting: 40 });
    stops.push(faults.undo);
    const results = await runStreams(random);
    expect(results).toHaveLength(streams);
    faults.undo();
    await expectNothingLeft();
  });
});
