import { afterEach, beforeEach, expect, test } from "vitest";
import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import {
  pingBytes,
  encodeOpenRequest1,
  encodeOpenRequest2,
  encodePing,
  offlineIds,
  openReply1Bytes,
  pongHeadBytes,
  readOpenReply1,
} from "@palisade/minecraft-protocol/bedrock/offline-messages";
import { closeDescriptor, trackDescriptors } from "@palisade/sockets/descriptors";
import { boundAddress } from "@palisade/sockets/tcp";
import { bindUdp, connectUdp, DatagramBatch } from "@palisade/sockets/udp-socket";
import { RakNetClient } from "@palisade/testing/bedrock/raknet-client";
import { RakNetServer } from "@palisade/testing/bedrock/raknet-server";
import { freePort } from "@palisade/testing/free-port";
import { sampleBackend, sampleGroup, sampleShield } from "@palisade/testing/sample-shield";
import { until } from "@palisade/testing/until";
import { threadReactor } from "@palisade/sockets/reactor";
import { bedrockCorpus } from "#src/testing/fuzz/bedrock-corpus.ts";
import { mutate } from "#src/testing/fuzz/mutate.ts";
import { Random } from "#src/testing/fuzz/random.ts";
import { startTestEdge, type TestEdge } from "#src/testing/test-edge.ts";
import {
  offlinePerSourceMax,
  pingsPerShieldMax,
  PongBudget,
  pongBytesPerSecond,
  pongFactorMax,
} from "./ping-budget.ts";

/** A Bedrock port whose clients send whatever they like, over real sockets. */

const sources = 300;
/** Fewer than a source's budget of a second. */
const datagramsPerSource = 44;
const pongBytesMax = pongHeadBytes + 338;

const stops: (() => unknown)[] = [];
let edge: TestEdge;
let port: number;
let backend: RakNetServer;

beforeEach(async () => {
  // The thread's own reactor is there before and stays.
  threadReactor();
  const tracking = trackDescriptors();
  stops.push(() => tracking.stop());
  edge = await startTestEdge();
  stops.push(() => edge.stop());
  port = await freePort();
});
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

async function protect(
  advertisement: string,
  lists: Partial<ShieldConfig["lists"]> = {},
  mitigation: ShieldConfig["mitigation"] = sampleShield().mitigation,
): Promise<void> {
  backend = await RakNetServer.listen({ advertisement, isEcho: true });
  const { port: bedrockPort } = backend.address;
  stops.push(() => backend.abandon());
  edge.apply({
    groups: [sampleGroup({ ...sampleBackend(1), bedrock_port: bedrockPort })],
    bedrock: { ports: [port], only_in: [] },
    lists: { ...sampleShield().lists, ...lists },
    mitigation,
  });
  await until(() => backend.counts.pings > 0);
}

const room = new DatagramBatch({ datagramsMax: 64, datagramBytesMax: 2_048 });

/** One source of datagrams, on loopback. */
class Source {
  readonly #fd: number;
  readonly address: { readonly ip: Uint8Array; readonly port: number };
  sent = { pings: 0, others: 0 };
  received: Buffer[] = [];

  constructor(number: number) {
    const ip = `127.8.${number >> 8}.${number & 255}`;
    this.#fd = bindUdp({ ip, port: 0 });
    stops.push(() => closeDescriptor(this.#fd));
    connectUdp(this.#fd, { ip: "127.0.0.1", port });
    const bytes = Uint8Array.from(ip.split(".").map(Number));
    this.address = { ip: bytes, port: boundAddress(this.#fd).port };
  }

  send(bytes: Buffer): void {
    const cut = bytes.subarray(0, room.datagramBytesMax);
    room.bytes.set(cut);
    room.prepareForPeer(0, cut.length);
    if (room.send(this.#fd, 0, 1) < 1) return;
    const isPing = cut[0] === offlineIds.ping || cut[0] === offlineIds.pingOpen;
    if (isPing) this.sent.pings += cut.length;
    else this.sent.others += cut.length;
  }

  receive(): readonly Buffer[] {
    for (;;) {
      const count = room.receive(this.#fd);
      if (count <= 0) return this.received;
      for (let entry = 0; entry < count; entry += 1) {
        const start = room.offset(entry);
        this.received.push(Buffer.from(room.bytes.subarray(start, start + room.length(entry))));
      }
    }
  }

  /** Bytes of answers; those to pings apart. */
  get heard(): { pings: number; others: number } {
    const heard = { pings: 0, others: 0 };
    for (const each of this.receive()) {
      if (each[0] === offlineIds.pong) heard.pings += each.length;
      else heard.others += each.length;
    }
    return heard;
  }

  /** As a client that plays by the rules asks for it. */
  async cookie(): Promise<number> {
    this.send(encodeOpenRequest1(11, 1_464));
    return until(
      () => {
        const replies = this.receive().map((each) => readOpenReply1(each)?.cookie);
        return replies.find((each) => each !== undefined);
      },
      { everyMs: 1, what: "a cookie" },
    );
  }
}

/** The edge, which has this thread as well, takes what has been sent. */
async function turns(count = 3): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((done) => setImmediate(done));
}

const server = { ip: Uint8Array.of(127, 0, 0, 1), port: 19_132 };
const corpus = [
  ...bedrockCorpus.requests,
  ...bedrockCorpus.requests,
  ...bedrockCorpus.replies,
  ...bedrockCorpus.datagrams,
];

function hostile(random: Random): Buffer {
  const seed = random.pick(corpus);
  return random.once(4) ? seed : mutate(seed, random.pick(corpus), random);
}

const usual = "MCPE;A server;766;1.21.50;0;100;4711;Second line;Survival;1;19132;19133;";

test("hostile datagrams open nothing without their source's own cookie, and are answered by no more bytes than they have", async () => {
  const seed = Date.now();
  const random = new Random(seed);
  await protect(usual);
  const idle = edge.openFiles();
  const all = Array.from({ length: sources }, (_, number) => new Source(number));
  const cookies = new Map<Source, number>();
  for (const source of all) cookies.set(source, await source.cookie());
  const others = [...cookies.values()];
  const beganAtMs = performance.now();
  for (let sent = 0; sent < datagramsPerSource; sent += 1) {
    for (const source of all) {
      const own = cookies.get(source) ?? 0;
      if (random.once(3)) {
        // Another source's, a guess, or one that is nearly right.
        const cookie = random.pick([
          random.pick(others),
          random.next(),
          (own ^ (1 << random.below(32))) >>> 0,
        ]);
        const request = {
          cookie: cookie === own ? undefined : cookie,
          server,
          mtu: 1_492,
          guid: 1n,
        };
        source.send(encodeOpenRequest2(request));
      } else source.send(hostile(random));
    }
    await turns();
  }
  const seconds = Math.ceil((performance.now() - beganAtMs) / 1_000) + 1;
  const sum = { sentPings: 0, heardPings: 0 };
  for (const source of all) {
    const { sent, heard } = source;
    expect(heard.others, `seed ${seed}`).toBeLessThanOrEqual(sent.others);
    sum.sentPings += sent.pings;
    sum.heardPings += heard.pings;
  }
  expect(sum.heardPings).toBeGreaterThan(0);
  expect(sum.heardPings).toBeLessThanOrEqual(
    pongFactorMax * sum.sentPings + seconds * pongBytesPerSecond,
  );
  const joined = edge.counted()?.joins ?? 0;
  expect({ joined, requests: backend.counts.requests1 }, `seed ${seed}`).toEqual({
    joined: 0,
    requests: 0,
  });
  await until(() => edge.openFiles() === idle, { what: "the end of the edge's own pings" });

  // Those who bring their own are let in all the same, once each.
  const honest = all.slice(0, 20);
  const requests = new Map<Source, Buffer>();
  for (const source of honest) {
    const cookie = await source.cookie();
    requests.set(source, encodeOpenRequest2({ cookie, server, mtu: 1_492, guid: 1n }));
  }
  await until(() => {
    // Datagrams get lost on a busy machine, and then both sides repeat them.
    for (const [source, request] of requests) source.send(request);
    edge.advance(100);
    edge.wheel.advance();
    return edge.counters.players === honest.length;
  });
  for (const source of honest) {
    for (let sent = 0; sent < 10; sent += 1) source.send(random.pick(bedrockCorpus.datagrams));
  }
  await turns();
  expect(edge.counters.players).toBeLessThanOrEqual(honest.length);
});

test("a client that is refused gets at most three times its bytes, whatever it sends", async () => {
  const random = new Random(Date.now());
  await protect(usual, { blacklist: ["127.8.0.0/16"] });
  const all = Array.from({ length: 40 }, (_, number) => new Source(number));
  for (const source of all) {
    const cookie = await source.cookie();
    source.send(encodeOpenRequest2({ cookie, server, mtu: 1_492, guid: 1n }));
    await turns();
    const before = { sent: source.sent.others, heard: source.heard.others };
    for (const datagram of random.pick(bedrockCorpus.logins)) {
      source.send(random.once(3) ? hostile(random) : datagram);
      await turns();
    }
    edge.advance(1_000);
    edge.wheel.advance();
    await turns();
    const sent = source.sent.others - before.sent;
    expect(source.heard.others - before.heard).toBeLessThanOrEqual(3 * sent + 1_492);
  }
  expect(backend.counts.requests1).toBe(0);
  edge.advance(60_000);
  edge.wheel.advance();
  expect(edge.counters.players).toBe(0);
});

test("a flood of pings and first requests is an attack, in which players join as before", async () => {
  const { mitigation } = sampleShield();
  await protect(usual, {}, { ...mitigation, antibot: "low", attack_threshold: 1 });
  const all = Array.from({ length: 30 }, (_, number) => new Source(number));
  const datagrams = [encodePing(1n, 2n), encodeOpenRequest1(11, 1_464), Buffer.of(0x84, 0, 0, 0)];
  const reports = await until(
    async () => {
      for (const source of all) for (const datagram of datagrams) source.send(datagram);
      await turns();
      edge.attacks.tick();
      const told = edge.attacks.reports();
      return told.some(({ datagrams_peak: peak = 0 }) => peak > 0) && told;
    },
    // Without a pause, because the flood has to be more than a thousand in a second.
    { everyMs: 0, what: "the report of the attack" },
  );
  expect(reports).toMatchObject([
    {
      shield_id: sampleShield().shield_id,
      ended_at: null,
      peak_per_second: 0,
      detail: { datagrams_threshold: 1_000, addresses: [], editions: { java: 0, bedrock: 0 } },
    },
  ]);
  expect(reports[0]?.datagrams_peak).toBeGreaterThan(1_000);
  expect(backend.counts.requests1).toBe(0);
  const player = await RakNetClient.open({ host: "127.0.0.1", port, from: "127.9.0.1" });
  stops.push(() => player.abandon());
  await player.connect();
  expect(edge.counters.players).toBe(1);
  expect(edge.counted()?.refused).toEqual({});
});

test("a backend's pong makes no answer longer than the game reads, whatever is in it", async () => {
  await protect(`MCPE;;1;${";".repeat(1_900).replaceAll(";", "\\;").slice(0, 1_900)};1;2;3;;`);
  const source = new Source(1);
  source.send(encodePing(1n, 2n));
  await until(() => source.receive().length > 0);
  expect(source.heard.pings).toBeLessThanOrEqual(pongBytesMax);
});

test("one source is looked at so often in a second, and the others all the same", async () => {
  await protect(usual);
  const [loud, other] = [new Source(1), new Source(2)];
  const ping = encodePing(1n, 2n);
  for (let sent = 0; sent < 4 * offlinePerSourceMax; sent += 1) loud.send(ping);
  await turns();
  other.send(ping);
  await until(() => other.receive().length > 0);
  // A second may end in between.
  expect(loud.receive().length).toBeLessThanOrEqual(2 * offlinePerSourceMax);
});

test("a first request is never answered by more bytes than it has", async () => {
  await protect(usual);
  for (let length = 18; length <= openReply1Bytes + 8; length += 1) {
    const source = new Source(length);
    source.send(encodeOpenRequest1(11, length));
    source.send(encodeOpenRequest1(11, 1_464));
    await until(() => source.receive().length > 0, { everyMs: 1 });
    await turns();
    // The long one is answered always.
    const answers = source.receive().map((each) => each.length);
    expect(answers).toEqual(answers.map(() => openReply1Bytes));
    expect(answers.length).toBe(length < openReply1Bytes ? 1 : 2);
  }
});

test("answers to a flood of pings are in all at most three times as long, and not all are answered", () => {
  const budget = new PongBudget();
  const bytes = { long: pongBytesMax, short: pongFactorMax * pingBytes, none: 0 };
  let received = 0;
  let answered = 0;
  for (let second = 0; second < 4; second += 1) {
    const kinds = Array.from({ length: pingsPerShieldMax + 10 }, () =>
      budget.take(pingBytes, bytes.long, bytes.short),
    );
    received += kinds.length * pingBytes;
    for (const kind of kinds) answered += bytes[kind];
    expect(kinds.slice(-10)).toEqual(kinds.slice(-10).map(() => "none"));
    budget.tick();
  }
  expect(answered).toBeLessThanOrEqual(pongFactorMax * received);
  expect(answered).toBeGreaterThan(2 * received);
});
