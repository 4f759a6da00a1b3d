import { RawConnection } from "#src/connection/raw-connection.ts";
import { beginJava } from "#src/connection/handshake.ts";
import type { JavaConnection } from "#src/connection/java-connection.ts";
import { corpus } from "./corpus.ts";
import { FakeConnection } from "./fake-connection.ts";
import { type FuzzEdge, shieldIdOf } from "./fuzz-edge.ts";
import { inPieces, mutate } from "./mutate.ts";
import type { Random } from "./random.ts";
import { type Step, scriptOf } from "./client-script.ts";

/** Longer than any chain of deadlines a connection can go through. */
const patienceMs = 60_000;
const skipMs = 2_500;

/** Observations of the connections. */
export interface ConnectionsResult {
  /** By the phase's name. */
  readonly phases: Map<string, number>;
}

interface Client {
  readonly socket: FakeConnection;
  readonly steps: Step[];
  readonly heard: Buffer[];
  readonly isRaw: boolean;
  readonly session: () => JavaConnection | undefined;
}

/**
 * Conversations with one edge at the same time, in any order; then time passes until all have
 * ended. @throws if one has not, or left something behind
 */
export async function runConnections(
  edge: FuzzEdge,
  random: Random,
  count: number,
  counts: ConnectionsResult,
): Promise<void> {
  const clients = Array.from({ length: count }, () => begin(edge, random));
  const talking = [...clients];
  while (talking.length > 0) {
    const at = random.below(talking.length);
    const client = talking[at];
    if (client === undefined || !goOn(client, random)) talking.splice(at, 1);
    if (client !== undefined) noteState(client, counts);
    if (random.once(16)) await settled(clients);
    if (random.once(24)) skip(edge, clients, random.below(400));
  }
  await outwait(edge, clients);
  expectNothingLeft(edge, clients);
}

function begin(edge: FuzzEdge, random: Random): Client {
  const isProxied = random.once(10);
  const isRaw = !isProxied && random.once(12);
  const ip = [203, 0, 113, random.below(12)];
  const heard: Buffer[] = [];
  const socket = new FakeConnection({
    remoteAddress: addressOf(random, isProxied, ip),
    isSlow: random.once(10),
    fault: (what) => {
      throw new Error(what);
    },
    heard: (bytes) => void heard.push(Buffer.from(bytes)),
  });
  let session: JavaConnection | undefined;
  edge.ingress.take(socket, (taken, key, connection) => {
    const shield = edge.shields.find(shieldIdOf(random.below(4)));
    if (isRaw && shield !== undefined) {
      void new RawConnection(taken, key, connection, shield, edge.deps);
      return;
    }
    session = beginJava(taken, key, connection, edge.deps);
  });
  // Mostly a new player, who is not known to be verified.
  const name = random.once(4) ? "Steve_01" : `Bot${random.below(1_000_000)}`;
  const talker = { name, ip: Uint8Array.from(ip), nowMs: edge.now() };
  const header = isProxied ? [proxyHeader(random)] : [];
  const steps = [...header, ...scriptOf(random, talker)];
  return { socket, steps, heard, isRaw, session: () => session };
}

function addressOf(random: Random, isProxied: boolean, ip: readonly number[]): string {
  if (isProxied) return `10.0.0.${random.below(4)}`;
  return random.once(4) ? `2001:db8:0:${random.below(4)}::${random.below(9)}` : ip.join(".");
}

function proxyHeader(random: Random): Step {
  const header = random.pick(corpus.proxies);
  const bytes = random.once(3) ? mutate(header, random.pick(corpus.frames), random) : header;
  return () => bytes;
}

/** False once the client does nothing more. */
function goOn({ socket, steps, heard }: Client, random: Random): boolean {
  const step = steps.shift();
  if (step !== undefined && !socket.isGone) {
    const bytes = step(Buffer.concat(heard));
    heard.length = 0;
    for (const piece of inPieces(bytes, random)) socket.deliver(piece);
    return !random.once(24);
  }
  const end = random.below(9);
  if (end < 3) socket.deliverEnd();
  else if (end < 5) socket.destroy();
  socket.settle();
  return false;
}

function noteState(client: Client, { phases }: ConnectionsResult): void {
  const session = client.session();
  const name = client.isRaw
    ? "RawConnection"
    : (session?.step.constructor.name ?? "ProxyHeaderReader");
  phases.set(name, (phases.get(name) ?? 0) + 1);
}

/** Lets promises go on, and whatever follows from them at the sockets. */
async function settled(clients: readonly Client[]): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  for (const { socket } of clients) socket.settle();
}

/** As in a real loop, whatever was closed is over before a timer is looked at. */
function skip(edge: FuzzEdge, clients: readonly Client[], ms: number): void {
  for (const { socket } of clients) socket.settle();
  edge.advance(ms);
}

async function outwait(edge: FuzzEdge, clients: readonly Client[]): Promise<void> {
  for (let ms = 0; ms < patienceMs; ms += skipMs) {
    await settled(clients);
    if (clients.every(({ socket }) => socket.isClosed)) return;
    skip(edge, clients, skipMs);
    if (ms === patienceMs / 2) {
      // Players stay for as long as they like; all other connections must have ended by now.
      edge.backends.stop();
      edge.backends.answerAll();
    }
  }
}

function expectNothingLeft(
  { deps, fds, verification, shields }: FuzzEdge,
  clients: readonly Client[],
): void {
  const open = clients.filter(({ socket }) => !socket.isClosed).length;
  let counted = 0;
  for (const [, count] of deps.outcomes.entries()) counted += count;
  const allCounters = Array.from({ length: 9 }, (_, n) => shields.find(shieldIdOf(n))?.counters);
  const left = {
    connections: open,
    pending: deps.admission.pending,
    files: fds.used,
    deadlines: deps.wheel.size,
    seats: verification.inProgress,
    uncounted: deps.outcomes.accepted - counted,
    players: sum(allCounters.map((counters) => counters?.players)),
    dialling: sum(allCounters.map((counters) => counters?.dialling)),
    places: sum(allCounters.map((counters) => counters?.load.players)),
    joined: sum(allCounters.map((counters) => counters?.load.joined)),
    shieldsWaiting: deps.admission.shieldsHalfOpen,
    unparsed: sum(allCounters.map((counters) => counters?.unparsed)),
  };
  const found = Object.entries(left).filter(([, count]) => count !== 0);
  if (found.length > 0) throw new Error(`left over: ${JSON.stringify(Object.fromEntries(found))}`);
}

function sum(counts: readonly (number | undefined)[]): number {
  return counts.reduce<number>((total, count = 0) => total + count, 0);
}
