import type { Socket } from "node:net";
import type { MitigationConfig } from "@palisade/contract/edge/shield-config";
import { encodeFrame, encodeVarInt } from "@palisade/minecraft-protocol/java/fields";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { edgeLimits } from "#src/admission/limits.ts";
import { startTestBackend } from "#src/testing/test-backend.ts";
import {
  startTestEdge,
  testBackend,
  testGroup,
  type TestEdge,
  type TestPlayer,
  testShield,
} from "#src/testing/test-edge.ts";

const limit = 5_000;
const encryptionRequest = encodeFrame(1, Buffer.from("asked"));
const encryptionResponse = encodeFrame(1, Buffer.from("answered"));
const compression = encodeFrame(3, encodeVarInt(256));
const success = encodeFrame(2, Buffer.from("success"));
const hello = Buffer.concat([
  encodeHandshake({ protocol: 758, host: "play.example.org", port: 25_565, intent: "login" }),
  encodeLoginStart("Steve"),
]);

/** A frame that announces so many bytes. */
const frameOf = (bytes: number): Buffer => encodeFrame(2, Buffer.alloc(bytes - 1, 7));
const allowed = frameOf(limit);
const larger = frameOf(limit + 1);

let edge: TestEdge;
let backend: Awaited<ReturnType<typeof startTestBackend>>;
/** The login under test: the server's end, and the bytes it has received. */
let server: Socket | undefined;
let heard = Buffer.alloc(0);
let hasServerHeardEnd = false;

beforeAll(async () => {
  edge = await startTestEdge();
  backend = await startTestBackend({
    onRaw(socket) {
      server = socket;
      socket.on("data", (chunk: Buffer) => (heard = Buffer.concat([heard, chunk])));
      socket.on("end", () => (hasServerHeardEnd = true));
    },
  });
});
beforeEach(() => {
  server = undefined;
  heard = Buffer.alloc(0);
  hasServerHeardEnd = false;
});
const players: TestPlayer[] = [];
afterEach(() => {
  for (const player of players.splice(0)) player.socket.destroy();
  edge.counted();
  edge.logins.takeAll();
});
afterAll(async () => {
  await edge.stop();
  await backend.stop();
});

function protect(mitigation: Partial<MitigationConfig>, lists = {}): void {
  edge.protect([testGroup(testBackend(backend.port))], mitigation, lists);
}

async function enter(bytes: Uint8Array = hello): Promise<TestPlayer> {
  const player = await edge.connect();
  players.push(player);
  player.send(bytes);
  return player;
}

/** Logged in up to where the server has said this. */
async function enterUpTo(...said: readonly Buffer[]): Promise<TestPlayer> {
  const player = await enter();
  const bytes = Buffer.concat(said);
  await until(() => heard.length === hello.length);
  server?.write(bytes);
  await until(() => player.received.equals(bytes));
  return player;
}

async function hears(...sent: readonly Buffer[]): Promise<void> {
  const bytes = Buffer.concat([hello, ...sent]);
  await until(() => heard.length >= bytes.length);
  expect(heard.equals(bytes)).toBe(true);
}

function refusals() {
  const { refused, shadowed, joins } = edge.counted() ?? {};
  return { refused, shadowed, joins };
}

const kicked = "too much at once";

test("up to the limit packets get in, with the login or after it, and the server's to the player", async () => {
  protect({ packet_bytes_max: limit });
  const player = await enter(Buffer.concat([hello, allowed]));
  await hears(allowed);
  server?.write(encodeFrame(4, Buffer.from("a question")));
  await until(() => player.text.includes("a question"));
  player.send(allowed.subarray(0, 2_000));
  await until(() => heard.length === hello.length + allowed.length + 2_000);
  player.send(allowed.subarray(2_000));
  await hears(allowed, allowed);
  player.socket.end();
  await until(() => hasServerHeardEnd && player.isOver);
  expect(edge.logins.take(9)).toMatchObject([{ verdict: "joined", player: "Steve" }]);
  expect(edge.outcomes.get("forwarded")).toBe(1);
  expect(refusals()).toEqual({ refused: {}, shadowed: {}, joins: 1 });
});

test.each([
  ["with the login", [], async () => enter(Buffer.concat([hello, larger]))],
  ["by its length alone", [], async () => enter(Buffer.concat([hello, larger.subarray(0, 3)]))],
  [
    "after the server's question",
    [encodeFrame(4)],
    async () => {
      const player = await enterUpTo(encodeFrame(4));
      player.send(larger.subarray(0, 3));
      return player;
    },
  ],
] as const)(
  "a larger one sent %s is refused in words, with its trace in the log",
  async (_when, said, send) => {
    protect({ packet_bytes_max: limit });
    const player = await send();
    await until(() => player.isOver);
    expect(player.text).toContain(kicked);
    expect(player.received.indexOf(Buffer.concat(said))).toBe(0);
    expect(heard.length).toBeLessThanOrEqual(hello.length);
    const [entry, ...others] = edge.logins.take(9);
    expect(entry).toMatchObject({ verdict: "packet_size", facts: { bytes: String(limit + 1) } });
    expect(player.text).toContain(entry?.trace);
    expect(others).toEqual([]);
    expect(refusals()).toEqual({ refused: { packet_size: 1 }, shadowed: {}, joins: 0 });
    await until(() => server === undefined || hasServerHeardEnd || server.destroyed);
  },
);

test("once packets may be packed the kick is written so that the game can read it", async () => {
  protect({ packet_bytes_max: limit });
  const player = await enterUpTo(compression);
  player.send(larger);
  await until(() => player.isOver);
  const kick = player.received.subarray(compression.length);
  // Its length, that it is not packed, and the id of a disconnect.
  expect([...kick.subarray(2, 4)]).toEqual([0, 0]);
  expect(kick.readUInt8(0)).toBe(((kick.length - 2) & 0x7f) | 0x80);
  expect(player.text).toContain(kicked);
});

test("within a packet of the server's nothing is written that would be read as part of it", async () => {
  protect({ packet_bytes_max: limit });
  const player = await enterUpTo(Buffer.of(9, 4, 1));
  player.send(larger);
  await until(() => player.isOver);
  expect(player.received).toEqual(Buffer.of(9, 4, 1));
  expect(edge.logins.take(9)).toMatchObject([{ verdict: "packet_size" }]);
});

test.each([
  ["the answer to the server's Encryption Request", [encryptionRequest], [encryptionResponse]],
  ["Login Success", [success], []],
  ["Login Success among unpacked packets", [compression, asIs(success)], []],
  ["the first packed packet", [compression, Buffer.of(3, 0x80, 2, 9)], []],
] as const)("after %s nothing is measured any more", async (_what, said, answers) => {
  protect({ packet_bytes_max: limit });
  const player = await enterUpTo(...said);
  const encrypted = Buffer.alloc(200_000, 0xff);
  player.send(Buffer.concat([...answers, encrypted]));
  await hears(...answers, encrypted);
  const before = player.received.length;
  server?.write(encrypted);
  await until(() => player.received.length === before + encrypted.length);
  expect(edge.logins.take(9)).toMatchObject([{ verdict: "joined", shadow: false }]);
});

test("an answer to what the server has not asked ends nothing", async () => {
  protect({ packet_bytes_max: limit });
  const player = await enterUpTo(encodeFrame(4));
  player.send(Buffer.concat([encryptionResponse, larger]));
  await until(() => player.isOver);
  expect(player.text).toContain(kicked);
});

test("in shadow mode it is told once, and the player goes on", async () => {
  protect({ packet_bytes_max: limit, shadow: true });
  await enter(Buffer.concat([hello, larger, larger]));
  await hears(larger, larger);
  expect(edge.logins.take(9)).toMatchObject([{ verdict: "packet_size", shadow: true }]);
  expect(refusals()).toEqual({ refused: {}, shadowed: { packet_size: 1 }, joins: 1 });
});

test.each([
  ["the limit is off", { packet_bytes_max: null }, {}],
  [
    "the player is on the whitelist",
    { packet_bytes_max: limit },
    { whitelist: ["127.0.0.1"], whitelist_enabled: true },
  ],
  [
    "the player's name is on the whitelist",
    { packet_bytes_max: limit },
    { whitelist_names: ["steve"], whitelist_enabled: true },
  ],
] as const)("the limit does not apply while %s", async (_why, mitigation, lists) => {
  protect(mitigation, lists);
  await enter(Buffer.concat([hello, larger]));
  await hears(larger);
  expect(edge.logins.take(9)).toMatchObject([{ verdict: "joined", shadow: false }]);
});

test("a login that takes longer than servers wait is passed on as it is", async () => {
  protect({ packet_bytes_max: limit });
  const player = await enterUpTo(encodeFrame(4));
  expect(edge.admission.pending).toBe(1);
  edge.advance(41_000);
  await until(() => edge.admission.pending === 0);
  player.send(larger);
  await hears(larger);
});

test("a server that is silent after the login ends it within the dial's deadline, and is told as offline", async () => {
  protect({ packet_bytes_max: limit });
  const player = await enter();
  await until(() => heard.length === hello.length);
  edge.advance(edgeLimits.dialMs + 1_000);
  await until(() => player.isOver && edge.admission.pending === 0);
  expect(player.text).toContain("Offline");
  expect(edge.counted()?.refused).toEqual({ offline: 1 });
});

describe("while sizes are checked, the shield's bandwidth holds", () => {
  const bytesPerSecond = 2_000_000;
  // A question of the server's that does not let the player in, and as much of the player's.
  const frame = encodeFrame(4, Buffer.alloc(limit - 1, 7));
  const flood = Buffer.concat(Array.from({ length: 800 }, () => frame));

  test.each(["to the player", "to the server"])("%s, and every byte arrives", async (where) => {
    const { mitigation } = testShield();
    edge.apply({
      groups: [testGroup(testBackend(backend.port))],
      mitigation: { ...mitigation, packet_bytes_max: limit },
      shares: { players: null, half_open_logins: null, bytes_per_second: bytesPerSecond },
    });
    const player = await enterUpTo(encodeFrame(4));
    const arrived = (): number =>
      where === "to the player" ? player.received.length : heard.length;
    const before = arrived();
    const beganAt = performance.now();
    if (where === "to the player") server?.write(flood);
    else player.send(flood);
    for (const part of [0.25, 0.5, 0.75, 1]) {
      await until(() => arrived() - before >= part * flood.length);
      const seconds = (performance.now() - beganAt) / 1_000;
      // Half a second's bytes at once, and one read beyond.
      expect(arrived() - before).toBeLessThan(bytesPerSecond * (seconds + 0.5) + 65_536);
    }
    expect(edge.admission.pending).toBe(1);
    player.socket.destroy();
    await until(() => edge.admission.pending === 0);
  });
});

test("the server's last words arrive, and its end", async () => {
  protect({ packet_bytes_max: limit });
  const player = await enter();
  await until(() => heard.length === hello.length);
  server?.end(encodeFrame(0, Buffer.from("You are banned")));
  await until(() => player.isOver);
  expect(player.text).toContain("You are banned");
  expect(edge.logins.take(9)).toMatchObject([{ verdict: "joined" }]);
  await until(() => server?.destroyed === true || hasServerHeardEnd);
});

/** As it is sent once packets may be packed. */
function asIs(frame: Buffer): Buffer {
  return Buffer.concat([Buffer.of(frame.length, 0), frame.subarray(1)]);
}
