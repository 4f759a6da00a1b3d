import { encodeLoginCookieResponse } from "@palisade/minecraft-protocol/java/cookies";
import { encodeFrame, encodeString } from "@palisade/minecraft-protocol/java/fields";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { loginAcknowledged } from "@palisade/minecraft-protocol/java/login-success";
import { recordedClients } from "@palisade/minecraft-protocol/java/recorded-clients";
import { statusRequest } from "@palisade/minecraft-protocol/java/status";
import { sampleShield } from "@palisade/testing/sample-shield";
import { until } from "@palisade/testing/until";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestEdge, type TestEdge } from "#src/testing/test-edge.ts";
import { verificationLimits } from "#src/challenge/rules/limits.ts";
import { transferCookieKey } from "#src/challenge/transfer-cookie.ts";

const host = "play.example.org";
const statusHandshake = encodeHandshake({ protocol: 772, host, port: 1, intent: "status" });
const limits = verificationLimits;
const cookieAnswer = encodeLoginCookieResponse(transferCookieKey, Buffer.alloc(4_000));
const acknowledgedAndMore = Buffer.concat([
  loginAcknowledged,
  encodeFrame(2, encodeString("minecraft:register"), Buffer.alloc(4_000, 97)),
]);
const loginHandshake = encodeHandshake({ protocol: 758, host, port: 1, intent: "login" });

describe("hostile clients", () => {
  let edge: TestEdge;

  beforeEach(async () => {
    edge = await startTestEdge({ pendingPerIpMax: 2_000, openPerIpMax: 2_000 });
    edge.apply();
  });
  afterEach(() => edge.stop());

  function outcomes(): number {
    let sum = 0;
    for (const [, count] of edge.outcomes.entries()) sum += count;
    return sum;
  }

  test("a slowloris is cut off by one total deadline, however slowly its bytes come", async () => {
    const player = await edge.connect();
    for (const byte of loginHandshake.subarray(0, 12)) {
      player.send(Buffer.from([byte]));
      edge.advance(200);
      await new Promise((resolve) => setImmediate(resolve));
      expect(player.isOver).toBe(false);
    }
    edge.advance(900);
    await until(() => player.isOver);
    expect(edge.outcomes.get("deadline")).toBe(1);
    expect(edge.wheel.size).toBe(0);
  });

  test.each([
    ["the cookie request", "transfer", cookieAnswer, limits.cookieMs],
    ["verification", "login", acknowledgedAndMore, limits.totalMs],
  ] as const)(
    "the same holds for %s if every byte comes in time and the packet never ends",
    async (_where, intent, bytes, deadlineMs) => {
      edge.apply({ mitigation: { ...sampleShield().mitigation, antibot: "high" } });
      const player = await edge.connect();
      player.send(encodeHandshake({ protocol: 772, host, port: 1, intent }));
      player.send(encodeLoginStart("Steve", new Uint8Array(16)));
      await until(() => player.received.length > 0);
      const drips = 20;
      for (let n = 0; n < drips; n++) {
        player.send(bytes.subarray(n, n + 1));
        await new Promise((resolve) => setImmediate(resolve));
        expect(player.isOver).toBe(false);
        edge.advance(deadlineMs / drips - 10);
      }
      edge.advance(500);
      await until(() => player.isOver);
      expect(edge.outcomes.get("bot_check")).toBe(1);
    },
  );

  test.each([
    ["says nothing", Buffer.alloc(0)],
    ["stops within the handshake", loginHandshake.subarray(0, 9)],
    ["stops after the handshake", loginHandshake],
    ["stops before its status request", statusHandshake],
  ])("a client that %s is cut off", async (_name, bytes) => {
    const player = await edge.connect();
    player.send(bytes);
    await until(() => edge.admission.pending === 1);
    edge.advance(3_500);
    await until(() => player.isOver);
    expect(edge.outcomes.get("deadline")).toBe(1);
  });

  test("a client that never pings after its status is let go", async () => {
    const player = await edge.connect();
    player.send(Buffer.concat([statusHandshake, statusRequest]));
    await until(() => player.received.length > 0);
    edge.advance(9_000);
    await until(() => player.isOver);
    expect(outcomes()).toBe(1);
  });

  test("a kicked client that does not close is closed, one that floods at once", async () => {
    edge.apply({ status: "blocked" });
    const login = Buffer.concat([loginHandshake, encodeLoginStart("Steve")]);
    const silent = await edge.connect();
    silent.send(login);
    await until(() => silent.hasEnded);
    edge.advance(2_500);
    await until(() => edge.admission.pending === 0);
    const flood = await edge.connect();
    flood.send(Buffer.concat([login, Buffer.alloc(1_000_000)]));
    await until(() => edge.admission.pending === 0);
    expect(edge.outcomes.get("blocked")).toBe(2);
  });

  test.each([
    ["a varint bomb", Buffer.alloc(4_096, 0xff)],
    ["a 2 MB handshake", Buffer.from("ffff7f00", "hex")],
    ["an empty frame", Buffer.from("00", "hex")],
    ["another packet than the handshake", Buffer.from("020101", "hex").subarray(1)],
    ["HTTP", Buffer.from("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n")],
    ["TLS", Buffer.from("160301020001", "hex")],
    ["a second status request", Buffer.concat([statusHandshake, statusRequest, statusRequest])],
    [
      "a transfer from before transfers",
      encodeHandshake({ protocol: 765, host, port: 1, intent: "transfer" }),
    ],
    ["a handshake with bytes behind it", Buffer.from([2 + 6, 0, 47, 1, 97, 0, 1, 1, 0])],
    [
      "a login with bytes behind the name",
      Buffer.concat([loginHandshake, Buffer.from("040001610000", "hex").subarray(0, 5)]),
    ],
  ])("%s is closed at once", async (_name, bytes) => {
    const player = await edge.connect();
    player.send(bytes);
    await until(() => player.isOver);
    expect(outcomes()).toBe(1);
    expect(edge.outcomes.get("malformed") + edge.outcomes.get("status")).toBe(1);
  });

  test.each([
    ["the cookie request", "transfer"],
    ["verification", "login"],
  ] as const)("2 MB announced in %s are refused at once", async (_where, intent) => {
    edge.apply({ mitigation: { ...sampleShield().mitigation, antibot: "high" } });
    for (const bomb of ["ffff7f", "ffffffffff"]) {
      const player = await edge.connect();
      player.send(encodeHandshake({ protocol: 772, host, port: 1, intent }));
      player.send(encodeLoginStart("Steve", new Uint8Array(16)));
      await until(() => player.received.length > 0);
      player.send(Buffer.from(bomb, "hex"));
      await until(() => player.isOver);
    }
    expect(edge.outcomes.get("bot_check")).toBe(2);
  });

  test("a thousand announcements of 2 MB cost no memory", async () => {
    const before = process.memoryUsage();
    for (let round = 0; round < 10; round++) {
      const players = await Promise.all(Array.from({ length: 100 }, () => edge.connect()));
      for (const player of players) player.send(Buffer.from("ffff7f0005", "hex"));
      await until(() => players.every(({ isOver }) => isOver));
    }
    expect(edge.outcomes.get("malformed")).toBe(1_000);
    const grown = process.memoryUsage().arrayBuffers - before.arrayBuffers;
    // One honoured announcement in a hundred would already be more.
    expect(grown).toBeLessThan(16 * 1024 * 1024);
  });

  test("whatever bytes come, in whatever pieces, every connection ends and is counted once", async () => {
    const recorded = fc.constantFrom(...recordedClients.map(({ hex }) => Buffer.from(hex, "hex")));
    const mutated = fc
      .tuple(recorded, fc.array(fc.tuple(fc.nat(60), fc.nat(255)), { maxLength: 3 }))
      .map(([bytes, changes]) => {
        const copy = Buffer.from(bytes);
        for (const [at, value] of changes) if (at < copy.length) copy[at] = value;
        return copy;
      });
    const random = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
    const cuts = fc.array(fc.nat(60), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.oneof(mutated, random), cuts, fc.boolean(), async (bytes, at, half) => {
        const player = await edge.connect();
        let from = 0;
        for (const cut of at.toSorted((a, b) => a - b)) {
          player.send(bytes.subarray(from, cut));
          from = Math.max(from, cut);
          await new Promise((resolve) => setImmediate(resolve));
        }
        player.send(bytes.subarray(from));
        if (half) player.socket.end();
        await until(
          () => {
            edge.advance(1_000);
            return player.isOver;
          },
          { everyMs: 1 },
        );
        player.socket.destroy();
        await until(() => edge.admission.pending === 0, { everyMs: 1 });
        expect(outcomes()).toBe(edge.outcomes.accepted);
        expect(edge.wheel.size).toBe(0);
      }),
      { numRuns: 150 },
    );
  });
});
