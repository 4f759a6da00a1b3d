import { createHash, randomBytes, randomInt } from "node:crypto";
import { connect, createServer, type Socket } from "node:net";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import type { HostPort } from "../product/palisade.ts";

export const echoHost = "echo.example";
export const stubbornHost = "stubborn.example";

/** Ways in which a player behaves. */
export const manners = ["plain", "half-close", "slow", "one-byte", "reset", "gone"] as const;
export type Manner = (typeof manners)[number];

export type StreamResult =
  /** Every byte came back, or the player ended it as planned. */
  | "whole"
  /** The edge did not let the player in, e.g. while it was started again. */
  | "not joined"
  /** A player who had joined lost bytes or the connection. */
  | "broken";

const stubbornGreeting = Buffer.from("hello");
const bytesMax = 120_000;
const oneByteWrites = 300;
const capMs = 120_000;

/**
 * One player from connect to end.
 *
 * @param number which no other stream has: it gives the name and the address
 */
export async function runStream(
  to: HostPort,
  manner: Manner,
  number: number,
): Promise<StreamResult> {
  const localAddress = `127.${1 + (number % 250)}.${Math.floor(number / 250) % 250}.1`;
  const socket = connect({ ...to, localAddress, allowHalfOpen: true, noDelay: true });
  const host = manner === "gone" ? stubbornHost : echoHost;
  const handshake = { protocol: 758, host, port: 1, intent: "login" } as const;
  const login = Buffer.concat([encodeHandshake(handshake), encodeLoginStart(`P${number}`)]);
  const stream = new Stream(socket, manner === "gone" ? stubbornGreeting : login);
  stream.send(login);
  const cap = setTimeout(() => socket.destroy(), capMs);
  try {
    return await stream.run(manner);
  } finally {
    clearTimeout(cap);
    socket.destroy();
  }
}

class Stream {
  readonly #socket: Socket;
  readonly #sent = createHash("sha1");
  readonly #heard = createHash("sha1");
  readonly #first = Promise.withResolvers<boolean>();
  readonly #end = Promise.withResolvers<boolean>();
  readonly #all = Promise.withResolvers<boolean>();
  #sentBytes = 0;
  #heardBytes = 0;
  #hasSentAll = false;

  /** @param greeting first bytes of the backend; others are a kick */
  constructor(socket: Socket, greeting: Buffer) {
    this.#socket = socket;
    socket.on("data", (bytes: Buffer) => {
      this.#heard.update(bytes);
      this.#heardBytes += bytes.length;
      const length = Math.min(bytes.length, greeting.length);
      this.#first.resolve(bytes.subarray(0, length).equals(greeting.subarray(0, length)));
      this.#look();
    });
    socket.on("end", () => this.#end.resolve(true));
    socket
      .on("error", () => undefined)
      .on("close", () => {
        for (const each of [this.#first, this.#end, this.#all]) each.resolve(false);
      });
  }

  send(bytes: Buffer): void {
    this.#sent.update(bytes);
    this.#sentBytes += bytes.length;
    this.#socket.write(bytes);
  }

  async run(manner: Manner): Promise<StreamResult> {
    if (manner === "reset") {
      await delay(randomInt(150));
      this.send(randomBytes(randomInt(20_000)));
      this.#socket.resetAndDestroy();
      return "whole";
    }
    if (!(await this.#first.promise)) return "not joined";
    if (manner === "gone") {
      this.#socket.end();
      return "whole";
    }
    await this.#talk(manner);
    this.#hasSentAll = true;
    if (manner === "half-close") this.#socket.end();
    this.#look();
    if (!(await this.#all.promise)) return "broken";
    if (manner !== "half-close") this.#socket.end();
    const isWhole = this.#sent.digest("hex") === this.#heard.digest("hex");
    return isWhole && (await this.#end.promise) ? "whole" : "broken";
  }

  async #talk(manner: Manner): Promise<void> {
    if (manner === "one-byte") {
      for (let count = 0; count < oneByteWrites; count++) {
        this.send(randomBytes(1));
        if (count % 16 === 0) await delay(1);
      }
      return;
    }
    const total = randomInt(bytesMax);
    for (let left = total; left > 0;) {
      const piece = Math.min(left, 1 + randomInt(20_000));
      this.send(randomBytes(piece));
      left -= piece;
      if (manner === "slow") await this.#rest();
      else await delay(randomInt(30));
    }
  }

  async #rest(): Promise<void> {
    this.#socket.pause();
    await delay(randomInt(200));
    this.#socket.resume();
  }

  #look(): void {
    if (this.#hasSentAll && this.#heardBytes === this.#sentBytes) this.#all.resolve(true);
  }
}

export interface Backends {
  readonly echoPort: number;
  readonly stubbornPort: number;
  /** The longest time that the edge has kept a connection of a player who had left, in milliseconds. */
  keptMsMax(): number;
  /** Connections of players who have left that are open now. */
  left(): number;
  stop(): void;
}

const chatterEveryMs = 250;

/**
 * One backend sends back what it gets; the other ignores the end of its player and goes on sending.
 */
export async function startBackends(): Promise<Backends> {
  let keptMsMax = 0;
  const open = new Set<Socket>();
  let left = 0;
  const track = (socket: Socket): void => {
    open.add(socket.on("error", () => undefined));
    socket.once("close", () => open.delete(socket));
  };
  const echo = createServer({ allowHalfOpen: true }, (socket) => {
    track(socket);
    socket.pipe(socket);
  });
  const stubborn = createServer({ allowHalfOpen: true }, (socket) => {
    track(socket);
    socket.resume();
    const chatter = setInterval(() => socket.write(Buffer.alloc(100)), chatterEveryMs);
    socket.write(stubbornGreeting);
    let endedAt: number | undefined;
    socket.once("end", () => {
      endedAt = performance.now();
      left++;
    });
    socket.once("close", () => {
      clearInterval(chatter);
      if (endedAt === undefined) return;
      left--;
      keptMsMax = Math.max(keptMsMax, performance.now() - endedAt);
    });
  });
  const ports: number[] = [];
  for (const server of [echo, stubborn]) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no TCP server");
    ports.push(address.port);
  }
  const [echoPort = 0, stubbornPort = 0] = ports;
  return {
    echoPort,
    stubbornPort,
    keptMsMax: () => keptMsMax,
    left: () => left,
    stop: () => {
      for (const server of [echo, stubborn]) server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
