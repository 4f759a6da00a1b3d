import {
  probeResult,
  probesAtOnceMax,
  type ProbeAttempt,
  type ProbeRequest,
  type ProbeResult,
} from "@palisade/contract/edge/probe";
import { ProxyProtocolReceiver } from "@palisade/testing/bedrock/proxy-protocol-receiver";
import { RakNetServer } from "@palisade/testing/bedrock/raknet-server";
import { freePort } from "@palisade/testing/free-port";
import { sampleBackend, sampleGroup } from "@palisade/testing/sample-shield";
import { until } from "@palisade/testing/until";
import { afterEach, describe, expect, test } from "vitest";
import { startTestEdge, type TestEdge } from "#src/testing/test-edge.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function startEdge(options: Parameters<typeof startTestEdge>[5] = {}): Promise<TestEdge> {
  const edge = await startTestEdge({}, undefined, undefined, undefined, undefined, options);
  ends.push(() => edge.stop());
  return edge;
}

const advertisement = "MCPE;§6Skyline;766;1.21.50;7;100;4711;Season 4;Survival;1;19132;19133;";

async function serve(said: string | undefined = advertisement): Promise<RakNetServer> {
  const server = await RakNetServer.listen(said === undefined ? {} : { advertisement: said });
  ends.push(() => server.abandon());
  return server;
}

let serial = 0;

type Wish = Partial<NonNullable<ProbeRequest["bedrock"]>>;

/** Nothing answers at its TCP port. */
async function requestOf(
  wish: Wish,
  change: Partial<ProbeRequest> = {},
): Promise<ProbeRequest & { readonly bedrock: NonNullable<ProbeRequest["bedrock"]> }> {
  return {
    id: `0198f000-0000-7000-8000-${String(++serial).padStart(12, "0")}`,
    host: "127.0.0.1",
    port: await freePort(),
    hostname: "play.example.org",
    protocol: 767,
    proxy: "without",
    deadline_ms: 5_000,
    ...change,
    bedrock: { port: null, own_ports: [], ...wish },
  };
}

/** Begins to look; `seen` is set once it was reported, which may happen once only. */
function look(edge: TestEdge, request: ProbeRequest): { seen: ProbeResult | undefined } {
  const state: { seen: ProbeResult | undefined } = { seen: undefined };
  edge.probes.take(request, (result) => {
    expect(state.seen).toBeUndefined();
    state.seen = probeResult.parse(result);
  });
  return state;
}

async function probe(edge: TestEdge, request: ProbeRequest): Promise<ProbeResult["bedrock"]> {
  const state = look(edge, request);
  return (await until(() => state.seen)).bedrock;
}

async function openFiles(edge: TestEdge): Promise<number> {
  const text = await edge.metrics.metrics();
  return Number(/^palisade_edge_open_files (\d+)$/m.exec(text)?.[1]);
}

/** Probes a server that leaves one of the two ways without an answer. */
async function probeUntilDeadline(
  edge: TestEdge,
  server: RakNetServer,
  request: ProbeRequest,
): Promise<ProbeResult["bedrock"]> {
  const state = look(edge, request);
  await until(() => server.counts.pings > 0);
  await until(async () => (await openFiles(edge)) === 1);
  edge.advance(request.deadline_ms + 200);
  return (await until(() => state.seen)).bedrock;
}

const unseen = (outcome: ProbeAttempt["outcome"], proxy: boolean): ProbeAttempt => ({
  proxy,
  outcome,
  latency_ms: null,
  status: null,
});

const online = (proxy: boolean): ProbeAttempt => ({
  proxy,
  outcome: "online",
  latency_ms: expect.any(Number),
  status: {
    motd: ["§6Skyline", "Season 4"],
    version: "1.21.50",
    protocol: 766,
    players_online: 7,
    players_max: 100,
    favicon: null,
  },
});

describe("a server for Bedrock", () => {
  test("that expects no PROXY header answers without one alone", async () => {
    const edge = await startEdge();
    const server = await serve();
    const request = await requestOf({ port: server.address.port });
    expect(await probeUntilDeadline(edge, server, request)).toEqual({
      attempts: [online(false), unseen("timeout", true)],
      own_ports: [],
    });
    await until(async () => (await openFiles(edge)) === 0);
  });

  test.each(["first", "every"] as const)(
    "that expects a PROXY header on %s datagram answers with one alone, which names the edge",
    async (mode) => {
      const edge = await startEdge();
      const server = await serve();
      const receiver = await ProxyProtocolReceiver.listen({ server: server.address, mode });
      ends.push(() => receiver.close());
      const request = await requestOf({ port: receiver.address.port });
      expect(await probeUntilDeadline(edge, server, request)).toEqual({
        attempts: [unseen("timeout", false), online(true)],
        own_ports: [],
      });
      const headers = [...receiver.sources].map(([from, { player }]) => [from, player]);
      expect(headers).toEqual([[headers[0]?.[0], headers[0]?.[0]]]);
    },
  );

  test("that is not there refuses, and one that never answers is given up at the deadline", async () => {
    const edge = await startEdge();
    expect(await probe(edge, await requestOf({ port: await freePort() }))).toEqual({
      attempts: [unseen("refused", false), unseen("refused", true)],
      own_ports: [],
    });
    const silent = await RakNetServer.listen({ isRecording: true });
    ends.push(() => silent.abandon());
    const request = await requestOf({ port: silent.address.port });
    const state = look(edge, request);
    await until(() => silent.received.size === 2);
    edge.advance(request.deadline_ms + 200);
    expect((await until(() => state.seen)).bedrock?.attempts).toEqual([
      unseen("timeout", false),
      unseen("timeout", true),
    ]);
    await until(async () => (await openFiles(edge)) === 0);
  });

  test("that says anything at all is told in printable and bounded texts", async () => {
    const edge = await startEdge();
    const hostile = await serve(`MCPE;a\u0000\u202eb${"x".repeat(900)};-7;\u0007;1e9;x;`);
    const seen = await probeUntilDeadline(
      edge,
      hostile,
      await requestOf({ port: hostile.address.port }),
    );
    expect(seen?.attempts[0]).toMatchObject({ outcome: "online", status: { protocol: 0 } });
    const other = await serve("HTTP/1.1 400 Bad Request");
    const none = await probeUntilDeadline(
      edge,
      other,
      await requestOf({ port: other.address.port }),
    );
    expect(none?.attempts[0]).toEqual(unseen("not_minecraft", false));
  });

  test("is not pinged where its address may not be dialled", async () => {
    const server = await serve();
    const { port } = server.address;
    const forbidden = [unseen("forbidden", false), unseen("forbidden", true)];
    const outside = await startEdge({ privateAllowed: false, ownAddresses: ["93.184.216.34"] });
    for (const host of ["127.0.0.1", "10.0.0.1", "fd00::1", "93.184.216.34"]) {
      const seen = await probe(outside, await requestOf({ port }, { host }));
      expect(seen?.attempts).toEqual(forbidden);
    }
    expect(server.counts.pings).toBe(0);
  });
});

describe("the edge's own ports", () => {
  async function protect(): Promise<{ readonly edge: TestEdge; readonly port: number }> {
    const edge = await startEdge();
    const port = await freePort();
    edge.apply({
      groups: [sampleGroup(sampleBackend(1))],
      bedrock: { ports: [port], only_in: [] },
    });
    return { edge, port };
  }

  test("answer where they are open, and are closed otherwise, whatever else listens there", async () => {
    const { edge, port } = await protect();
    const other = await serve();
    const seen = await probe(edge, await requestOf({ own_ports: [port, other.address.port] }));
    expect(seen).toEqual({
      attempts: [],
      own_ports: [
        { port, outcome: "online" },
        { port: other.address.port, outcome: "closed" },
      ],
    });
    expect(other.counts.pings).toBe(0);
  });

  test("are no backend", async () => {
    const { edge, port } = await protect();
    const seen = await probe(edge, await requestOf({ port }));
    expect(seen?.attempts).toEqual([unseen("forbidden", false), unseen("forbidden", true)]);
  });
});

describe("a probe", () => {
  test("without a wish for Bedrock pings nothing", async () => {
    const edge = await startEdge();
    const { bedrock: _, ...request } = await requestOf({});
    expect(await probe(edge, request)).toBeNull();
  });

  test("that comes while too many run is told so at once, for Bedrock as well", async () => {
    const edge = await startEdge();
    const silent = await RakNetServer.listen({ isRecording: true });
    ends.push(() => silent.abandon());
    const { port } = silent.address;
    const running = await Promise.all(
      Array.from({ length: probesAtOnceMax }, async () => look(edge, await requestOf({ port }))),
    );
    await until(() => silent.received.size === 2 * probesAtOnceMax);
    expect(await probe(edge, await requestOf({ port, own_ports: [19_132] }))).toEqual({
      attempts: [unseen("skipped", false), unseen("skipped", true)],
      own_ports: [{ port: 19_132, outcome: "skipped" }],
    });
    edge.probes.stop();
    await until(() => running.every(({ seen }) => seen !== undefined));
  });
});
