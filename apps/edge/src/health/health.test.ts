import type { Socket } from "node:net";
import type { BackendHealth as HealthReport } from "@palisade/contract/edge/telemetry";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { encodeStatusResponse, statusRequest } from "@palisade/minecraft-protocol/java/status";
import { proxyV2Local } from "@palisade/minecraft-protocol/proxy/proxy-v2";
import { freePort } from "@palisade/testing/free-port";
import { sampleFavicon } from "@palisade/testing/sample-favicon";
import { until } from "@palisade/testing/until";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestBackend } from "#src/testing/test-backend.ts";
import { startTestEdge, testBackend, type TestEdge, testGroup } from "#src/testing/test-edge.ts";

let edge: TestEdge;
const stops: (() => unknown)[] = [];

beforeEach(async () => {
  edge = await startTestEdge();
  stops.push(edge.stop);
  edge.checks.start();
});
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

const status = encodeStatusResponse(JSON.stringify({ version: { name: "Test", protocol: 758 } }));

/** The last report of each backend, by the end of its id. */
class Told {
  readonly reports: HealthReport[] = [];

  of(n: number): HealthReport | undefined {
    for (const report of edge.health.drain()) this.reports.push(report);
    return this.reports.findLast(({ backend_id }) => backend_id === testBackend(1, n).id);
  }

  /** Lets time pass until a report says so. */
  async until(n: number, change: Partial<HealthReport>): Promise<HealthReport> {
    const told = (): HealthReport | undefined => {
      edge.advance(1_000);
      const report = this.of(n);
      const isThere = Object.entries(change).every(
        ([key, value]) =>
          report !== undefined && Object.entries(report).some(([k, v]) => k === key && v === value),
      );
      return isThere ? report : undefined;
    };
    // Some are reported only after minutes; a check has the time to end in one of their seconds.
    return until(told, { everyMs: 25 });
  }
}

async function start(...options: Parameters<typeof startTestBackend>) {
  const server = await startTestBackend(...options);
  stops.push(server.stop);
  return server;
}

describe("checks", () => {
  test("report which backends are up, how fast and since when, and which are not and why", async () => {
    const up = await start();
    const greeter = await start({ onRaw: (socket) => void socket.write("220 mail\r\n") });
    const backends = [
      testBackend(up.port, 1),
      testBackend(await freePort(), 2),
      { ...testBackend(1, 3), host: "nowhere.invalid" },
      testBackend(edge.port, 4),
      testBackend(greeter.port, 5),
    ];
    edge.apply({ groups: [testGroup(...backends)] });
    const told = new Told();
    const first = await told.until(1, { state: "up" });
    expect(first).toMatchObject({ players: 0, last_error: null });
    expect(first.latency_ms).not.toBeNull();
    expect(first.changed_at).not.toBeNull();
    await told.until(2, { state: "down", last_error: "refused" });
    await told.until(3, { state: "down", last_error: "unresolved" });
    await told.until(4, { state: "down", last_error: "forbidden" });
    await told.until(5, { state: "down", last_error: "not_minecraft" });
    const metric = await edge.metrics.getSingleMetricAsString("palisade_edge_backends");
    expect(metric).toContain('{state="up"} 1');
    expect(metric).toContain('{state="down"} 4');
  });

  test("a backend behind PROXY is asked with LOCAL, which is no player's", async () => {
    const heads: Buffer[] = [];
    const strict = await start({
      onRaw: (socket: Socket) => {
        socket.once("data", (head: Buffer) => {
          heads.push(head);
          socket.write(status);
        });
      },
    });
    edge.apply({ groups: [{ ...testGroup(testBackend(strict.port)), proxy_protocol: true }] });
    await new Told().until(1, { state: "up" });
    expect(heads[0]?.subarray(0, 16)).toEqual(Buffer.from(proxyV2Local));
  });

  test.each(["local", "proxy"])(
    "a backend that answers only to a PROXY header (%s) is reported as one that expects it",
    async (kind) => {
      const strict = await start({
        onRaw: (socket: Socket) => {
          socket.once("data", (head: Buffer) => {
            const isHeader = head.subarray(0, 4).toString("hex") === "0d0a0d0a";
            const isTaken = isHeader && (kind === "local" || head[12] === 0x21);
            if (isTaken) socket.write(status);
            else socket.destroy();
          });
        },
      });
      const groups = [testGroup(testBackend(strict.port))];
      edge.apply({ groups });
      const told = new Told();
      await told.until(1, { state: "down", last_error: "not_minecraft", expects_proxy: true });
      edge.apply({
        revision: 2,
        groups: [{ ...testGroup(testBackend(strict.port)), proxy_protocol: true }],
      });
      const taken = await told.until(1, { state: "up", last_error: null });
      expect(taken.expects_proxy).toBe(false);
    },
  );

  test("a group that sends PROXY to a backend that expects none is not told to turn it on", async () => {
    const plain = await start({
      onRaw: (socket: Socket) => {
        socket.once("data", (head: Buffer) => {
          if (head[0] === 0x0d) socket.destroy();
          else socket.write(status);
        });
      },
    });
    edge.apply({ groups: [{ ...testGroup(testBackend(plain.port)), proxy_protocol: true }] });
    const told = new Told();
    await told.until(1, { state: "down", last_error: "not_minecraft" });
    expect(told.reports.some(({ expects_proxy }) => expects_proxy)).toBe(false);
  });

  test("a backend that hangs up on LOCAL, as Velocity does, is asked another way and is never down", async () => {
    const velocity = await start({
      onRaw: (socket: Socket) => {
        socket.once("data", (head: Buffer) => {
          if (head[12] === 0x21) socket.write(status);
          else socket.destroy();
        });
      },
    });
    edge.apply({ groups: [{ ...testGroup(testBackend(velocity.port)), proxy_protocol: true }] });
    const told = new Told();
    await told.until(1, { state: "up" });
    edge.advance(60_000);
    await told.until(1, { state: "up", last_error: null });
    expect(told.reports.some(({ state }) => state === "down")).toBe(false);
  });

  test("a flapping backend does not flap for players: it takes two equal outcomes", async () => {
    const port = await freePort();
    const other = await start();
    edge.apply({ groups: [testGroup(testBackend(port, 1), testBackend(other.port, 2))] });
    const told = new Told();
    await told.until(1, { state: "down" });
    const { state } = await start({ port });
    const up = await told.until(1, { state: "up" });
    expect(state.statuses).toBeGreaterThanOrEqual(2);
    expect(up.last_error).toBeNull();
  });

  test("other games are connected to, and nothing is said", async () => {
    const heard: Buffer[] = [];
    const server = await start({
      onRaw: (socket) => void socket.on("data", (chunk: Buffer) => heard.push(chunk)),
    });
    const other = {
      ...testGroup(testBackend(server.port, 2), testBackend(await freePort(), 3)),
      id: "0190a000-0000-7000-8000-000000000070",
      default: false,
      game: "other" as const,
      port: await freePort(),
    };
    edge.apply({ groups: [testGroup(), other] });
    const told = new Told();
    await told.until(2, { state: "up" });
    await told.until(3, { state: "down", last_error: "refused" });
    expect(heard).toEqual([]);
  });

  test("players are told of, with their latest number", async () => {
    const server = await start({ onRaw: (socket) => void socket.write("hello") });
    const port = await freePort();
    const other = {
      ...testGroup(testBackend(server.port, 2)),
      id: "0190a000-0000-7000-8000-000000000070",
      default: false,
      game: "other" as const,
      port,
    };
    edge.apply({ groups: [testGroup(), other] });
    const players = [await edge.connect(port), await edge.connect(port)];
    const told = new Told();
    await told.until(2, { players: 2, state: "up" });
    players[0]?.socket.destroy();
    await told.until(2, { players: 1 });
    players[1]?.socket.destroy();
    expect(await told.until(2, { players: 0 })).toMatchObject({ state: "up", last_error: null });
  });

  test("all that is known is told again now and then, and nothing of what is gone", async () => {
    const server = await start();
    edge.apply({ groups: [testGroup(testBackend(server.port, 1))] });
    const told = new Told();
    await told.until(1, { state: "up" });
    const { length } = told.reports;
    await until(() => {
      edge.advance(30_000);
      told.of(1);
      return told.reports.length >= length + 2;
    });
    edge.apply({ groups: [testGroup()] });
    edge.health.drain();
    edge.advance(600_000);
    expect(edge.health.drain()).toEqual([]);
  });
});

describe("icons", () => {
  test("come from the status of a check; hostile ones are none and take no backend down", async () => {
    const icon = sampleFavicon();
    const favicons = [
      icon,
      sampleFavicon({ width: 4_096 }),
      "data:image/png;base64,%%",
      { a: [1] },
    ];
    const servers = await Promise.all(
      favicons.map((favicon) =>
        start({ status: () => encodeStatusResponse(JSON.stringify({ version: {}, favicon })) }),
      ),
    );
    edge.apply({ groups: [testGroup(...servers.map(({ port }, n) => testBackend(port, n + 1)))] });
    const told = new Told();
    for (const n of servers.keys()) await told.until(n + 1, { state: "up" });
    const reported = edge.health.favicons.reports();
    expect(new Map(reported.map(({ backend_id, favicon }) => [backend_id, favicon]))).toEqual(
      new Map(favicons.map((_, n) => [testBackend(1, n + 1).id, n === 0 ? icon : null])),
    );
  });

  test("a backend whose checks fail keeps its icon", async () => {
    const icon = sampleFavicon();
    const status = encodeStatusResponse(JSON.stringify({ version: {}, favicon: icon }));
    const server = await start({ status: () => status });
    edge.apply({ groups: [testGroup(testBackend(server.port, 1))] });
    const told = new Told();
    await told.until(1, { state: "up" });
    await server.stop();
    await until(() => {
      edge.advance(60_000);
      return told.of(1)?.state === "down";
    });
    expect(edge.health.favicons.reports()).toMatchObject([{ favicon: icon }]);
  });
});

describe("outdated outcomes", () => {
  test("an address that was corrected is told of once: what comes of the old one counts no more", async () => {
    const server = await start();
    const port = await freePort();
    edge.apply({ groups: [testGroup(testBackend(port, 1))] });
    const told = new Told();
    await told.until(1, { state: "down" });
    // Two checks ask the old address when it changes: it never answers them.
    const silent = await start({ port, onRaw: () => undefined });
    edge.checks.stop();
    edge.advance(10_000);
    const asking = await edge.connect();
    asking.send(
      encodeHandshake({ protocol: 758, host: "play.example.org", port: 1, intent: "login" }),
    );
    asking.send(encodeLoginStart("Steve"));
    await until(() => edge.counters.players === 1);
    edge.apply({ groups: [testGroup(testBackend(server.port, 1))] });
    edge.checks.start();
    await told.until(1, { state: "up", players: 1 });
    const { length } = told.reports;
    await silent.stop();
    await told.until(1, { players: 0 });
    const isToldAgain = (): boolean => {
      edge.advance(30_000);
      told.of(1);
      return told.reports.length >= length + 4;
    };
    await until(isToldAgain, { everyMs: 25 });
    expect(new Set(told.reports.slice(length).map(({ state }) => state))).toEqual(new Set(["up"]));
    const metric = await edge.metrics.getSingleMetricAsString("palisade_edge_backends");
    expect(metric).toContain('{state="up"} 1');
    expect(metric).not.toContain('{state="down"} 1');
  });
});

describe("the server list", () => {
  const ask = Buffer.concat([
    encodeHandshake({ protocol: 772, host: "play.example.org", port: 1, intent: "status" }),
    statusRequest,
  ]);

  async function pinged(): Promise<"online" | "offline"> {
    const player = await edge.connect();
    player.send(ask);
    await until(() => player.received.length > 0 || player.isOver);
    player.socket.destroy();
    return player.text.includes("The server") ? "offline" : "online";
  }

  test("a backend that flaps shows what it was last known to be; one that is gone the offline MOTD", async () => {
    const port = await freePort();
    edge.apply({ groups: [testGroup(testBackend(port))] });
    let server = await start({ port });
    expect(await pinged()).toBe("online");
    const told = new Told();
    await told.until(1, { state: "up" });

    // Gone for the blink of an eye, time and again.
    edge.checks.stop();
    for (let n = 0; n < 5; n++) {
      await server.stop();
      edge.advance(6_000);
      expect(await pinged()).toBe("online");
      await until(() => told.of(1)?.last_error === "refused");
      server = await start({ port });
      edge.advance(2_000);
      expect(await pinged()).toBe("online");
      await until(() => told.of(1)?.last_error === null);
    }
    expect(told.reports.some(({ state }) => state === "down")).toBe(false);

    await server.stop();
    await until(async () => {
      edge.advance(2_000);
      return (await pinged()) === "offline";
    });
    expect(told.of(1)?.state).toBe("down");
    // A backend that is down is asked only by checks, not for players.
    edge.checks.start();
    await start({ port });
    const seen: string[] = [];
    await until(async () => {
      edge.advance(2_000);
      seen.push(await pinged());
      return seen.at(-1) === "online";
    });
    expect(told.of(1)?.state).toBe("up");
    expect(seen.length).toBeGreaterThanOrEqual(2);
  });
});
