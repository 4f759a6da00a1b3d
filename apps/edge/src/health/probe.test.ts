import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import {
  probeResult,
  probesAtOnceMax,
  type ProbeAttempt,
  type ProbeRequest,
  type ProbeResult,
} from "@palisade/contract/edge/probe";
import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import { decodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeStatusResponse } from "@palisade/minecraft-protocol/java/status";
import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import { proxyV2Local } from "@palisade/minecraft-protocol/proxy/proxy-v2";
import { until } from "@palisade/testing/until";
import fc from "fast-check";
import { anyPort } from "#src/testing/any-port.ts";
import { afterEach, describe, expect, test } from "vitest";
import { HealthRegistry } from "./health-registry.ts";
import { ProbeResolver } from "#src/resolver/backend-resolver.ts";
import { FdBudget } from "@palisade/shared-tables/shared-counters";
import { Dialler } from "#src/dialling/dialler.ts";
import { createDialPolicy, FleetAddresses } from "#src/routing/dial-policy.ts";
import { TimerWheel } from "@palisade/sockets/timer-wheel";
import { startTestBackend } from "#src/testing/test-backend.ts";
import { startTestEdge, type TestEdge } from "#src/testing/test-edge.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function startEdge(openFilesMax?: number): Promise<TestEdge> {
  const edge = await startTestEdge({}, openFilesMax);
  ends.push(() => edge.stop());
  return edge;
}

async function startBackend(
  ...args: Parameters<typeof startTestBackend>
): Promise<Awaited<ReturnType<typeof startTestBackend>>> {
  const backend = await startTestBackend(...args);
  ends.push(() => backend.stop());
  return backend;
}

let serial = 0;

function requestOf(port: number, change: Partial<ProbeRequest> = {}): ProbeRequest {
  return {
    id: `0198f000-0000-7000-8000-${String(++serial).padStart(12, "0")}`,
    host: "127.0.0.1",
    port,
    hostname: "play.example.org",
    protocol: 767,
    proxy: "without",
    deadline_ms: 5_000,
    ...change,
  };
}

type Path = Pick<TestEdge, "probes">;

/** Begins to look; `seen` is set once it was reported, which may happen once only. */
function look(edge: Path, request: ProbeRequest): { seen: ProbeResult | undefined } {
  const state: { seen: ProbeResult | undefined } = { seen: undefined };
  edge.probes.take(request, (result) => {
    expect(state.seen).toBeUndefined();
    state.seen = probeResult.parse(result);
  });
  return state;
}

async function probeWhole(edge: Path, request: ProbeRequest): Promise<ProbeResult> {
  const state = look(edge, request);
  const seen = await until(() => state.seen);
  expect(seen.id).toBe(request.id);
  return seen;
}

async function probe(edge: Path, request: ProbeRequest): Promise<readonly ProbeAttempt[]> {
  const { attempts } = await probeWhole(edge, request);
  return attempts;
}

const unseen = (outcome: ProbeAttempt["outcome"], proxy = false): ProbeAttempt => ({
  proxy,
  outcome,
  latency_ms: null,
  status: null,
});

const half = encodeStatusResponse('{"a":1}').subarray(0, 5);

async function openFiles(edge: TestEdge): Promise<number> {
  const text = await edge.metrics.metrics();
  return Number(/^palisade_edge_open_files (\d+)$/m.exec(text)?.[1]);
}

/** Waits until no connection is left behind. */
async function closed(edge: TestEdge): Promise<void> {
  await until(async () => (await openFiles(edge)) === 0);
}

const signature = Buffer.from("0d0a0d0a000d0a515549540a", "hex");

/** A backend that wants a PROXY header, as one with `proxy-protocol: true`, or hangs up at one. */
function answering(wantsHeader: boolean, heard: { host: string; header: Buffer }[] = []) {
  return (socket: Socket): void => {
    socket.once("data", (head: Buffer) => {
      const hasHeader = head.subarray(0, 12).equals(signature);
      if (hasHeader !== wantsHeader) return void socket.destroy();
      const headerEnd = hasHeader ? 16 + head.readUInt16BE(14) : 0;
      const frame = readFrame(head, headerEnd, 4096);
      if (frame.kind !== "packet") return void socket.destroy();
      const result = decodeHandshake(head, frame.bodyStart, frame.bodyEnd);
      if (!result.ok) return void socket.destroy();
      heard.push({ host: result.handshake.host, header: head.subarray(0, headerEnd) });
      socket.write(
        encodeStatusResponse(
          JSON.stringify({ version: { name: "Paper 1.21.4", protocol: 769 }, description: "Hi" }),
        ),
      );
    });
  };
}

describe("a probe of a backend", () => {
  test("tells what a Minecraft server answers, asked as a client of that version and host", async () => {
    const edge = await startEdge();
    const backend = await startBackend({
      status: (protocol) =>
        encodeStatusResponse(
          JSON.stringify({
            version: { name: "Paper 1.21.4", protocol },
            players: { online: 3, max: 20 },
            description: { text: "Hello", color: "gold" },
          }),
        ),
    });
    const [attempt, ...others] = await probe(edge, requestOf(backend.port));
    expect(others).toEqual([]);
    expect(attempt).toEqual({
      proxy: false,
      outcome: "online",
      latency_ms: expect.any(Number),
      status: {
        motd: ["§6Hello"],
        version: "Paper 1.21.4",
        protocol: 767,
        players_online: 3,
        players_max: 20,
        favicon: null,
      },
    });
    expect(backend.state.hosts).toEqual(["play.example.org"]);
    await closed(edge);
    const text = await edge.metrics.metrics();
    expect(text).toContain('palisade_edge_probes_total{outcome="online"} 1');
  });

  test("tells a closed port", async () => {
    const edge = await startEdge();
    const backend = await startBackend();
    await backend.stop();
    expect(await probe(edge, requestOf(backend.port))).toEqual([unseen("refused")]);
  });

  test.each<[string, (socket: Socket) => void]>([
    ["hangs up", (socket) => socket.destroy()],
    ["ends its side", (socket) => socket.end()],
    ["speaks first", (socket) => socket.write("SSH-2.0-OpenSSH_9.2\r\n")],
    ["speaks HTTP", (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")],
    ["answers JSON that is no status", (socket) => socket.write(encodeStatusResponse('{"a":1}'))],
    ["announces 2 MiB", (socket) => socket.write(Buffer.from("ffff7f00", "hex"))],
  ])("tells a program that is no Minecraft server: %s", async (_, onRaw) => {
    const edge = await startEdge();
    const backend = await startBackend({ onRaw });
    expect(await probe(edge, requestOf(backend.port))).toEqual([unseen("not_minecraft")]);
  });

  test.each<[string, ProbeAttempt["outcome"], (socket: Socket) => void]>([
    ["says nothing", "timeout", () => undefined],
    ["stops half-way", "not_minecraft", (socket) => socket.write(half)],
  ])("ends at its deadline where a backend %s", async (_, outcome, onRaw) => {
    const edge = await startEdge();
    const backend = await startBackend({ onRaw });
    const state = look(edge, requestOf(backend.port));
    await until(() => backend.state.connections === 1);
    await until(async () => (await openFiles(edge)) === 1);
    edge.advance(5_200);
    expect((await until(() => state.seen)).attempts).toEqual([unseen(outcome)]);
    await closed(edge);
  });

  test("an answer drop by drop is read, and one that never ends is given up", async () => {
    const edge = await startEdge();
    const answer = encodeStatusResponse(JSON.stringify({ description: "x".repeat(300) }));
    const drop = (socket: Socket, at: number): void => {
      if (at === answer.length || socket.destroyed) return;
      socket.write(answer.subarray(at, at + 1), () => drop(socket, at + 1));
    };
    const dropping = await startBackend({ onRaw: (socket) => drop(socket, 0) });
    expect(await probe(edge, requestOf(dropping.port))).toMatchObject([{ outcome: "online" }]);

    const endless = Buffer.alloc(64 * 1024, 0x80);
    const pour = (socket: Socket): void => {
      socket.write(endless, (error) => {
        if (error == null) pour(socket);
      });
    };
    const pouring = await startBackend({ onRaw: pour });
    expect(await probe(edge, requestOf(pouring.port))).toEqual([unseen("not_minecraft")]);
    await closed(edge);
  });

  test("whatever bytes come, one bounded answer is given", async () => {
    const edge = await startEdge();
    let bytes: Buffer = Buffer.alloc(0);
    const backend = await startBackend({ onRaw: (socket) => void socket.end(bytes) });
    const json = fc
      .jsonValue()
      .map((value) => encodeStatusResponse(JSON.stringify({ version: value })));
    const garbage = fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array));
    await fc.assert(
      fc.asyncProperty(fc.oneof(json, garbage), async (sent) => {
        bytes = sent;
        const [attempt] = await probe(edge, requestOf(backend.port, { proxy: "without" }));
        expect(["online", "not_minecraft"]).toContain(attempt?.outcome);
      }),
      { numRuns: 60 },
    );
  });
});

describe("PROXY headers", () => {
  test("both ways tell a backend that wants one from one that does not", async () => {
    const edge = await startEdge();
    const heard: { host: string; header: Buffer }[] = [];
    const wanting = await startBackend({ onRaw: answering(true, heard) });
    const without = await startBackend({ onRaw: answering(false) });
    const online = { outcome: "online", status: { motd: ["Hi"] } };

    expect(await probe(edge, requestOf(wanting.port, { proxy: "both" }))).toMatchObject([
      { proxy: false, outcome: "not_minecraft" },
      { proxy: true, ...online },
    ]);
    expect(await probe(edge, requestOf(without.port, { proxy: "both" }))).toMatchObject([
      { proxy: false, ...online },
      { proxy: true, outcome: "not_minecraft" },
    ]);
    expect(await probe(edge, requestOf(wanting.port, { proxy: "with" }))).toMatchObject([
      { proxy: true, ...online },
    ]);
    // LOCAL: what the edge asks for itself is no player's.
    for (const { header } of heard) expect(header).toEqual(Buffer.from(proxyV2Local));
  });

  test.each(["without", "both"] as const)(
    "a backend that answers only to a header is reported as one that expects it (asked %s)",
    async (proxy) => {
      const edge = await startEdge();
      const wanting = await startBackend({ onRaw: answering(true) });
      const plain = await startBackend({ onRaw: answering(false) });
      const other = await startBackend({ onRaw: (socket) => void socket.destroy() });
      const expects = async (port: number): Promise<boolean> => {
        const { expects_proxy } = await probeWhole(edge, requestOf(port, { proxy }));
        return expects_proxy;
      };
      expect(await expects(wanting.port)).toBe(true);
      expect(await expects(plain.port)).toBe(false);
      expect(await expects(other.port)).toBe(false);
    },
  );

  test("a header that a backend does not expect is not reported as one that it expects", async () => {
    const edge = await startEdge();
    const plain = await startBackend({ onRaw: answering(false) });
    const seen = await probeWhole(edge, requestOf(plain.port, { proxy: "with" }));
    expect(seen).toMatchObject({ expects_proxy: false, attempts: [{ outcome: "not_minecraft" }] });
  });

  test("a backend that hangs up on LOCAL, as Velocity does, is asked with the edge as the player", async () => {
    const edge = await startEdge();
    const heard: { host: string; header: Buffer }[] = [];
    const answer = answering(true, heard);
    const velocity = await startBackend({
      onRaw: (socket) => {
        socket.once("data", (head: Buffer) => {
          if (head[12] === 0x20) socket.destroy();
          else {
            answer(socket);
            socket.emit("data", head);
          }
        });
      },
    });
    expect(await probe(edge, requestOf(velocity.port, { proxy: "with" }))).toMatchObject([
      { proxy: true, outcome: "online" },
    ]);
    expect(heard[0]?.header.subarray(16, 20)).toEqual(Buffer.from([127, 0, 0, 1]));
  });
});

describe("addresses that a probe may dial", () => {
  test("never to the edge itself", async () => {
    const edge = await startEdge();
    expect(await probe(edge, requestOf(edge.port))).toEqual([unseen("forbidden")]);
    expect(await probe(edge, requestOf(edge.port, { host: "::1" }))).toEqual([unseen("forbidden")]);
  });

  test("outside development, to no private address", async () => {
    const path = await startTestEdge({}, undefined, undefined, undefined, undefined, {
      privateAllowed: false,
      ownAddresses: ["93.184.216.34"],
    });
    ends.push(() => path.stop());
    const backend = await startBackend();
    for (const host of [
      "127.0.0.1",
      "10.0.0.1",
      "169.254.169.254",
      "::ffff:127.0.0.1",
      "fd00::1",
      "93.184.216.34",
    ]) {
      expect(await probe(path, requestOf(backend.port, { host }))).toEqual([unseen("forbidden")]);
    }
    expect(backend.state.connections).toBe(0);
  });

  test("two edges, one name: where a name leads to another edge, it is not dialled", async () => {
    const fleet = new FleetAddresses();
    fleet.replace(["93.184.216.34"]);
    const names = new ProbeResolver({ addresses: async () => [] }, async () => ["93.184.216.34"]);
    const wheel = new TimerWheel(() => performance.now());
    const policy = createDialPolicy({
      privateAllowed: false,
      allowedRanges: [],
      backendPorts: anyPort,
      ownAddresses: ["192.0.3.1"],
      ownPorts: new Set([25_565]),
      fleet,
    });
    const dialler = new Dialler({
      resolver: names,
      policy,
      wheel,
      fds: new FdBudget(20_000),
      health: new HealthRegistry({ nowMs: () => 0, monotonicMs: () => 0 }),
    });
    const dialled = await dialler.dialTelling(
      { host: "loop.example.com", port: 25_566 },
      AbortSignal.timeout(60_000),
    );
    expect(dialled.kind).toBe("forbidden");
  });

  test("names come from the shields' resolver, else from the name servers, else nowhere", async () => {
    const asked: string[] = [];
    const names = new ProbeResolver(
      {
        addresses: async (host) => {
          const ip = parseIp("192.0.2.1");
          return host === "known.example.com" && ip !== undefined
            ? [{ text: "192.0.2.1", ip }]
            : [];
        },
      },
      async (host) => {
        asked.push(host);
        if (host === "failing.example.com") throw new Error("SERVFAIL");
        return ["192.0.2.2", "not an address", "2001:db8::1"];
      },
    );
    const texts = async (host: string) => (await names.addresses(host)).map(({ text }) => text);
    expect(await texts("known.example.com")).toEqual(["192.0.2.1"]);
    expect(await texts("new.example.com")).toEqual(["192.0.2.2", "2001:db8::1"]);
    expect(await texts("failing.example.com")).toEqual([]);
    expect(asked).toEqual(["new.example.com", "failing.example.com"]);
  });
});

describe("players come first", () => {
  test("no more than the contract's number at once; the others are told so at once", async () => {
    const edge = await startEdge();
    const backend = await startBackend({ onRaw: () => undefined });
    const running = Array.from({ length: probesAtOnceMax }, () =>
      look(edge, requestOf(backend.port)),
    );
    await until(() => backend.state.connections === probesAtOnceMax);
    expect(await probe(edge, requestOf(backend.port, { proxy: "both" }))).toEqual([
      unseen("skipped"),
      unseen("skipped", true),
    ]);
    edge.advance(5_200);
    await until(() => running.every(({ seen }) => seen !== undefined));
  });

  test("nothing is looked at while descriptors are tight", async () => {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    ends.push(() => server.close());
    // A TCP server's address is not a pipe's name.
    const { port } = server.address() as AddressInfo;
    // Ten for connections, nine of them before it gets tight.
    const edge = await startEdge(128 + 10);
    const players = await Promise.all(Array.from({ length: 9 }, () => edge.connect()));
    ends.push(() => players.forEach((player) => player.socket.destroy()));
    await until(() => edge.admission.pending === 9);
    expect(await probe(edge, requestOf(port))).toEqual([unseen("skipped")]);
    for (const player of players) player.socket.destroy();
    await until(() => edge.admission.pending === 0);
    const state = look(edge, requestOf(port));
    await until(async () => (await connections(server)) === 1);
    edge.probes.stop();
    expect((await until(() => state.seen)).attempts).toEqual([unseen("timeout")]);
  });
});

function connections(server: ReturnType<typeof createServer>): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  server.getConnections((_, count) => resolve(count));
  return promise;
}
