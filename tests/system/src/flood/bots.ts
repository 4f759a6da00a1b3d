import { connect, type Socket } from "node:net";
import {
  encodeFrame,
  encodeString,
  encodeByteArray,
} from "@palisade/minecraft-protocol/java/fields";
import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { botAddress, type BotKind, type FloodPlan, hosts } from "./plan.ts";

/**
 * The bots, in a process of their own: as many logins a second as asked, from as many addresses.
 * The argument is a `BotOrder`; messages out: a `BotCount` each second and, at the end, with `isOver`.
 */
export interface BotOrder extends Pick<
  FloodPlan,
  "botsPerSecond" | "sources" | "kinds" | "seconds"
> {
  readonly host: string;
  readonly port: number;
}

export interface BotCount {
  opened: number;
  connected: number;
  /** Were told something: a kick, mostly. */
  answered: number;
  /** Never got a connection within their life. */
  unconnected: number;
  /** Were still connected at the end of their life. */
  held: number;
  /** Not opened, since too many were open. */
  skipped: number;
  cpuMs: number;
  isOver: boolean;
}

const protocols = [47, 340, 758, 765, 767];
/** Knows transfers. */
const newestProtocol = 767;
/** Longer than the edge waits for a login. */
const lifeMs = 3_500;
/** The kernel connects at once, however busy the edge is, unless it was told to drop the bot. */
const connectMs = 1_000;
const openMax = 18_000;
const tickMs = 5;
const cookieRequestId = 5;
const cookieResponseId = 4;

// The harness's own message, made from a checked plan.
const order = JSON.parse(process.argv[2] ?? "{}") as BotOrder;
const count: BotCount = {
  opened: 0,
  connected: 0,
  answered: 0,
  unconnected: 0,
  held: 0,
  skipped: 0,
  cpuMs: 0,
  isOver: false,
};

class Bot {
  readonly socket: Socket;
  readonly bornAt: number;
  readonly #kind: BotKind;
  #isConnected = false;
  #hasHeard = false;

  constructor(n: number, bornAt: number) {
    this.bornAt = bornAt;
    // Each address has all kinds in turn, whatever their numbers.
    const place = n + Math.floor(n / order.sources);
    this.#kind = order.kinds[place % order.kinds.length] ?? "login";
    const localAddress = botAddress(n % order.sources);
    this.socket = connect({ host: order.host, port: order.port, localAddress, noDelay: true });
    this.socket.on("error", () => undefined);
    this.socket.once("connect", () => {
      this.#isConnected = true;
      connecting.delete(this);
      open.add(this);
      count.connected++;
      this.socket.write(hello(n, this.#kind));
      // The kernel has the bytes by now; what follows is the end of the connection.
      if (this.#kind === "early") setImmediate(() => this.socket.destroy());
    });
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

  #heard(bytes: Buffer): void {
    if (!this.#hasHeard) count.answered++;
    this.#hasHeard = true;
    if (this.#kind !== "cookie") return;
    const frame = readFrame(bytes, 0, 4_096);
    if (frame.kind === "packet" && frame.id === cookieRequestId) this.socket.write(replayed);
  }
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

function hello(n: number, kind: BotKind): Buffer {
  const isTransfer = kind === "cookie";
  const protocol = isTransfer ? newestProtocol : (protocols[n % protocols.length] ?? 47);
  const intent = isTransfer ? "transfer" : "login";
  const handshake = encodeHandshake({ protocol, host: hosts.game, port: order.port, intent });
  if (kind === "silent") return handshake;
  const uuid = protocol >= 764 ? Buffer.alloc(16, n & 255) : undefined;
  return Buffer.concat([handshake, encodeLoginStart(`Bot${n.toString(36)}`, uuid)]);
}

const beganAt = performance.now();
let turn = 0;
const opening = setInterval(() => {
  const nowMs = performance.now();
  end(connecting, nowMs - connectMs);
  end(open, nowMs - lifeMs);
  const due = Math.floor(((nowMs - beganAt) / 1_000) * order.botsPerSecond);
  while (turn < due) {
    if (open.size + connecting.size >= openMax) count.skipped++;
    else {
      connecting.add(new Bot(turn, nowMs));
      count.opened++;
    }
    turn++;
  }
  if (nowMs - beganAt >= order.seconds * 1_000) finish();
}, tickMs);
const telling = setInterval(tell, 1_000);

function end(bots: Set<Bot>, bornBefore: number): void {
  for (const bot of bots) {
    if (bot.bornAt > bornBefore) return;
    bots.delete(bot);
    bot.die();
  }
}

function finish(): void {
  clearInterval(opening);
  clearInterval(telling);
  for (const { socket } of [...open, ...connecting]) socket.resetAndDestroy();
  count.isOver = true;
  tell();
  process.disconnect();
}

function tell(): void {
  const { user, system } = process.cpuUsage();
  count.cpuMs = (user + system) / 1_000;
  process.send?.(count);
}

process.on("disconnect", () => process.exit());
