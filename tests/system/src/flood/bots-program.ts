import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import {
  encodeFrame,
  encodeString,
  encodeByteArray,
} from "@palisade/minecraft-protocol/java/fields";
import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { statusRequest } from "@palisade/minecraft-protocol/java/status";
import { type BotCount, type BotOrder, noBots } from "./bot-messages.ts";
import { botAddress, type BotKind, hosts } from "./plan.ts";

/**
 * The bots, in their own process: a given number of logins a second from a given number of addresses.
 * The argument is a `BotOrder`; messages out: a `BotCount` at the first login, each second and at the
 * end.
 */

const protocols = [47, 340, 758, 765, 767];
/** Supports transfers. */
const newestProtocol = 767;
/** Longer than the edge waits for a login. */
const lifeMs = 3_500;
/** The kernel connects at once, however busy the edge is, unless the bot is banned in the kernel. */
const connectMs = 1_000;
const openMax = 18_000;
const tickMs = 5;
const cookieRequestId = 5;
const cookieResponseId = 4;
const encryptionId = 1;
/** Size of a value encrypted with a 1024-bit key. */
const encryptedBytes = 128;

// Comes from the test, made from a checked plan.
const order = JSON.parse(process.argv[2] ?? "{}") as BotOrder;
const count: BotCount = { ...noBots };

class Bot {
  readonly bornAt: number;
  readonly socket: Socket;
  readonly #kind: BotKind;
  #isConnected = false;
  #hasHeard = false;

  constructor(n: number, bornAt: number) {
    this.bornAt = bornAt;
    // Each address uses all kinds in turn.
    const turn = n + Math.floor(n / order.sources);
    this.#kind = order.kinds[turn % order.kinds.length] ?? "login";
    this.socket = connectFrom(n);
    this.socket.once("connect", () => this.#connected(n));
    this.socket.on("data", (bytes: Buffer) => this.#heard(bytes));
    this.socket.once("close", () => {
      connecting.delete(this);
      open.delete(this);
    });
  }

  die(): void {
    if (this.#isConnected) count.held++;
    else count.unconnected++;
    this.socket.resetAndDestroy();
  }

  #connected(n: number): void {
    this.#isConnected = true;
    connecting.delete(this);
    open.add(this);
    count.connected++;
    this.socket.write(hello(n, this.#kind));
    // The kernel has the bytes by now; the end of the connection follows.
    if (this.#kind === "early") setImmediate(() => this.socket.destroy());
  }

  #heard(bytes: Buffer): void {
    if (!this.#hasHeard) count.answered++;
    this.#hasHeard = true;
    const frame = readFrame(bytes, 0, 4_096);
    if (frame.kind !== "packet") return;
    if (this.#kind === "cookie" && frame.id === cookieRequestId) this.socket.write(replayed);
    if (this.#kind === "encryption" && frame.id === encryptionId) this.socket.write(forged);
  }
}

function connectFrom(n: number): Socket {
  const localAddress = botAddress(n % order.sources, order.spread);
  const host = localAddress.includes(":") ? order.ip6 : order.ip4;
  const socket = connect({ host, port: order.port, localAddress, noDelay: true });
  return socket.on("error", () => undefined);
}

/** Oldest first. */
const connecting = new Set<Bot>();
const open = new Set<Bot>();
const replayed = encodeFrame(
  cookieResponseId,
  encodeString("palisade:verified"),
  Buffer.of(1),
  encodeByteArray(Buffer.alloc(64, 7)),
);

const forged = encodeFrame(
  encryptionId,
  encodeByteArray(Buffer.alloc(encryptedBytes, 7)),
  encodeByteArray(Buffer.alloc(encryptedBytes, 9)),
);

function hello(n: number, kind: BotKind): Buffer {
  const isTransfer = kind === "cookie";
  const isNewest = isTransfer || kind === "encryption";
  const protocol = isNewest ? newestProtocol : (protocols[n % protocols.length] ?? 47);
  const intent = isTransfer ? "transfer" : "login";
  const handshake = encodeHandshake({ protocol, host: hosts.game, port: order.port, intent });
  if (kind === "silent") return handshake;
  const uuid = protocol >= 764 ? Buffer.alloc(16, n & 255) : undefined;
  return Buffer.concat([handshake, encodeLoginStart(`Bot${n.toString(36)}`, uuid)]);
}

if (order.pings) await pingFromAll();
const beganAt = performance.now();
const telling = setInterval(tell, 1_000);
tell();
await atPace(order.botsPerSecond * order.seconds, (n, nowMs) => {
  end(connecting, nowMs - connectMs);
  end(open, nowMs - lifeMs);
  if (open.size + connecting.size >= openMax) count.skipped++;
  else {
    connecting.add(new Bot(n, nowMs));
    count.opened++;
  }
});
finish();

/** Calls `call` with the numbers up to `turns`, at the rate of the bots. */
async function atPace(turns: number, call: (n: number, nowMs: number) => void): Promise<void> {
  const beganAt = performance.now();
  for (let turn = 0; turn < turns; await delay(tickMs)) {
    const nowMs = performance.now();
    const due = Math.floor(((nowMs - beganAt) / 1_000) * order.botsPerSecond);
    for (; turn < Math.min(due, turns); turn++) call(turn, nowMs);
  }
}

/** Pings from all addresses, as players do before they join. */
async function pingFromAll(): Promise<void> {
  const handshake = { protocol: newestProtocol, host: hosts.game, port: order.port };
  const request = Buffer.concat([
    encodeHandshake({ ...handshake, intent: "status" }),
    statusRequest,
  ]);
  await atPace(order.sources, (n) => {
    const socket = connectFrom(n);
    socket.once("connect", () => socket.write(request));
    socket.once("data", () => socket.destroy());
  });
}

function end(bots: Set<Bot>, bornBefore: number): void {
  for (const bot of bots) {
    if (bot.bornAt > bornBefore) return;
    bots.delete(bot);
    bot.die();
  }
}

function finish(): void {
  clearInterval(telling);
  for (const { socket } of [...open, ...connecting]) socket.resetAndDestroy();
  tell();
  process.disconnect();
}

function tell(): void {
  count.ms = performance.now() - beganAt;
  const { user, system } = process.cpuUsage();
  count.cpuMs = (user + system) / 1_000;
  process.send?.(count);
}

process.on("disconnect", () => process.exit());
