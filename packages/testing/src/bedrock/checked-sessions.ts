import { createHash } from "node:crypto";
import { once } from "node:events";
import { seededRandom } from "../seeded-random.ts";
import { type CheckedWay, DatagramLedger, isConnected } from "./datagram-ledger.ts";
import { ImpairingRelay } from "./impairing-relay.ts";
import { RakNetClient } from "./raknet-client.ts";
import { RakNetServer } from "./raknet-server.ts";
import type { UdpAddress } from "./udp-socket.ts";

export interface CheckedSessionsOptions {
  readonly sessions: number;
  readonly atOnce: number;
  /** Each session sends so many, one after the other, and waits until all are back. */
  readonly messages: number;
  /** Called with the number of sessions that have ended. */
  readonly onProgress?: (ended: number) => void;
}

export interface CheckedResult {
  /** Sessions whose messages all came back whole and in order. */
  readonly whole: number;
  /** The faults, one line each. */
  readonly faults: readonly string[];
  readonly up: CheckedWay;
  readonly down: CheckedWay;
}

const advertisement = "MCPE;Echo;766;1.21.50;0;9999;1;Checked;Survival;1;19132;19133;";
/** Before and behind the proxy, each both ways. */
const impairment = { loss: 0.04, duplicate: 0.03, reorder: 0.04 };
const messageBytesMax = 4_000;
const retryMs = 100;
/** Four tries each: newcomers wait as long as the game does, while one edge follows another. */
const mtus = [
  1_492, 1_492, 1_492, 1_492, 1_492, 1_492, 1_492, 1_492, 1_200, 1_200, 1_200, 1_200, 576, 576, 576,
];
/** Far more than a session takes: one that is stuck is a fault. */
const sessionMsMax = 30_000;

/**
 * Sessions of RakNet through a proxy, whose datagrams get lost, come twice and overtake each other before
 * and behind it.
 *
 * @example
 * const checker = await SessionChecker.start(1);
 * // The proxy sends players to `checker.backend`.
 * const result = await checker.run(proxy, { sessions: 200, atOnce: 50, messages: 6 });
 */
export class SessionChecker {
  readonly #seed: number;
  readonly #server: RakNetServer;
  readonly #behind: ImpairingRelay;
  readonly #ledger: DatagramLedger;

  private constructor(
    seed: number,
    server: RakNetServer,
    behind: ImpairingRelay,
    ledger: DatagramLedger,
  ) {
    this.#seed = seed;
    this.#server = server;
    this.#behind = behind;
    this.#ledger = ledger;
  }

  /** @param seed of the random numbers that choose what becomes of datagrams */
  static async start(seed: number): Promise<SessionChecker> {
    const ledger = new DatagramLedger();
    const server = await RakNetServer.listen({ advertisement, hasCookie: true, isEcho: true });
    const behind = await ImpairingRelay.listen({
      ...impairment,
      seed,
      target: server.address,
      // A proxy takes a backend that does not answer for dead, which is not what is asked here.
      isImpaired: isConnected,
      observe: (passing, bytes) => ledger.passesBehind(passing, bytes),
    });
    return new SessionChecker(seed, server, behind, ledger);
  }

  /** The backend's address for the proxy. */
  get backend(): UdpAddress {
    return this.#behind.address;
  }

  /** Once for each checker. */
  async run(proxy: UdpAddress, options: CheckedSessionsOptions): Promise<CheckedResult> {
    const { sessions, atOnce, onProgress } = options;
    const before = await ImpairingRelay.listen({
      ...impairment,
      seed: this.#seed + 1_000_003,
      target: proxy,
      // Each session has a network of its own: many from one network are an attack.
      localHost: (number) => `127.${20 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`,
      observe: (passing, bytes) => this.#ledger.passesBefore(passing, bytes),
    });
    const faults: string[] = [];
    let next = 0;
    let whole = 0;
    let ended = 0;
    const lane = async (): Promise<void> => {
      while (next < sessions) {
        const number = next++;
        try {
          await this.#session(before.address, number, options.messages);
          whole += 1;
        } catch (error) {
          faults.push(`session ${number}: ${String(error)}`);
        }
        onProgress?.(++ended);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
    await before.close();
    const { up, down, faults: changed } = this.#ledger;
    return { whole, faults: [...faults, ...changed], up, down };
  }

  async close(): Promise<void> {
    await this.#behind.close();
    await this.#server.abandon();
  }

  /** @throws Error where a message does not come back as it was, or the connection ends */
  async #session(to: UdpAddress, number: number, count: number): Promise<void> {
    // Datagrams that are late for one session are not those of another one from the same port.
    const from = `127.${120 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;
    const client = await RakNetClient.open({ ...to, from, retryMs, mtus });
    const cap = setTimeout(() => void client.close(), sessionMsMax);
    try {
      await client.connect();
      const sent = messagesOf(this.#seed + number, count);
      const expected = sent.map(hashOf);
      const received: string[] = [];
      const isOver = new AbortController();
      const all = Promise.withResolvers<void>();
      client.on("message", (body) => {
        received.push(hashOf(body));
        if (received.length === count) all.resolve();
      });
      const lost = once(client, "close", { signal: isOver.signal }).then(
        ([reason]: unknown[]) => {
          throw new Error(`closed: ${String(reason)}`);
        },
        () => undefined,
      );
      for (const message of sent) client.sendReliable(message);
      await Promise.race([all.promise, lost]);
      isOver.abort();
      if (received.join() !== expected.join()) throw new Error("messages came back changed");
      if (client.faults.length > 0) throw new Error(client.faults.join(", "));
    } finally {
      clearTimeout(cap);
      this.#ledger.ends(client.guid);
      await client.close();
    }
  }
}

/** Messages of the game's kind, short and long, each of other bytes. */
function messagesOf(seed: number, count: number): Buffer[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => {
    const message = Buffer.alloc(1 + random(messageBytesMax));
    for (let at = 0; at < message.length; at += 1) message[at] = random(256);
    message[0] = 0xfe;
    return message;
  });
}

function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("base64");
}
