import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { recordedClients } from "@palisade/minecraft-protocol/java/recorded-clients";
import {
  encodeStatusResponse,
  readStatusResponse,
  statusRequest,
} from "@palisade/minecraft-protocol/java/status";
import { sampleDomain } from "@palisade/testing/sample-shield";
import { until } from "@palisade/testing/until";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestBackend } from "#src/testing/test-backend.ts";
import {
  shieldId,
  startTestEdge,
  testBackend,
  testGroup,
  testShield,
  type TestEdge,
} from "#src/testing/test-edge.ts";

const ping = Buffer.from("09010102030405060708", "hex");
const pong = ping;

function statusFrom(host: string, protocol = 772): Buffer {
  const handshake = encodeHandshake({ protocol, host, port: 25_565, intent: "status" });
  return Buffer.concat([handshake, statusRequest]);
}

describe("status", () => {
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

  async function pinged(bytes: Buffer): Promise<string> {
    const player = await edge.connect();
    player.send(bytes);
    await until(() => player.received.length > 0 || player.isOver);
    player.socket.destroy();
    return player.text;
  }

  test("the backend's answer and the pong come through, then the edge closes", async () => {
    const server = await backend();
    edge.apply({ groups: [testGroup(testBackend(server.port))] });
    const player = await edge.connect();
    player.send(statusFrom("Play.Example.org."));
    await until(() => player.text.includes('"protocol":772'));
    player.send(ping);
    await until(() => player.isOver);
    expect(player.received.subarray(-pong.length)).toEqual(pong);
    expect(server.state.hosts).toEqual(["play.example.org"]);
    expect(edge.outcomes.get("status")).toBe(1);
    expect(edge.counted()?.pings).toBe(1);
  });

  test("request and ping in one segment are answered in order", async () => {
    const server = await backend();
    edge.apply({ groups: [testGroup(testBackend(server.port))] });
    const player = await edge.connect();
    player.send(Buffer.concat([statusFrom("play.example.org"), ping]));
    await until(() => player.hasEnded);
    expect(player.text).toContain('"protocol":772');
    expect(player.received.subarray(-pong.length)).toEqual(pong);
  });

  test.each([
    [
      "with its request",
      (flood: Buffer) => [Buffer.concat([statusFrom("play.example.org"), flood])],
    ],
    ["after it", (flood: Buffer) => [statusFrom("play.example.org"), flood]],
  ])("a client that says more than a ping %s is not listened to", async (_when, chunks) => {
    const server = await backend({ status: () => undefined });
    edge.apply({ groups: [testGroup(testBackend(server.port))] });
    const player = await edge.connect();
    for (const chunk of chunks(Buffer.concat([ping, ping]))) {
      player.send(chunk);
      await until(() => edge.outcomes.accepted === 1 && edge.admission.pending <= 1);
    }
    await until(() => player.isOver);
    expect(edge.outcomes.get("malformed")).toBe(1);
  });

  test("a client that half-closes after its request is answered", async () => {
    const server = await backend();
    edge.apply({ groups: [testGroup(testBackend(server.port))] });
    const player = await edge.connect();
    player.socket.end(statusFrom("play.example.org"));
    await until(() => player.hasEnded);
    expect(player.text).toContain('"protocol":772');
  });

  test("each protocol has its own answer, fetched once while fresh", async () => {
    const server = await backend();
    edge.apply({ groups: [testGroup(testBackend(server.port))] });
    for (const protocol of [47, 772, 47, 772]) {
      expect(await pinged(statusFrom("play.example.org", protocol))).toContain(
        `"protocol":${protocol}`,
      );
    }
    expect(server.state.protocols).toEqual([47, 772]);
  });

  test("made-up protocols share one fetch", async () => {
    const server = await backend();
    edge.apply({ groups: [testGroup(testBackend(server.port))] });
    for (const protocol of [-5, 200, 123_456, 0x40000011]) {
      await pinged(statusFrom("play.example.org", protocol));
    }
    expect(server.state.statuses).toBe(1);
  });

  test("fifty players at once cost the backend one fetch", async () => {
    const server = await backend({
      status: (_protocol, count) => encodeStatusResponse(`{"n":${count}}`),
    });
    edge.apply({ groups: [testGroup(testBackend(server.port))] });
    const players = await Promise.all(Array.from({ length: 50 }, () => edge.connect()));
    for (const player of players) player.send(statusFrom("play.example.org"));
    await until(() => players.every(({ text }) => text.includes('{"n":1}')));
    expect(server.state.statuses).toBe(1);
  });

  test("a stale answer is served at once while a new one is fetched behind it", async () => {
    const server = await backend();
    edge.apply({ groups: [testGroup(testBackend(server.port))] });
    expect(await pinged(statusFrom("play.example.org"))).toContain('"n":1');
    edge.advance(10_000);
    expect(await pinged(statusFrom("play.example.org"))).toContain('"n":1');
    await until(() => server.state.statuses === 2);
    await until(async () => (await pinged(statusFrom("play.example.org"))).includes('"n":2'));
    edge.advance(100_000);
    expect(await pinged(statusFrom("play.example.org"))).toContain('"n":3');
  });

  test("a backend that went away gives way to the offline MOTD, and comes back", async () => {
    const server = await backend();
    edge.apply({ groups: [testGroup(testBackend(server.port))] });
    await pinged(statusFrom("play.example.org"));
    await server.stop();
    edge.advance(10_000);
    await until(async () => {
      const text = await pinged(statusFrom("play.example.org"));
      return text.includes("The server") && text.includes('"protocol":-1');
    });
    expect(await pinged(statusFrom("play.example.org", 47))).toContain("The server");
    const other = await backend();
    edge.apply({ revision: 2, groups: [testGroup(testBackend(other.port))] });
    await until(async () => (await pinged(statusFrom("play.example.org"))).includes('"n":'));
  });

  test("the group's other backend answers where the first is down", async () => {
    const down = await backend();
    await down.stop();
    const up = await backend();
    edge.apply({ groups: [testGroup(testBackend(down.port, 1), testBackend(up.port, 2))] });
    expect(await pinged(statusFrom("play.example.org"))).toContain('"n":1');
  });

  test.each([
    ["a backend that says nothing", () => undefined],
    ["a backend that talks nonsense", () => Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n")],
    ["a backend that announces 2 MB", () => Buffer.from("ffff7f00", "hex")],
  ])("%s is offline", async (_name, status) => {
    const server = await backend({ status });
    edge.apply({ groups: [testGroup(testBackend(server.port))] });
    const player = await edge.connect();
    player.send(statusFrom("play.example.org"));
    await until(() => server.state.statuses === 1);
    await until(() => {
      edge.advance(500);
      return player.hasEnded || player.text !== "";
    });
    expect(player.text).toContain("The server");
  });

  test("the offline answer shows version, both lines, icon and hover, and no players online", async () => {
    const icon = "data:image/png;base64,iVBORw0KGgo=";
    const { messages } = testShield();
    edge.apply({ offline_icon: icon, messages: { ...messages, offline_hover: "§7Back\nsoon" } });
    const player = await edge.connect();
    player.send(statusFrom("play.example.org"));
    await until(() => readStatusResponse(player.received).kind === "status");
    const result = readStatusResponse(player.received);
    const id = "00000000-0000-0000-0000-000000000000";
    expect(result.kind === "status" && JSON.parse(result.json)).toEqual({
      version: { name: "Offline", protocol: -1 },
      players: {
        online: 0,
        max: 0,
        sample: [
          { name: "§7Back", id },
          { name: "soon", id },
        ],
      },
      description: { text: "The server\nis down", color: "red" },
      favicon: icon,
    });
  });

  test("each domain is asked for by its own name, the label by the first domain's", async () => {
    const server = await backend();
    const domains = ["play.example.org", "lobby.example.org"].map(sampleDomain);
    edge.apply({ domains, groups: [testGroup(testBackend(server.port))] });
    for (const host of ["lobby.example.org", "abcdefghijkl.gs.localhost", "play.example.org"]) {
      await pinged(statusFrom(host));
    }
    expect(server.state.hosts).toEqual(["lobby.example.org", "play.example.org"]);
  });

  test("with caching off each ping reaches the backend; switched on, it does not", async () => {
    const server = await backend();
    const groups = [testGroup(testBackend(server.port))];
    const cache = { enabled: false, fresh_ms: 5_000, stale_ms: 60_000, purge: 0 };
    edge.apply({ groups, status_cache: cache });
    for (const n of [1, 2, 3])
      expect(await pinged(statusFrom("play.example.org"))).toContain(`"n":${n}`);
    edge.apply({ revision: 2, groups, status_cache: { ...cache, enabled: true } });
    expect(await pinged(statusFrom("play.example.org"))).toContain('"n":3');
    expect(edge.counted()).toMatchObject({ pings: 4, status_hits: 1 });
  });

  test("a purge makes the next ping ask", async () => {
    const server = await backend();
    const groups = [testGroup(testBackend(server.port))];
    edge.apply({ groups });
    for (const _ of [1, 2]) expect(await pinged(statusFrom("play.example.org"))).toContain('"n":1');
    const status_cache = { ...testShield().status_cache, purge: 1 };
    edge.apply({ revision: 2, groups, status_cache });
    for (const _ of [1, 2]) expect(await pinged(statusFrom("play.example.org"))).toContain('"n":2');
  });

  test("unknown hosts get one neutral answer, expired and blocked shields say so", async () => {
    expect(await pinged(statusFrom("nowhere.example.org"))).toContain("no server at this address");
    edge.apply({ status: "expired" });
    expect(await pinged(statusFrom("play.example.org"))).toContain("has expired");
    edge.apply({ status: "blocked" });
    expect(await pinged(statusFrom("play.example.org"))).toContain("has been blocked");
    edge.sink.remove(shieldId);
    expect(await pinged(statusFrom("play.example.org"))).toContain("no server at this address");
    expect(edge.outcomes.get("unknown_host")).toBe(2);
  });

  test("answers of a backend that was replaced, or of a shield that is gone, are not kept", async () => {
    const bytes = () => edge.metrics.getSingleMetricAsString("palisade_edge_status_cache_bytes");
    const server = await backend();
    edge.apply({ groups: [testGroup(testBackend(server.port))] });
    await pinged(statusFrom("play.example.org"));
    expect(await bytes()).not.toMatch(/ 0$/);
    edge.apply({ revision: 2, groups: [testGroup(testBackend(1))] });
    expect(await bytes()).toMatch(/ 0$/);
    edge.apply({ revision: 3, groups: [testGroup(testBackend(server.port))] });
    await pinged(statusFrom("play.example.org"));
    edge.sink.remove(shieldId);
    expect(await bytes()).toMatch(/ 0$/);
  });

  test("a domain of the label routes as the domain does", async () => {
    edge.apply();
    expect(await pinged(statusFrom("ABCDEFGHIJKL.gs.localhost."))).toContain("The server");
  });

  test.each(recordedClients.filter(({ intent }) => intent === "status"))(
    "recorded $version is answered whatever way its bytes are split",
    async ({ hex }) => {
      edge.apply({ domains: [sampleDomain("127.0.0.1")] });
      const bytes = Buffer.from(hex, "hex");
      for (let cut = 1; cut < bytes.length; cut++) {
        const player = await edge.connect();
        player.send(bytes.subarray(0, cut));
        await new Promise((resolve) => setImmediate(resolve));
        player.send(bytes.subarray(cut));
        await until(() => player.isOver || player.text.endsWith("}"), { everyMs: 1 });
        expect(player.text).toContain("The server");
        player.socket.destroy();
      }
    },
  );
});
