import { connect, type Socket } from "node:net";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { encodePong, statusRequest } from "@palisade/minecraft-protocol/java/status";
import { atLeast } from "@palisade/minecraft-protocol/java/versions";
import type { Bot } from "./bot.ts";
import { directLine, type Line } from "./line.ts";

export interface Target {
  readonly host: string;
  readonly port: number;
  /** The name that players come by. */
  readonly hostname: string;
}

export interface Visitor {
  readonly target: Target;
  readonly protocol: number;
  readonly name: string;
  /** The address that it comes from. */
  readonly from: string;
}

export interface VisitOptions {
  readonly tickMs: number;
  /** A game that is slow answers in its ticks alone. */
  readonly answersInTicks: boolean;
  readonly capMs: number;
  /** Makes the way of bytes, once for each direction of a visit. */
  readonly line: () => Line;
}

/** `closed`: by the edge or the server; `left`: the bot gave up; `cap`: it was never told anything. */
export interface Visit {
  readonly end: "closed" | "left" | "cap";
  /** The last that it heard. */
  readonly text: string;
  readonly tookMs: number;
}

export const directVisit: Omit<VisitOptions, "capMs"> = {
  tickMs: 50,
  answersInTicks: false,
  line: () => directLine,
};

const textBytesMax = 2_048;
const statusCapMs = 10_000;

/** Asks for the status, as the game's list of servers does. Resolves once the connection is over. */
export async function ping({ target, protocol, from }: Visitor): Promise<void> {
  const { host, port, hostname } = target;
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connect({ host, port, localAddress: from });
  socket.setTimeout(statusCapMs, () => socket.destroy());
  socket.on("error", () => undefined);
  socket.on("close", () => resolve());
  socket.once("data", () => socket.write(encodePong(Buffer.alloc(8))));
  socket.write(encodeHandshake({ protocol, host: hostname, port, intent: "status" }));
  socket.write(statusRequest);
  await promise;
}

/** Joins once, and plays until it is over. */
export function visit(visitor: Visitor, bot: Bot, options: VisitOptions): Promise<Visit> {
  const { promise, resolve } = Promise.withResolvers<Visit>();
  new Connection(visitor, bot, options, resolve).begin();
  return promise;
}

/** No key of a profile, and no UUID of an account. */
function behindName(protocol: number): Uint8Array {
  if (atLeast(protocol, "1.20.2")) return new Uint8Array(16);
  if (atLeast(protocol, "1.19.3")) return Uint8Array.of(0);
  if (atLeast(protocol, "1.19.1")) return Uint8Array.of(0, 0);
  return atLeast(protocol, "1.19") ? Uint8Array.of(0) : new Uint8Array(0);
}

class Connection {
  readonly #visitor: Visitor;
  readonly #bot: Bot;
  readonly #options: VisitOptions;
  readonly #resolve: (visit: Visit) => void;
  readonly #up: Line;
  readonly #down: Line;
  readonly #socket: Socket;
  readonly #beganAtMs = performance.now();
  readonly #ticks: NodeJS.Timeout;
  readonly #cap: NodeJS.Timeout;
  #unheard: Buffer[] = [];
  #text: Buffer = Buffer.alloc(0);

  constructor(visitor: Visitor, bot: Bot, options: VisitOptions, resolve: (visit: Visit) => void) {
    this.#visitor = visitor;
    this.#bot = bot;
    this.#options = options;
    this.#resolve = resolve;
    this.#up = options.line();
    this.#down = options.line();
    const { host, port } = visitor.target;
    this.#socket = connect({ host, port, localAddress: visitor.from, noDelay: true });
    this.#ticks = setInterval(() => this.#tick(), options.tickMs);
    this.#cap = setTimeout(() => this.#end("cap"), options.capMs);
  }

  begin(): void {
    const { target, protocol, name } = this.#visitor;
    this.#socket.on("error", () => undefined);
    this.#socket.on("data", (chunk: Buffer) => this.#down.carry(() => this.#heard(chunk)));
    this.#socket.on("close", () => this.#down.carry(() => this.#end("closed")));
    const { hostname: host, port } = target;
    this.#say(encodeHandshake({ protocol, host, port, intent: "login" }));
    this.#say(encodeLoginStart(name, behindName(protocol)));
  }

  #heard(chunk: Buffer): void {
    this.#text = Buffer.concat([this.#text, chunk]).subarray(-textBytesMax);
    if (this.#options.answersInTicks) this.#unheard.push(chunk);
    else this.#answer(chunk);
  }

  #answer(bytes: Buffer): void {
    this.#say(this.#bot.hear(bytes));
    if (this.#bot.hasGivenUp === true) this.#end("left");
  }

  #tick(): void {
    const unheard = this.#unheard;
    this.#unheard = [];
    if (unheard.length > 0) this.#answer(Buffer.concat(unheard));
    this.#say(this.#bot.tick());
  }

  #say(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#up.carry(() => {
      if (this.#socket.writable) this.#socket.write(bytes);
    });
  }

  #end(end: Visit["end"]): void {
    clearInterval(this.#ticks);
    clearTimeout(this.#cap);
    this.#up.cut();
    this.#down.cut();
    this.#socket.destroy();
    const tookMs = Math.round(performance.now() - this.#beganAtMs);
    this.#resolve({ end, text: this.#text.toString("latin1"), tookMs });
  }
}
