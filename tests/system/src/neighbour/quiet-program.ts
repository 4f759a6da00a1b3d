import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { setPriority } from "node:os";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { hosts, packetsPerSecond, sourceAddress } from "./plan.ts";

/**
 * The quiet shield: its server, its players, and others who join one after the other, in their own
 * process, so that only the way through the edge and back is measured.
 *
 * Messages in: a `QuietOrder`. Messages out: `{ kind: "listening", port }`, `{ kind: "playing" }`, and
 * for each `measure` what was measured since the one before.
 */
export type QuietOrder =
  | ({ readonly do: "play"; readonly host: string; readonly port: number } & QuietLoad)
  | { readonly do: "measure" };

interface QuietLoad {
  readonly players: number;
  readonly joinsPerSecond: number;
}

export interface QuietMeasurement {
  readonly kind: "measured";
  /** Milliseconds that each took. */
  readonly joins: readonly number[];
  readonly packets: readonly number[];
  /** Joins that failed, and players whose connection has ended, so far. */
  readonly failed: number;
  readonly lost: number;
}

interface Place {
  readonly host: string;
  readonly port: number;
}

const packetBytes = 64;
const protocol = 758;
const network = 20;
/** Slower is as bad as none. */
const joinMs = 10_000;

let joins: number[] = [];
let packets: number[] = [];
let failed = 0;
let lost = 0;

/** Resolves with the time once the server has echoed the whole login. */
function join(place: Place, n: number): { socket: Socket; joined: Promise<number> } {
  const { promise: joined, resolve, reject } = Promise.withResolvers<number>();
  const login = Buffer.concat([
    encodeHandshake({ protocol, host: hosts.quiet, port: place.port, intent: "login" }),
    encodeLoginStart(`Quiet${n}`),
  ]);
  const beganAt = performance.now();
  const socket = connect({ ...place, localAddress: sourceAddress(network, n), noDelay: true });
  let toCome = login.length;
  const onData = (bytes: Buffer): void => {
    toCome -= bytes.length;
    if (toCome > 0) return;
    socket.off("data", onData);
    resolve(performance.now() - beganAt);
  };
  socket.on("data", onData);
  socket.on("error", () => undefined);
  socket.on("close", () => reject(new Error("the join has failed")));
  socket.write(login);
  return { socket, joined };
}

async function play(place: Place, n: number): Promise<void> {
  const { socket, joined } = join(place, n);
  await joined;
  let held: Buffer = Buffer.alloc(0);
  socket.on("data", (bytes) => {
    held = Buffer.concat([held, bytes]);
    for (; held.length >= packetBytes; held = held.subarray(packetBytes)) {
      packets.push(performance.now() - held.readDoubleBE(0));
    }
  });
  socket.on("close", () => void lost++);
  setInterval(() => {
    const packet = Buffer.alloc(packetBytes);
    packet.writeDoubleBE(performance.now());
    socket.write(packet);
  }, 1_000 / packetsPerSecond);
}

async function joinAndLeave(place: Place, n: number): Promise<void> {
  const { socket, joined } = join(place, n);
  const deadline = setTimeout(() => socket.destroy(), joinMs);
  try {
    joins.push(await joined);
  } catch {
    failed++;
  }
  clearTimeout(deadline);
  socket.destroy();
}

async function begin(order: Place & QuietLoad): Promise<void> {
  const place = { host: order.host, port: order.port };
  await Promise.all(Array.from({ length: order.players }, (_, n) => play(place, n)));
  let next = order.players;
  setInterval(() => {
    next = next + 1 < 60_000 ? next + 1 : order.players;
    void joinAndLeave(place, next);
  }, 1_000 / order.joinsPerSecond);
  process.send?.({ kind: "playing" });
}

function measure(): void {
  const result: QuietMeasurement = {
    kind: "measured",
    joins,
    packets,
    failed,
    lost,
  };
  process.send?.(result);
  joins = [];
  packets = [];
}

try {
  // It stands for other machines, which have cores of their own.
  setPriority(-15);
} catch {
  // Without the right to it, what else runs here is measured as well.
}
const server = createServer({ noDelay: true }, (socket) => {
  socket.on("error", () => undefined);
  socket.on("data", (bytes) => socket.write(bytes));
});
server.listen(0, "127.0.0.1", () => {
  process.send?.({ kind: "listening", port: (server.address() as AddressInfo).port });
});
process.on("message", (order: QuietOrder) => {
  if (order.do === "measure") measure();
  else void begin(order);
});
process.on("disconnect", () => process.exit());
