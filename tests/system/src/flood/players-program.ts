import { connect, createServer, type Socket } from "node:net";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { latenciesOf, type Latencies } from "./latencies.ts";
import { clientAddress, hosts, ports, clientsAddress } from "./plan.ts";

/**
 * Players that are connected already, and their server, in their own process: only the way through the
 * edge and back is measured, not other work of the test.
 *
 * Messages in: a `PlayersOrder`. Messages out: `{ kind: "listening" }`, `{ kind: "playing" }` when all
 * have joined, and for each `measure` the measurement since the one before.
 */
export type PlayersOrder =
  | { readonly do: "join"; readonly host: string; readonly port: number; readonly players: number }
  | { readonly do: "measure" };

export interface PlayersMeasurement extends Latencies {
  readonly kind: "measured";
  /** Players whose connection has ended. */
  readonly lost: number;
}

const packetBytes = 64;
const packetsPerSecond = 20;
const protocol = 758;

let samples: number[] = [];
let lost = 0;

function play(order: { host: string; port: number }, n: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { host, port } = order;
  const localAddress = clientAddress(4_096 + n);
  const socket = connect({ host, port, localAddress, noDelay: true });
  const login = Buffer.concat([
    encodeHandshake({ protocol, host: hosts.echo, port, intent: "login" }),
    encodeLoginStart(`Regular${n}`),
  ]);
  // The server also echoes the login.
  let toSkip = login.length;
  let held: Buffer = Buffer.alloc(0);
  socket.on("connect", () => socket.write(login));
  socket.on("error", () => undefined);
  socket.on("close", () => void lost++);
  socket.on("data", (bytes: Buffer) => {
    const skipped = Math.min(toSkip, bytes.length);
    toSkip -= skipped;
    if (toSkip > 0) return;
    resolve();
    held = Buffer.concat([held, bytes.subarray(skipped)]);
    while (held.length >= packetBytes) {
      samples.push(performance.now() - held.readDoubleBE(0));
      held = held.subarray(packetBytes);
    }
  });
  void promise.then(() => sendOn(socket, n));
  return promise;
}

function sendOn(socket: Socket, n: number): void {
  const packet = Buffer.alloc(packetBytes);
  const everyMs = 1_000 / packetsPerSecond;
  setTimeout(
    () => {
      setInterval(() => {
        packet.writeDoubleBE(performance.now());
        socket.write(Buffer.from(packet));
      }, everyMs);
    },
    (n * 7) % everyMs,
  );
}

const server = createServer({ noDelay: true }, (socket) => {
  socket.on("error", () => undefined);
  socket.on("data", (bytes) => socket.write(bytes));
});
server.listen(ports.echo, clientsAddress, () => process.send?.({ kind: "listening" }));

process.on("message", (order: PlayersOrder) => {
  if (order.do === "measure") {
    process.send?.({
      kind: "measured",
      ...latenciesOf(samples),
      lost,
    } satisfies PlayersMeasurement);
    samples = [];
    return;
  }
  const joining = Array.from({ length: order.players }, (_, n) => play(order, n));
  void Promise.all(joining).then(() => process.send?.({ kind: "playing" }));
});
process.on("disconnect", () => process.exit());
