import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readAdvertisement } from "@palisade/minecraft-protocol/bedrock/advertisement";
import { encodeOpenRequest2 } from "@palisade/minecraft-protocol/bedrock/offline-messages";
import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import type { BackendHealth } from "@palisade/contract/edge/telemetry";
import { RakNetClient } from "@palisade/testing/bedrock/raknet-client";
import { RakNetServer, type RakNetServerOptions } from "@palisade/testing/bedrock/raknet-server";
import { ProxyProtocolReceiver } from "@palisade/testing/bedrock/proxy-protocol-receiver";
import { sampleBackend, sampleGroup, sampleShield } from "@palisade/testing/sample-shield";
import { freePort } from "@palisade/testing/free-port";
import { until } from "@palisade/testing/until";
import { repeatAfterMs } from "#src/health/health-registry.ts";
import { startTestEdge } from "#src/testing/test-edge.ts";

/** Bedrock players of one edge, whose clients and servers are RakNet's of the test package. */

type Edge = Awaited<ReturnType<typeof startTestEdge>>;

const stops: (() => unknown)[] = [];
let edge: Edge;
let port: number;

beforeEach(async () => {
  edge = await startTestEdge();
  stops.push(() => edge.stop());
  port = await freePort();
});
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

async function serve(options: RakNetServerOptions = {}): Promise<RakNetServer> {
  const server = await RakNetServer.listen({ advertisement, isEcho: true, ...options });
  stops.push(() => server.abandon());
  return server;
}

const advertisement = "MCPE;A server;766;1.21.50;7;100;4711;Second line;Survival;1;19132;19133;";

type Proxy = ShieldConfig["groups"][number]["backends"][number]["bedrock_proxy"];

function backendOf(bedrockPort: number, proxy: Proxy = "off", n = 1) {
  return { ...sampleBackend(1, n), bedrock_port: bedrockPort, bedrock_proxy: proxy };
}

function protect(
  backends: ReturnType<typeof backendOf>[],
  change: Partial<ShieldConfig> = {},
): void {
  edge.apply({
    groups: [sampleGroup(...backends)],
    bedrock: { ports: [port], only_in: [] },
    ...change,
  });
}

async function client(from = "127.0.0.1", to = port): Promise<RakNetClient> {
  const opened = await RakNetClient.open({ host: "127.0.0.1", port: to, from });
  stops.push(() => opened.abandon());
  return opened;
}

async function join(from?: string): Promise<RakNetClient> {
  const player = await client(from);
  await player.connect();
  return player;
}

async function echo(player: RakNetClient, text: string): Promise<string> {
  const answer = Promise.withResolvers<string>();
  player.once("message", (body) => answer.resolve(body.subarray(1).toString()));
  player.sendReliable(Buffer.concat([Buffer.from([0xfe]), Buffer.from(text)]));
  return answer.promise;
}

describe("a Bedrock player", () => {
  test.each([true, false])(
    "joins the backend and plays, whether or not it asks for a cookie (%s)",
    async (hasCookie) => {
      const backend = await serve({ hasCookie });
      protect([backendOf(backend.address.port)]);
      const player = await join();
      expect(player.cookies).toHaveLength(1);
      expect(player.cookies[0]).toBeDefined();
      expect(await echo(player, "hello")).toBe("hello");
      expect(await echo(player, "x".repeat(20_000))).toBe("x".repeat(20_000));
      expect(edge.counters.players).toBe(1);
      await player.close();
      await until(() => {
        edge.advance(1_000);
        edge.wheel.advance();
        return edge.counters.players === 0;
      });
    },
  );

  test("sees the backend's answer with the players of now, and the offline message without one", async () => {
    const backend = await serve();
    protect([backendOf(backend.address.port)]);
    const player = await client();
    const seen = async () => readAdvertisement((await player.ping()).advertisement);
    expect(await seen()).toMatchObject({ motd: "A server", online: 7, subMotd: "Second line" });
    await join();
    edge.advance(300);
    expect(await seen()).toMatchObject({ online: 8 });
    await backend.abandon();
    await until(async () => {
      edge.advance(70_000);
      edge.wheel.advance();
      const { motd } = (await seen()) ?? {};
      return motd === "§cThe server";
    });
    expect(await seen()).toMatchObject({ subMotd: "is down", version: "Offline" });
  });

  test("has a backend whose health at its Bedrock port is reported while the shield has a port", async () => {
    const backend = await serve();
    const { port: bedrockPort } = backend.address;
    protect([backendOf(bedrockPort)]);
    const reports: BackendHealth[] = [];
    const newest = () => reports.at(-1)?.bedrock;
    const becomes = (state: "up" | "down") =>
      until(
        () => {
          edge.advance(1_000);
          edge.wheel.advance();
          reports.push(...edge.health.drain());
          return newest()?.state === state;
        },
        { what: `the report of ${state}` },
      );
    await becomes("up");
    expect(newest()).toMatchObject({ port: bedrockPort, last_error: null });
    expect(reports.at(-1)).toMatchObject({ state: "unknown", shield_id: sampleShield().shield_id });
    const player = await join();
    await until(async () => {
      // Without a word for half a minute, the player would be gone.
      await echo(player, "here");
      edge.advance(1_000);
      reports.push(...edge.health.drain());
      return newest()?.players === 1;
    });
    expect(reports.at(-1)?.players).toBe(1);
    await backend.abandon();
    await becomes("down");
    expect(newest()?.last_error).not.toBeNull();
    protect([backendOf(bedrockPort)], { bedrock: { ports: [], only_in: [] } });
    edge.advance(repeatAfterMs);
    expect(edge.health.drain()).toMatchObject([{ bedrock: null }]);
  });

  test.each(["first", "every"] as const)(
    "is named to the backend by a PROXY header on %s datagram",
    async (mode) => {
      const backend = await serve();
      const receiver = await ProxyProtocolReceiver.listen({ server: backend.address, mode });
      stops.push(() => receiver.close());
      protect([backendOf(receiver.address.port, mode)]);
      const player = await join("127.0.0.9");
      expect(await echo(player, "y".repeat(5_000))).toBe("y".repeat(5_000));
      expect(receiver.violations).toEqual([]);
      expect(receiver.players.some((each) => each.startsWith("127.0.0.9:"))).toBe(true);
    },
  );

  test("is turned away by lists and rates, and logged", async () => {
    const backend = await serve();
    const sample = sampleShield();
    protect([backendOf(backend.address.port)], {
      lists: { ...sample.lists, blacklist: ["127.0.0.5/32"] },
    });
    const refused = await client("127.0.0.5");
    await refused.connect();
    const admitted = await join("127.0.0.6");
    expect(backend.peers.size).toBe(1);
    // Its entry waits for the login, which this client does not send.
    await admitted.close();
    await until(() => {
      edge.advance(1_000);
      edge.wheel.advance();
      return edge.counters.players === 0;
    });
    const entries = edge.logins.take(10);
    expect(entries.map(({ verdict, ip }) => [verdict, ip])).toEqual([
      ["blacklist", "127.0.0.5"],
      ["joined", "127.0.0.6"],
    ]);
    expect(edge.counted()).toMatchObject({
      joins: 1,
      bedrock: { joins: 1 },
      refused: { blacklist: 1 },
    });
  });

  test("is part of an attack that says how many of its logins were of Bedrock", async () => {
    const backend = await serve();
    const sample = sampleShield();
    protect([backendOf(backend.address.port)], {
      mitigation: { ...sample.mitigation, attack_threshold: 1 },
      lists: { ...sample.lists, blacklist: ["127.0.0.5/32"] },
    });
    const seen = () =>
      edge.attacks.reports().find(({ detail }) => (detail?.editions?.bedrock ?? 0) > 0);
    await until(
      async () => {
        // All of one second, so that they are over the threshold.
        const flood = await Promise.all(Array.from({ length: 6 }, () => client("127.0.0.5")));
        await Promise.allSettled(flood.map((each) => each.connect()));
        return seen() !== undefined;
      },
      { what: "the attack" },
    );
    const report = seen();
    expect(report).toMatchObject({
      shield_id: sample.shield_id,
      detail: { editions: { java: 0 } },
    });
    expect(report?.refused.blacklist).toBeGreaterThan(0);
  });

  test("is not charged with datagrams of no connection: they are attack traffic", async () => {
    const backend = await serve();
    protect([backendOf(backend.address.port)]);
    const stranger = await client();
    stranger.sendRaw(Buffer.alloc(100, 0x84));
    stranger.sendRaw(Buffer.alloc(50, 0x07));
    let attackBytes = 0;
    await until(() => {
      attackBytes += edge.counted()?.details?.attack_bytes ?? 0;
      return attackBytes === 150;
    });
    expect(edge.counters.totals).toMatchObject({ joins: 0 });
  });

  test("has to answer two cookies from High on, once", async () => {
    const backend = await serve();
    const sample = sampleShield();
    protect([backendOf(backend.address.port)], {
      mitigation: { ...sample.mitigation, antibot: "high" },
    });
    const first = await join();
    expect(new Set(first.cookies).size).toBe(2);
    await first.close();
    const again = await join();
    expect(again.cookies).toHaveLength(1);
  });

  test("is told that there is no room where no backend answers", async () => {
    const dead = await freePort();
    protect([backendOf(dead)]);
    await (await client()).connect();
    expect(edge.counters.players).toBe(0);
    expect(edge.outcomes.get("offline")).toBe(1);
  });

  test("is sent to the next backend where the first is silent", async () => {
    const backend = await serve();
    const dead = await freePort();
    protect([backendOf(dead, "off", 1), backendOf(backend.address.port, "off", 2)]);
    await join();
    await join("127.0.0.8");
    expect(backend.peers.size).toBe(2);
  });

  test("comes from another port where the backend takes the first ones for connected already", async () => {
    const backend = await serve({ takenSources: 2 });
    protect([backendOf(backend.address.port)]);
    expect(await echo(await join(), "in")).toBe("in");
    expect(backend.counts).toMatchObject({ requests1: 3, requests2: 3, opened: 1 });
  });

  test("is told so where the backend takes all ports for connected already", async () => {
    const backend = await serve({ takenSources: 100 });
    protect([backendOf(backend.address.port)]);
    const player = await client();
    await expect(player.connect()).rejects.toThrow("already connected");
    expect(edge.counters.players).toBe(0);
  });

  test("plays on where the network brings its request a second time, and begins anew by another one", async () => {
    const backend = await serve();
    protect([backendOf(backend.address.port)]);
    const player = await join();
    const [cookie] = player.cookies;
    const server = { ip: Uint8Array.of(127, 0, 0, 1), port };
    const request = { cookie, server, mtu: 1_492 };
    player.sendRaw(encodeOpenRequest2({ ...request, guid: player.guid }));
    expect(await echo(player, "still here")).toBe("still here");
    expect(backend.counts.requests1).toBe(1);
    player.sendRaw(encodeOpenRequest2({ ...request, guid: player.guid + 1n }));
    await until(() => backend.counts.requests1 === 2);
    expect(edge.counters.players).toBeLessThanOrEqual(1);
  });

  test("is cut off when the port is deleted, and nothing answers there any more", async () => {
    const backend = await serve();
    protect([backendOf(backend.address.port)]);
    const player = await join();
    await player.ping();
    protect([backendOf(backend.address.port)], { bedrock: { ports: [], only_in: [] } });
    expect(edge.counters.players).toBe(0);
    const late = await client();
    const pong = late.ping().then(() => "pong");
    const joined = late.connect().then(
      () => "joined",
      () => "no answer",
    );
    expect(await Promise.race([pong, joined])).toBe("no answer");
  });
});
