import type { Socket } from "node:net";
import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { recordedClients } from "@palisade/minecraft-protocol/java/recorded-clients";
import { sampleDomain } from "@palisade/testing/sample-shield";
import { until } from "@palisade/testing/until";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestBackend } from "#src/testing/test-backend.ts";
import {
  startTestEdge,
  testBackend,
  testGroup,
  testShield,
  type TestEdge,
} from "#src/testing/test-edge.ts";

function login(host: string, name = "Steve_01", protocol = 758): Buffer {
  const handshake = encodeHandshake({ protocol, host, port: 25_565, intent: "login" });
  return Buffer.concat([handshake, encodeLoginStart(name)]);
}

describe("login", () => {
  let edge: TestEdge;
  const stops: (() => unknown)[] = [];

  beforeEach(async () => {
    edge = await startTestEdge();
    stops.push(edge.stop);
  });
  afterEach(async () => {
    for (const stop of stops.splice(0).toReversed()) await stop();
  });

  /** A backend that keeps what it hears and answers each byte with its successor. */
  async function echo() {
    const state = { received: [] as Buffer[], sockets: [] as Socket[] };
    const server = await startTestBackend({
      onRaw: (socket) => {
        const index = state.sockets.push(socket) - 1;
        state.received[index] = Buffer.alloc(0);
        socket.on("data", (chunk: Buffer) => {
          state.received[index] = Buffer.concat([state.received[index] ?? Buffer.alloc(0), chunk]);
          socket.write(chunk.map((byte) => byte + 1));
        });
        socket.on("end", () => socket.end());
      },
    });
    stops.push(server.stop);
    return { ...server, ...state };
  }

  function lists(change: Partial<ShieldConfig["lists"]>): Partial<ShieldConfig> {
    return { lists: { ...testShield().lists, ...change } };
  }

  async function kicked(bytes: Buffer): Promise<string> {
    const player = await edge.connect();
    player.send(bytes);
    await until(() => player.isOver);
    return player.text;
  }

  test("every byte reaches the backend, those in the handshake's segment too", async () => {
    const server = await echo();
    edge.apply({ groups: [testGroup(testBackend(server.port))] });
    const bytes = Buffer.concat([login("play.example.org\0FML2\0"), Buffer.from("and more")]);
    const player = await edge.connect();
    player.send(bytes);
    await until(() => player.received.length === bytes.length);
    player.send(Buffer.from("later"));
    await until(() => player.received.length === bytes.length + 5);
    expect(server.received[0]?.toString()).toBe(`${bytes.toString()}later`);
    const { live } = edge.counters.drain(Date.now());
    expect(live).toMatchObject([{ players: 1 }]);
    player.socket.end();
    await until(() => player.hasEnded);
    await until(() => edge.counters.players === 0);
    edge.advance(60_000);
    await until(() => edge.counters.drain(Date.now()).live.length === 0);
    expect(edge.outcomes.get("forwarded")).toBe(1);
  });

  test("a player of a name below a proven wildcard reaches the backend, and one of the name itself does not", async () => {
    const server = await echo();
    const groups = [testGroup(testBackend(server.port))];
    edge.apply({ groups, domains: [sampleDomain("*.example.com")] });
    for (const host of ["pvp.example.com", "eu.pvp.example.com", "PvP.Example.com."]) {
      const bytes = login(host);
      const player = await edge.connect();
      player.send(bytes);
      await until(() => player.received.length === bytes.length);
      player.socket.destroy();
    }
    expect(await kicked(login("example.com"))).toContain("no server at this address");
    expect(edge.outcomes.get("unknown_host")).toBe(1);
  });

  test("joins and bytes are counted per shield and minute", async () => {
    const server = await echo();
    edge.apply({ groups: [testGroup(testBackend(server.port))] });
    const bytes = login("play.example.org");
    const player = await edge.connect();
    player.send(bytes);
    await until(() => player.received.length === bytes.length);
    const counted = edge.counted();
    expect(counted).toMatchObject({
      joins: 1,
      bytes_up: bytes.length,
      bytes_down: bytes.length,
      refused: {},
    });
    edge.counters.restore(counted === undefined ? [] : [counted]);
    expect(edge.counted()).toMatchObject({ joins: 1 });
  });

  test.each(recordedClients.filter(({ intent }) => intent === "login"))(
    "recorded $version joins whatever way its bytes are split",
    async ({ hex }) => {
      const server = await echo();
      const versions = { min: "1.7.2", max: null };
      edge.apply({ versions, groups: [testGroup(testBackend(server.port))] });
      const bytes = Buffer.from(hex, "hex");
      for (let cut = 1; cut < bytes.length; cut++) {
        const player = await edge.connect();
        player.send(bytes.subarray(0, cut));
        await new Promise((resolve) => setImmediate(resolve));
        player.send(bytes.subarray(cut));
        await until(() => player.received.length === bytes.length, { everyMs: 1 });
        expect(server.received.at(-1)?.toString("hex")).toBe(hex);
        player.socket.destroy();
      }
    },
  );

  test("PROXY v2 names the player before the first byte", async () => {
    const server = await echo();
    edge.apply({ groups: [{ ...testGroup(testBackend(server.port)), proxy_protocol: true }] });
    const player = await edge.connect();
    const bytes = login("play.example.org");
    player.send(bytes);
    await until(() => server.received[0]?.length === 28 + bytes.length);
    const header = server.received[0] ?? Buffer.alloc(0);
    expect(header.subarray(0, 16).toString("hex")).toBe("0d0a0d0a000d0a515549540a2111000c");
    expect(header.subarray(16, 24).toString("hex")).toBe("7f0000017f000001");
    expect(header.readUInt16BE(24)).toBe(player.socket.localPort);
    expect(header.readUInt16BE(26)).toBe(edge.port);
    expect(header.subarray(28)).toEqual(bytes);
  });

  test("a blacklisted player is kicked with the owner's message, and hears it all", async () => {
    edge.apply(lists({ blacklist: ["127.0.0.0/8"] }));
    const text = await kicked(Buffer.concat([login("play.example.org"), Buffer.alloc(100)]));
    expect(text).toMatch(/"text":"Blacklisted, Steve_01 [0-9A-Z]{8}","color":"red"/);
    expect(edge.counted()).toMatchObject({ joins: 0, refused: { blacklist: 1 } });
    expect(edge.outcomes.get("blacklist")).toBe(1);
  });

  test("a kick that answers a whole login ends the connection, also if the client keeps its own open", async () => {
    edge.apply({ status: "blocked" });
    const player = await edge.connect();
    player.send(login("play.example.org"));
    await until(() => player.hasEnded);
    await until(() => edge.admission.pending === 0);
    expect(player.text).toContain("has been blocked");
    expect(player.socket.writable).toBe(true);
  });

  test("a kicked client with bytes behind its login is not reset: it could lose the message", async () => {
    edge.apply({ status: "blocked" });
    const player = await edge.connect();
    player.send(Buffer.concat([login("play.example.org"), Buffer.alloc(1)]));
    await until(() => player.hasEnded);
    for (let n = 0; n < 20; n++) {
      player.send(Buffer.alloc(100));
      // The edge runs in this process: it reads these bytes before the next are sent.
      await new Promise((resolve) => setImmediate(resolve));
    }
    player.socket.end();
    await until(() => edge.admission.pending === 0);
    expect(player.text).toContain("has been blocked");
    expect(player.wasReset).toBe(false);
  });

  test("a blacklist that is turned off refuses no player", async () => {
    edge.apply(lists({ blacklist: ["127.0.0.1"], blacklist_enabled: false }));
    expect(await kicked(login("play.example.org"))).toContain("Offline");
  });

  test("a list that changes acts on the next join; who plays plays on", async () => {
    const server = await echo();
    const groups = [testGroup(testBackend(server.port))];
    edge.apply({ groups });
    const bytes = login("play.example.org");
    const player = await edge.connect();
    player.send(bytes);
    await until(() => player.received.length === bytes.length);
    edge.apply({ revision: 2, groups, ...lists({ blacklist: ["127.0.0.1"] }) });
    expect(await kicked(bytes)).toContain("Blacklisted");
    player.send(Buffer.from("x"));
    await until(() => player.received.length === bytes.length + 1);
    edge.apply({ revision: 3, groups, ...lists({ blacklist: [], blacklist_enabled: true }) });
    const again = await edge.connect();
    again.send(bytes);
    await until(() => again.received.length === bytes.length);
  });

  test("maintenance mode lets only the whitelist in", async () => {
    edge.apply(lists({ whitelist_only: true, whitelist: ["192.0.2.1"] }));
    expect(await kicked(login("play.example.org"))).toContain("Maintenance");
  });

  test.each([
    ["expired", "has expired"],
    ["blocked", "has been blocked"],
    ["traffic_used_up", "traffic of this server is used up"],
  ] as const)("a shield that is %s says so", async (status, text) => {
    edge.apply({ status });
    expect(await kicked(login("play.example.org"))).toContain(text);
  });

  test("unknown hosts and invalid names are kicked, without a word of the client's", async () => {
    expect(await kicked(login("nowhere.example.org"))).toContain("no server at this address");
    edge.apply();
    const text = await kicked(login("play.example.org", '"},{"§c'));
    expect(text).toContain("player name cannot be used");
    expect(text).not.toContain('"},{"§c');
  });

  test("a version outside of the range is kicked with the owner's words, as JSON for each", async () => {
    edge.apply({ versions: { min: "1.12.2", max: "1.20.1" } });
    const said: string[] = [];
    for (const { version, hex } of recordedClients.filter(({ intent }) => intent === "login")) {
      const text = await kicked(Buffer.from(hex, "hex"));
      said.push(`${version}: ${text.slice(text.indexOf("{"))}`);
    }
    const refused = '{"text":"Wrong version, 1.8 and later"}';
    const offline = '{"text":"Offline Steve_01"}';
    const outside = ["1.7", "1.8.8", "1.20.2", "1.20.6", "1.21.8", "1.21.11", "26.1"];
    expect(said).toEqual(
      recordedClients
        .filter(({ intent }) => intent === "login")
        .map(({ version }) => `${version}: ${outside.includes(version) ? refused : offline}`),
    );
    const { refused: counts } = edge.counted() ?? {};
    expect(counts?.invalid_version).toBe(outside.length);
  });

  test("a range that this edge's table does not know is refused, the running one stays", async () => {
    edge.apply({ versions: { min: "1.8", max: "1.8" } });
    const newer = testShield({ revision: 2, versions: { min: "1.8", max: "99.1" } });
    expect(edge.sink.apply(newer)).toEqual({
      ok: false,
      reason: "versions: 1.8 to 99.1 are not in the table",
    });
    expect(await kicked(login("play.example.org"))).toContain("Wrong version");
  });

  test.each(["", "\0FML\0", "\0FML2\0", "\0FML3\0", "\0FORGE"])(
    "a login and a transfer with suffix %j are forwarded as they came",
    async (suffix) => {
      const server = await echo();
      edge.apply({ groups: [testGroup(testBackend(server.port))] });
      for (const intent of ["login", "transfer"] as const) {
        const host = `Play.Example.org${suffix}`;
        const handshake = encodeHandshake({ protocol: 766, host, port: 25_565, intent });
        const bytes = Buffer.concat([handshake, encodeLoginStart("Steve", Buffer.alloc(16, 7))]);
        const player = await edge.connect();
        player.send(bytes);
        await until(() => player.received.length === bytes.length);
        expect(server.received.at(-1)?.equals(bytes)).toBe(true);
      }
    },
  );

  test.each([
    ["of BungeeCord", "\x00203.0.113.7\x00069a79f444e94726a5befca90e38aaf5", ""],
    ["of RealIP", "///203.0.113.7:25565///1700000000", ""],
    ["of BungeeCord behind a mod loader's", "\0FML2\x00203.0.113.7\x00069a79f4", "\0FML2\0"],
  ])("a client's own forwarding data %s reaches no backend", async (_, suffix, forwarded) => {
    const server = await echo();
    edge.apply({ groups: [testGroup(testBackend(server.port))] });
    const player = await edge.connect();
    player.send(login(`play.example.org${suffix}`));
    const expected = login(`play.example.org${forwarded}`);
    await until(() => player.received.length === expected.length);
    expect(server.received.at(-1)?.equals(expected)).toBe(true);
  });

  test("an older content under a newer revision is taken and acts: a rollback", async () => {
    const before = lists({ blacklist: ["127.0.0.1"] });
    edge.apply({ revision: 7, ...before });
    edge.apply({ revision: 8, ...lists({ blacklist: [] }) });
    expect(await kicked(login("play.example.org"))).toContain("Offline");
    edge.apply({ revision: 9, ...before });
    expect(await kicked(login("play.example.org"))).toContain("Blacklisted");
  });

  test("no backend answers: the offline kick", async () => {
    const server = await echo();
    await server.stop();
    edge.apply({ groups: [testGroup(testBackend(server.port))] });
    expect(await kicked(login("play.example.org"))).toContain("Offline Steve_01");
    edge.apply({ groups: [testGroup()] });
    expect(await kicked(login("play.example.org"))).toContain("Offline Steve_01");
    expect(edge.counted()?.refused).toEqual({ offline: 2 });
  });

  test("the group's other backend takes the player where the first is down", async () => {
    const down = await echo();
    await down.stop();
    const up = await echo();
    edge.apply({ groups: [testGroup(testBackend(down.port, 1), testBackend(up.port, 2))] });
    for (let n = 0; n < 2; n++) {
      const player = await edge.connect();
      const bytes = login("play.example.org");
      player.send(bytes);
      await until(() => player.received.length === bytes.length);
    }
    expect(up.state.connections).toBe(2);
  });

  test("the edge is no backend of its own", async () => {
    edge.apply({ groups: [testGroup(testBackend(edge.port))] });
    expect(await kicked(login("play.example.org"))).toContain("Offline");
    expect(edge.outcomes.accepted).toBe(1);
  });

  test("a rejected configuration leaves the running one as it is", async () => {
    edge.apply(lists({ blacklist: ["127.0.0.1"] }));
    const poison = testShield({ revision: 2, ...lists({ blacklist: ["not an address"] }) });
    expect(edge.sink.apply(poison)).toEqual({
      ok: false,
      reason: 'blacklist: "not an address" is no address or CIDR range',
    });
    expect(await kicked(login("play.example.org"))).toContain("Blacklisted");
  });

  test("a player who leaves while the backend is dialled never reaches it", async () => {
    const server = await echo();
    const host = "slow.backend.test";
    edge.apply({ groups: [testGroup({ ...testBackend(server.port), host })] });
    const player = await edge.connect();
    player.send(login("play.example.org"));
    player.socket.destroy();
    const ends = ["left", "offline", "unproven"] as const;
    await until(() => ends.reduce((sum, end) => sum + edge.outcomes.get(end), 0) === 1);
    await until(() => edge.admission.pending === 0);
    expect(server.state.connections).toBe(0);
  });
});
