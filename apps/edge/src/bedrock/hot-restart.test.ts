import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import {
  encodeOpenRequest1,
  encodeOpenRequest2,
  readOpenReply1,
  readOpenReply2,
} from "@palisade/minecraft-protocol/bedrock/offline-messages";
import { proxyV2BytesMax } from "@palisade/minecraft-protocol/proxy/proxy-v2";
import { closeDescriptor, trackDescriptors } from "@palisade/sockets/descriptors";
import { bindUdp, openUdp } from "@palisade/sockets/udp-socket";
import { ProxyProtocolReceiver } from "@palisade/testing/bedrock/proxy-protocol-receiver";
import { RakNetClient } from "@palisade/testing/bedrock/raknet-client";
import { RakNetServer } from "@palisade/testing/bedrock/raknet-server";
import { endpointOf, UdpSocket } from "@palisade/testing/bedrock/udp-socket";
import { freePort } from "@palisade/testing/free-port";
import {
  sampleBackend,
  sampleGroup,
  sampleShield,
  sampleShieldId,
} from "@palisade/testing/sample-shield";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { until } from "@palisade/testing/until";
import { pino } from "pino";
import { SocketHolderProcess } from "#src/hot-restart/socket-holder-process.ts";
import { threadReactor } from "@palisade/sockets/reactor";
import { startTestEdge, type TestEdge } from "#src/testing/test-edge.ts";
import { ListeningSockets, type SessionCopy } from "#src/workers/listening-sockets.ts";
import { encodeRecord, type HeldSession, type SessionRecord } from "./session-record.ts";

/** Bedrock players while one edge follows another, with the process that holds their sockets between. */

const stops: (() => unknown)[] = [];
let folder: string;
let javaPort: number;
let port: number;
let backend: RakNetServer;

beforeEach(async () => {
  // The thread's own reactor is there before and stays.
  threadReactor();
  const tracking = trackDescriptors();
  stops.push(() => tracking.stop());
  const created = await createTemporaryFolder("sockets");
  folder = created.path;
  stops.push(created.remove);
  [javaPort, port] = [await freePort(), await freePort()];
  backend = await RakNetServer.listen({ advertisement, isEcho: true });
  stops.push(() => backend.abandon());
});
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

const advertisement = "MCPE;A server;766;1.21.50;0;100;4711;Second line;Survival;1;19132;19133;";

type Backend = ShieldConfig["groups"][number]["backends"][number];

function shieldOf(change: Partial<Backend> = {}, ports = [port]): Partial<ShieldConfig> {
  const server = { ...sampleBackend(1), bedrock_port: backend.address.port, ...change };
  return { groups: [sampleGroup(server)], bedrock: { ports, only_in: [] } };
}

interface EdgeOptions {
  readonly shield?: Partial<ShieldConfig>;
  readonly isSuccessor?: boolean;
  readonly host?: string;
  readonly patienceMs?: number;
  readonly holder?: SocketHolderProcess;
}

function createHolder(patienceMs = 60_000): SocketHolderProcess {
  const log = pino({ level: "silent" });
  return new SocketHolderProcess({ folder, lifeline: undefined, log, patienceMs });
}

async function startEdge(options: EdgeOptions = {}) {
  const { shield, isSuccessor = false, host, patienceMs } = options;
  const holder = options.holder ?? createHolder(patienceMs);
  const sockets = new ListeningSockets(holder, isSuccessor);
  return startTestEdge({}, undefined, [], undefined, undefined, {
    sockets,
    isSuccessor,
    port: javaPort,
    shield: shield ?? shieldOf(),
    ...(host !== undefined && { host }),
  });
}

/** The next edge takes over all players of this one. */
async function follow(before: TestEdge, options: EdgeOptions = {}) {
  before.becomePredecessor();
  const next = await startEdge({ ...options, isSuccessor: true });
  await before.drain(true);
  await next.takeOver();
  return next;
}

async function join(from: string, host = "127.0.0.1", to = port): Promise<RakNetClient> {
  const player = await RakNetClient.open({ host, port: to, from });
  stops.push(() => player.abandon());
  await player.connect();
  return player;
}

/** Each from a network of their own. */
function joinAll(count: number): Promise<RakNetClient[]> {
  return Promise.all(Array.from({ length: count }, (_, n) => join(`127.4.${n}.1`)));
}

/** A client that only opens a connection. `request` opens it again, from the same address. */
async function openByHand(guid: bigint) {
  let answer = Promise.withResolvers<Buffer>();
  const socket = new UdpSocket({ host: "127.4.0.1", port: 0 }, (bytes) => answer.resolve(bytes));
  await socket.listening();
  stops.push(() => socket.close());
  const to = { host: "127.0.0.1", port };
  const ask = (bytes: Buffer): Promise<Buffer> => {
    answer = Promise.withResolvers<Buffer>();
    socket.send(bytes, to);
    return answer.promise;
  };
  const request = async (number: bigint): Promise<void> => {
    const reply = readOpenReply1(await ask(encodeOpenRequest1(11, 1_400)));
    const server = endpointOf(to);
    const cookie = reply?.cookie;
    const second = encodeOpenRequest2({ cookie, server, mtu: 1_400, guid: number });
    expect(readOpenReply2(await ask(second))).toBeDefined();
  };
  await request(guid);
  return { request };
}

let serial = 0;

/** Sends a text of many datagrams, and hears it back. */
async function echo(player: RakNetClient): Promise<void> {
  const text = `${++serial} ${"x".repeat(5_000)}`;
  const answer = Promise.withResolvers<string>();
  const hear = (body: Buffer): void => answer.resolve(body.subarray(1).toString());
  player.once("message", hear);
  player.sendReliable(Buffer.concat([Buffer.from([0xfe]), Buffer.from(text)]));
  expect(await answer.promise).toBe(text);
}

const echoAll = (players: readonly RakNetClient[]) => Promise.all(players.map(echo));

/** They play on and on. @returns a call that lets them end */
function keepPlaying(players: readonly RakNetClient[]): () => Promise<number> {
  const game = { isOver: false };
  let rounds = 0;
  const ends = players.map(async (player) => {
    while (!game.isOver) {
      await echo(player);
      rounds += 1;
    }
  });
  return async () => {
    game.isOver = true;
    await Promise.all(ends);
    return rounds;
  };
}

/** Players leave by their own word, which takes the edge a moment of its clock. */
async function untilPlayers(edge: TestEdge, count: number): Promise<void> {
  await until(
    () => {
      edge.advance(1_000);
      edge.wheel.advance();
      return edge.counters.players === count;
    },
    { what: `${count} players` },
  );
}

/** No process has the UDP port. */
function isFree(udpPort: number): boolean {
  try {
    closeDescriptor(bindUdp({ ip: "127.0.0.1", port: udpPort }));
    return true;
  } catch {
    return false;
  }
}

const openFiles = (edge: TestEdge, count: number) =>
  until(() => edge.openFiles() === count, { what: `${count} open files of the edge` });

describe("Bedrock players at a hot restart", () => {
  test("play on through two of them, are counted once, and leave nothing behind", async () => {
    let edge = await startEdge();
    const players = await joinAll(12);
    await until(() => backend.counts.pings > 0);
    const idle = edge.openFiles() - players.length;
    for (const _ of [1, 2]) {
      const end = keepPlaying(players);
      edge = await follow(edge);
      expect(await end()).toBeGreaterThan(0);
      await echoAll(players);
      expect(edge.counters.players).toBe(players.length);
      expect(edge.counted()?.joins ?? 0).toBe(0);
      await openFiles(edge, idle + players.length);
    }
    const last = edge;
    stops.push(() => last.stop());
    expect(backend.counts.opened).toBe(players.length);
    const late = await join("127.5.0.1");
    await Promise.all(players.map((player) => player.close()));
    await untilPlayers(edge, 1);
    await echo(late);
    await openFiles(edge, idle + 1);
  });

  test.each(["first", "every"] as const)(
    "are named to the backend by a header on %s datagram as before",
    async (mode) => {
      const receiver = await ProxyProtocolReceiver.listen({ server: backend.address, mode });
      stops.push(() => receiver.close());
      const shield = shieldOf({ bedrock_port: receiver.address.port, bedrock_proxy: mode });
      const edge = await startEdge({ shield });
      const players = await joinAll(3);
      const next = await follow(edge, { shield });
      stops.push(() => next.stop());
      await echoAll(players);
      expect(receiver.violations).toEqual([]);
      expect(receiver.players).toHaveLength(players.length);
    },
  );

  test("play on where one socket has players of IPv4 and IPv6", async () => {
    const edge = await startEdge({ host: "::" });
    const players = [await join("127.4.0.1"), await join("::1", "::1")];
    const next = await follow(edge, { host: "::" });
    stops.push(() => next.stop());
    await echoAll(players);
    expect(next.counters.players).toBe(2);
  });

  test("are told again that they are connected by a late request of theirs, and begin anew by another one", async () => {
    const edge = await startEdge();
    const client = await openByHand(1n);
    const next = await follow(edge);
    stops.push(() => next.stop());
    await client.request(1n);
    expect(backend.peers.size).toBe(1);
    await client.request(2n);
    expect(backend.peers.size).toBe(2);
  });

  test("wait for the next edge where an edge ends without a successor", async () => {
    const edge = await startEdge();
    const players = await joinAll(5);
    await edge.drain(false);
    // They go on to send, and their port stays open.
    const echoes = echoAll(players);
    const next = await startEdge();
    stops.push(() => next.stop());
    await echoes;
    expect(next.counters.players).toBe(players.length);
    expect((await next.connect()).isOver).toBe(false);
    expect(backend.counts.opened).toBe(players.length);
  });

  test("are gone where no edge comes within the holder's patience", async () => {
    const edge = await startEdge({ patienceMs: 100 });
    await joinAll(3);
    await edge.drain(false);
    await until(() => isFree(port), { what: "the end of the holder" });
    const next = await startEdge();
    stops.push(() => next.stop());
    expect(next.counters.players).toBe(0);
    await echo(await join("127.5.0.1"));
  });

  test("end where their port or backend is not configured any more, and the others play on", async () => {
    const other = await freePort();
    const edge = await startEdge({ shield: shieldOf({}, [port, other]) });
    const [stays] = await joinAll(1);
    const goes = await join("127.5.0.1", "127.0.0.1", other);
    const next = await follow(edge);
    await echoAll(stays === undefined ? [] : [stays]);
    expect(next.counters.players).toBe(1);
    const gone = { ...sampleBackend(1, 2), bedrock_port: backend.address.port };
    const last = await follow(next, {
      shield: { groups: [sampleGroup(gone)], bedrock: { ports: [port, other], only_in: [] } },
    });
    stops.push(() => last.stop());
    expect(last.counters.players).toBe(0);
    expect(goes.connection?.isClosed).toBe(false);
  });

  test("end where the next edge does not understand their record, and the others play on", async () => {
    const edge = await startEdge();
    const players = await joinAll(2);
    const record = recordOf("127.0.0.1", 4_000);
    const strangers = [
      "no record",
      JSON.stringify({ ...record, form: 3 }),
      JSON.stringify({ ...record, client: undefined }),
      JSON.stringify({ ...record, shield: 1 }),
      JSON.stringify({ ...record, guid: "-1" }),
      "null",
      encodeRecord({ ...record, backend: sampleShieldId }),
      encodeRecord({ ...record, port: port + 1 }),
      encodeRecord({ ...record, client: { ip: "example.org", port: 1 } }),
    ];
    const holder = createHolder();
    await holder.adopt().then((sockets) => sockets.forEach(({ fd }) => closeDescriptor(fd)));
    const held = strangers.map((text) => ({
      fd: openUdp({ ip: "127.0.0.1", port: backend.address.port }),
      record: text,
    }));
    expect(await holder.keepSessions(held)).toBe(true);
    for (const { fd } of held) closeDescriptor(fd);
    holder.leave();
    const next = await follow(edge);
    stops.push(() => next.stop());
    await echoAll(players);
    expect(next.counters.players).toBe(players.length);
  });
});

describe("Bedrock players of an edge that is killed", () => {
  /** For all others, it is as if the edge's process was gone: nothing is said, and its descriptors close. */
  async function kill(edge: TestEdge, holder: SocketHolderProcess): Promise<void> {
    holder.leave();
    await edge.stop();
  }

  test("play on at the next edge, and again at the one after it", async () => {
    const players: RakNetClient[] = [];
    for (let kills = 0; kills < 2; kills += 1) {
      const holder = createHolder();
      const edge = await startEdge({ holder });
      players.push(await join(`127.4.${kills}.1`));
      await echoAll(players);
      expect(edge.counters.players).toBe(players.length);
      await kill(edge, holder);
    }
    const last = await startEdge();
    stops.push(() => last.stop());
    await echoAll(players);
    expect(last.counters.players).toBe(2);
    expect(backend.counts.opened).toBe(2);
  });

  test("are not continued where they have left before", async () => {
    const holder = createHolder();
    const edge = await startEdge({ holder });
    const [first, second] = [await join("127.4.0.1"), await join("127.4.1.1")];
    await echoAll([first, second]);
    await first.close();
    await untilPlayers(edge, 1);
    await kill(edge, holder);
    const next = await startEdge();
    stops.push(() => next.stop());
    await echo(second);
    expect(next.counters.players).toBe(1);
  });

  test("are continued in an attack once they have logged in, so that a flood costs the holder nothing", async () => {
    const { mitigation } = sampleShield();
    const holder = createHolder();
    const attacked = { ...mitigation, attack_threshold: 1, attack_duration_ms: 60_000 };
    const edge = await startEdge({ holder, shield: { ...shieldOf(), mitigation: attacked } });
    const copies: SessionCopy[] = [];
    const copySession = holder.copySession.bind(holder);
    holder.copySession = (copy, session) => {
      copies.push(copy);
      copySession(copy, session);
    };
    await until(
      async () => {
        await joinAll(4);
        return edge.attacks.shields === 1;
      },
      { what: "the attack" },
    );
    const before = copies.length;
    await joinAll(4);
    expect(copies).toHaveLength(before);
    await kill(edge, holder);
    const next = await startEdge();
    stops.push(() => next.stop());
    await until(() => next.counters.players === before, { what: "those from before the attack" });
  });
});

describe("the holder", () => {
  test("drops the copies of a worker that ends, and leaves those of the others", async () => {
    const [edge, next] = [createHolder(), createHolder()];
    stops.push(() => next.end());
    await edge.serve();
    const fd = openUdp({ ip: "127.0.0.1", port: backend.address.port });
    stops.push(() => closeDescriptor(fd));
    for (const worker of [1, 10]) {
      for (const id of [1, 2]) edge.copySession({ worker, id }, { fd, record: `${worker} ${id}` });
    }
    edge.forgetSessionsOf(1);
    edge.forgetSession({ worker: 10, id: 2 });
    await next.adopt();
    expect(await next.takeSessions()).toEqual([]);
    edge.leave();
    const taken: HeldSession[] = [];
    await until(async () => {
      taken.push(...(await next.takeSessions()));
      return taken.length > 0;
    });
    expect(taken.map(({ record }) => record)).toEqual(["10 1"]);
    for (const session of taken) closeDescriptor(session.fd);
  });

  test("keeps as many sessions as an edge has, and gives each away once", async () => {
    const edge = await startEdge();
    stops.push(() => edge.stop());
    const [giver, taker] = [createHolder(), createHolder()];
    for (const each of [giver, taker]) {
      for (const { fd } of await each.adopt()) closeDescriptor(fd);
      stops.push(() => each.leave());
    }
    const fd = openUdp({ ip: "127.0.0.1", port: backend.address.port });
    stops.push(() => closeDescriptor(fd));
    const records = Array.from({ length: 1_000 }, (_, n) =>
      encodeRecord(recordOf("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", n + 1)),
    );
    expect(await giver.keepSessions(records.map((record) => ({ fd, record })))).toBe(true);
    const taken = await taker.takeSessions();
    for (const session of taken) closeDescriptor(session.fd);
    expect(taken.map(({ record }) => record)).toEqual(records);
    expect(await taker.takeSessions()).toEqual([]);
  });
});

/** The longest one there is, but for the client. */
function recordOf(ip: string, clientPort: number): SessionRecord {
  return {
    form: 2,
    shield: sampleShieldId,
    backend: sampleBackend(1).id,
    port,
    client: { ip, port: clientPort },
    guid: String(2n ** 64n - 1n),
    mtu: 1_492,
    header: Buffer.alloc(proxyV2BytesMax).toString("base64"),
  };
}
