import { createHash } from "node:crypto";
import { readOpenRequest2 } from "@palisade/minecraft-protocol/bedrock/offline-messages";
import type { RelayPassing } from "./impairing-relay.ts";

/** Datagrams of connections that a proxy was given, and those that came out of it. */
export interface CheckedWay {
  given: number;
  taken: number;
}

/** One session by its client's number, which the client's second request names on both sides. */
class Session {
  readonly up = new Map<string, number>();
  readonly down = new Map<string, number>();
  /** The client has left. */
  isOver = false;
}

const faultsMax = 20;

/**
 * Compares the datagrams before and behind a proxy as they pass. Each that comes out must have gone in at
 * the other end of the same session, byte for byte, and no more often.
 */
export class DatagramLedger {
  readonly up: CheckedWay = { given: 0, taken: 0 };
  readonly down: CheckedWay = { given: 0, taken: 0 };
  readonly faults: string[] = [];
  readonly #sessions = new Map<bigint, Session>();
  /** Sources before the proxy, and the proxy's own addresses behind it. */
  readonly #before = new Map<string, bigint>();
  readonly #behind = new Map<string, bigint>();

  /** Datagrams between clients and the proxy. */
  passesBefore({ source, to, stage }: RelayPassing, bytes: Buffer): void {
    if (to === "target" && stage === "leaves") this.#give("up", this.#before, source, bytes);
    if (to === "source" && stage === "arrives") this.#take("down", this.#before, source, bytes);
  }

  /** Datagrams between the proxy and its backend. */
  passesBehind({ source, to, stage }: RelayPassing, bytes: Buffer): void {
    if (to === "target" && stage === "arrives") this.#take("up", this.#behind, source, bytes);
    if (to === "source" && stage === "leaves") this.#give("down", this.#behind, source, bytes);
  }

  /** The client leaves: what is still sent to it is compared, and not counted. */
  ends(client: bigint): void {
    const session = this.#sessions.get(client);
    if (session !== undefined) session.isOver = true;
  }

  #give(way: "up" | "down", numbers: Map<string, bigint>, source: string, bytes: Buffer): void {
    if (!isConnected(bytes)) {
      this.#learn(numbers, source, bytes);
      return;
    }
    const session = this.#sessionOf(numbers, source);
    if (session === undefined) return;
    const hash = hashOf(bytes);
    session[way].set(hash, (session[way].get(hash) ?? 0) + 1);
    // A server that has missed the goodbye goes on sending.
    if (!session.isOver) this[way].given += 1;
  }

  #take(way: "up" | "down", numbers: Map<string, bigint>, source: string, bytes: Buffer): void {
    if (!isConnected(bytes)) {
      this.#learn(numbers, source, bytes);
      return;
    }
    const session = this.#sessionOf(numbers, source);
    if (session?.isOver !== true) this[way].taken += 1;
    const waiting = session?.[way];
    const hash = hashOf(bytes);
    const count = waiting?.get(hash) ?? 0;
    if (count === 0)
      this.#fault(`${way}: ${source} got what was not sent: ${bytes.toString("hex")}`);
    else if (count === 1) waiting?.delete(hash);
    else waiting?.set(hash, count - 1);
  }

  #learn(numbers: Map<string, bigint>, source: string, bytes: Buffer): void {
    const request = readOpenRequest2(bytes, true);
    if (request !== undefined) numbers.set(source, request.guid);
  }

  #sessionOf(numbers: Map<string, bigint>, source: string): Session | undefined {
    const number = numbers.get(source);
    if (number === undefined) return undefined;
    const session = this.#sessions.get(number) ?? new Session();
    this.#sessions.set(number, session);
    return session;
  }

  #fault(text: string): void {
    if (this.faults.length < faultsMax) this.faults.push(text);
  }
}

/** Datagrams of a connection have the highest bit set. */
export function isConnected([first = 0]: Uint8Array): boolean {
  return first >= 0x80;
}

function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("base64");
}
