import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import { encodeStatusResponse } from "@palisade/minecraft-protocol/java/status";
import { sampleDomain } from "@palisade/testing/sample-shield";
import { until } from "@palisade/testing/until";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestBackend } from "#src/testing/test-backend.ts";
import {
  startTestEdge,
  testBackend,
  testGroup,
  type TestEdge,
  type TestPlayer,
  testShield,
} from "#src/testing/test-edge.ts";

// Bytes of clients that cannot be run here, transcribed from the specification; see legacy.test.ts
// of the protocol package.

function utf16(text: string): Buffer {
  const bytes = Buffer.alloc(2 + 2 * text.length);
  bytes.writeUInt16BE(text.length);
  Buffer.from(text, "utf16le").swap16().copy(bytes, 2);
  return bytes;
}

const port = Buffer.from("000063dd", "hex");

/** 1.6: FE 01 FA, channel, length, protocol, host, port. */
function ping(host: string, protocol = 78): Buffer {
  const rest = Buffer.concat([Buffer.from([protocol]), utf16(host), port]);
  const length = Buffer.from([rest.length >> 8, rest.length & 255]);
  return Buffer.concat([Buffer.from("fe01fa", "hex"), utf16("MC|PingHost"), length, rest]);
}

function login(host: string, protocol = 78, name = "Steve_01"): Buffer {
  return Buffer.concat([Buffer.from([2, protocol]), utf16(name), utf16(host), port]);
}

/** The string of `FF`, checked to be all there is. */
function told({ received }: TestPlayer): string {
  expect(received[0]).toBe(0xff);
  expect(received.length).toBe(3 + 2 * received.readUInt16BE(1));
  return Buffer.from(received.subarray(3)).swap16().toString("utf16le");
}

/** Client and edge share this process: loopback delivers written bytes within two turns of its loop. */
async function isDelivered(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe("clients before 1.7", () => {
  let edge: TestEdge;
  const stops: (() => unknown)[] = [];

  beforeEach(async () => {
    edge = await startTestEdge();
    stops.push(edge.stop);
  });
  afterEach(async () => {
    for (const stop of stops.splice(0).toReversed()) await stop();
  });

  async function backend(options?: Parameters<typeof startTestBackend>[0]) {
    const started = await startTestBackend(options);
    stops.push(started.stop);
    return started;
  }

  async function ask(bytes: Buffer): Promise<string> {
    const player = await edge.connect();
    player.send(bytes);
    await until(() => player.isOver);
    player.socket.destroy();
    return told(player);
  }

  const legacyToo = { versions: { min: "1.5.2", max: null } };
  const host = "play.example.org";

  test("a ping is answered with what the backend tells modern clients, in one line", async () => {
    const json = {
      version: { name: "Paper 1.21", protocol: 767 },
      players: { online: 3, max: 20 },
      description: { text: "A ", color: "gold", extra: [{ text: "Server", bold: true }, "\nnext"] },
    };
    const server = await backend({ status: () => encodeStatusResponse(JSON.stringify(json)) });
    const groups = [testGroup(testBackend(server.port))];
    edge.apply({ groups });
    const motd = "§6A §lServer§r §6next";
    expect(await ask(ping("Play.Example.org."))).toBe(`§1\x00127\0Paper 1.21\0${motd}\x003\x0020`);
    // If its version may join, the answer shows that version.
    edge.apply({ revision: 2, groups, ...legacyToo });
    expect(await ask(ping(host))).toBe(`§1\x0078\0Paper 1.21\0${motd}\x003\x0020`);
    expect(server.state.statuses).toBe(1);
    expect(edge.counted()).toMatchObject({ pings: 2, status_hits: 1 });
    expect(edge.outcomes.get("status")).toBe(2);
  });

  test("a ping is answered with the offline MOTD, or with why there is none", async () => {
    edge.apply(legacyToo);
    expect(await ask(ping(host))).toBe("§1\x00127\0Offline\0§cThe server§r §cis down\x000\x000");
    edge.apply({ revision: 2, status: "expired" });
    expect(await ask(ping(host))).toContain("has expired");
    edge.apply({ revision: 3, status: "blocked" });
    expect(await ask(ping(host))).toContain("has been blocked");
    expect(await ask(ping("nowhere.example.org"))).toContain("no server at this address");
  });

  test.each<[string, Partial<ShieldConfig>, RegExp]>([
    ["a version that is not let in", {}, /^Wrong version, 1\.8 and later$/],
    ["the offline text", legacyToo, /^Offline Steve_01$/],
    [
      "the blacklist",
      { ...legacyToo, lists: { ...testShield().lists, blacklist: ["127.0.0.1"] } },
      /^§cBlacklisted, Steve_01 [0-9A-Z]{8}$/,
    ],
    [
      "maintenance",
      { ...legacyToo, lists: { ...testShield().lists, whitelist_only: true } },
      /^Maintenance$/,
    ],
    ["the end of the time paid for", { status: "expired" }, /has expired/],
    ["a block", { status: "blocked" }, /has been blocked/],
  ])("a login is kicked with the owner's words: %s", async (_name, change, words) => {
    edge.apply(change);
    for (const protocol of [61, 78]) expect(await ask(login(host, protocol))).toMatch(words);
  });

  test("unknown hosts and names that no player has are kicked", async () => {
    expect(await ask(login("nowhere.example.org"))).toContain("no server at this address");
    edge.apply(legacyToo);
    expect(await ask(login(host, 78, "§k"))).toContain("player name cannot be used");
  });

  test("1.6.4 within the range, 1.5.2 below it", async () => {
    edge.apply({ versions: { min: "1.6.4", max: "1.8" } });
    expect(await ask(login(host, 61))).toContain("Wrong version");
    expect(await ask(login(host, 78))).toContain("Offline");
  });

  test.each([61, 78])(
    "an admitted %d reaches its backend byte for byte, however split",
    async (protocol) => {
      const received: Buffer[] = [];
      const server = await backend({
        onRaw: (socket) => {
          const index = received.push(Buffer.alloc(0)) - 1;
          socket.on("data", (chunk: Buffer) => {
            received[index] = Buffer.concat([received[index] ?? chunk, chunk]);
            socket.write(chunk);
          });
        },
      });
      const groups = [testGroup(testBackend(server.port))];
      edge.apply({ ...legacyToo, groups });
      const bytes = Buffer.concat([login(`${host}\0FML\0`, protocol), Buffer.from("and more")]);
      for (let cut = 1; cut < bytes.length; cut += 3) {
        const player = await edge.connect();
        player.send(bytes.subarray(0, cut));
        await new Promise((resolve) => setImmediate(resolve));
        player.send(bytes.subarray(cut));
        await until(() => player.received.length === bytes.length, { everyMs: 1 });
        expect(received.at(-1)?.equals(bytes)).toBe(true);
        player.socket.destroy();
      }
    },
  );

  test("forwarding data that a client has written itself reaches no backend", async () => {
    let received = Buffer.alloc(0);
    const server = await backend({
      onRaw: (socket) =>
        socket.on("data", (chunk: Buffer) => (received = Buffer.concat([received, chunk]))),
    });
    edge.apply({ ...legacyToo, groups: [testGroup(testBackend(server.port))] });
    const player = await edge.connect();
    stops.push(() => player.socket.destroy());
    player.send(login(`${host}\x00203.0.113.7\x00069a79f4`));
    const expected = login(host);
    await until(() => received.length >= expected.length);
    expect(received.equals(expected)).toBe(true);
  });

  test("a ping split anywhere is answered with the shield's own words", async () => {
    edge.apply({ status: "blocked", domains: [sampleDomain("a.b")] });
    const bytes = ping("a.b");
    for (let cut = 1; cut < bytes.length; cut++) {
      const player = await edge.connect();
      player.send(bytes.subarray(0, cut));
      await new Promise((resolve) => setImmediate(resolve));
      player.send(bytes.subarray(cut));
      await until(() => player.isOver, { everyMs: 1 });
      expect(told(player)).toContain("has been blocked");
      player.socket.destroy();
    }
  });

  const noStatus = "Minecraft before 1.6 shows no status here";

  test.each([
    ["a ping without its host", ping(host).subarray(0, 40), noStatus],
    ["a login without its host", login(host).subarray(0, 12), "needs Minecraft 1.6 or newer"],
    ["the short ping of server lists and monitors", Buffer.from("fe01fa", "hex"), noStatus],
    ["a ping of 1.5, a version that may join", Buffer.from("fe01", "hex"), noStatus],
    ["a ping of 1.3", Buffer.from("fe", "hex"), noStatus],
  ])("%s is waited for, then told politely what there is", async (_name, bytes, words) => {
    edge.apply();
    const player = await edge.connect();
    player.send(bytes);
    await until(() => {
      edge.advance(200);
      return player.isOver;
    });
    expect(told(player)).toContain(words);
    expect(edge.outcomes.get("legacy")).toBe(1);
  });

  test("a short ping is answered within a pause of 200 ms, well before its client gives up", async () => {
    edge.apply();
    for (const hex of ["fe", "fe01", "fe01fa"]) {
      const player = await edge.connect();
      player.send(Buffer.from(hex, "hex"));
      await until(() => edge.admission.pending === 1);
      await isDelivered();
      edge.advance(100);
      expect(player.isOver).toBe(false);
      edge.advance(200);
      await until(() => player.isOver);
      expect(told(player)).toContain(noStatus);
      player.socket.destroy();
    }
  });

  test("a 1.6 ping whose payload arrives in slow pieces is still read whole", async () => {
    edge.apply({ status: "blocked", domains: [sampleDomain("a.b")] });
    const bytes = ping("a.b");
    const player = await edge.connect();
    for (const [from, to] of [
      [0, 3],
      [3, 20],
      [20, bytes.length],
    ]) {
      player.send(bytes.subarray(from, to));
      await isDelivered();
      edge.advance(from === 0 ? 100 : 1_000);
    }
    await until(() => player.isOver);
    expect(told(player)).toContain("has been blocked");
  });

  test("bytes that come one by one do not lengthen the deadline", async () => {
    edge.apply();
    const player = await edge.connect();
    for (const byte of ping(host).subarray(0, 60)) {
      player.send(Buffer.from([byte]));
      await isDelivered();
      edge.advance(100);
    }
    await until(() => player.isOver);
    expect(edge.outcomes.get("legacy")).toBe(1);
  });

  test("whatever legacy bytes come, every connection ends and is counted once", async () => {
    edge.apply(legacyToo);
    const real = fc.constantFrom(ping(host), login(host), ping(host, 0), login("", 255));
    const mutated = fc
      .tuple(real, fc.array(fc.tuple(fc.nat(70), fc.nat(255)), { maxLength: 3 }), fc.nat(70))
      .map(([bytes, changes, cut]) => {
        const copy = Buffer.from(bytes);
        for (const [at, value] of changes) if (at < copy.length) copy[at] = value;
        return copy.subarray(0, cut === 0 ? copy.length : cut);
      });
    await fc.assert(
      fc.asyncProperty(mutated, fc.boolean(), async (bytes, half) => {
        const player = await edge.connect();
        player.send(bytes);
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
        const sum = [...edge.outcomes.entries()].reduce((all, [, count]) => all + count, 0);
        expect(sum).toBe(edge.outcomes.accepted);
      }),
      { numRuns: 60 },
    );
  });
});
