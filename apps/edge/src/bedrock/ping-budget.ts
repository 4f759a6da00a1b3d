import { SeededHash } from "@palisade/login-rules/shared/seeded-hash";
import { randomBytes } from "node:crypto";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";

const cellsOfSources = 1 << 14;

/** Datagrams outside of a connection from one source in a second: many players may share it. */
export const offlinePerSourceMax = 64;
/** Bytes of long answers to pings of one shield in a second: those of 3,000 players looking at it. */
const longBytesPerSecond = 512 * 1_024;
/** Pings of one shield that are answered at all in a second. */
export const pingsPerShieldMax = 50_000;
/** An answer is never longer than this many times its ping, beyond the bytes above. */
export const pongFactorMax = 3;

/** Counts of the present second: what sources send outside of a connection. */
export class SourceBudget {
  readonly #cells = new Uint16Array(cellsOfSources);
  readonly #hash = new SeededHash(randomBytes(8));

  /** Whether a datagram of this source is looked at. Two sources may share a count. */
  take(ip: IpBytes): boolean {
    // Of IPv6 the network of a customer's line.
    const source = ip.length === 4 ? ip : ip.subarray(0, 8);
    const cell = this.#hash.begin(0).add(source).end().low & (cellsOfSources - 1);
    const count = this.#cells[cell] ?? 0;
    if (count >= offlinePerSourceMax) return false;
    this.#cells[cell] = count + 1;
    return true;
  }

  /** Once a second. */
  tick(): void {
    this.#cells.fill(0);
  }
}

/** What one shield may answer to pings in the present second. */
export class PongBudget {
  #pings = 0;
  #longBytes = 0;

  /** @returns the kind of answer that is allowed */
  take(pongBytes: number): "long" | "short" | "none" {
    if (this.#pings >= pingsPerShieldMax) return "none";
    this.#pings += 1;
    if (this.#longBytes + pongBytes > longBytesPerSecond) return "short";
    this.#longBytes += pongBytes;
    return "long";
  }

  /** Once a second. */
  tick(): void {
    this.#pings = 0;
    this.#longBytes = 0;
  }
}
