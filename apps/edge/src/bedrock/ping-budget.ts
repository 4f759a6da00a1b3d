import { SeededHash } from "@palisade/shared-tables/seeded-hash";
import { randomBytes } from "node:crypto";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";

const cellsOfSources = 1 << 14;

/** Datagrams outside of a connection from one source in a second: many players may share it. */
export const offlinePerSourceMax = 64;
/** Bytes of answers to pings of one shield in a second: those of 3,000 players looking at it. */
export const pongBytesPerSecond = 512 * 1_024;
/** Pings of one shield that are answered at all in a second. */
export const pingsPerShieldMax = 50_000;
/** Beyond the bytes above, all answers of a second are at most so many times as long as their pings. */
export const pongFactorMax = 3;

/** The budgets of the shields that are pinged now. */
export class PongBudgets {
  readonly #budgets = new Map<string, PongBudget>();

  /** One for all ports of the shield. */
  of(shieldId: string): PongBudget {
    const known = this.#budgets.get(shieldId);
    if (known !== undefined) return known;
    const budget = new PongBudget();
    this.#budgets.set(shieldId, budget);
    return budget;
  }

  /** Once a second. */
  tick(): void {
    for (const [shieldId, budget] of this.#budgets) {
      budget.tick();
      if (budget.isAtRest) this.#budgets.delete(shieldId);
    }
  }
}

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

/**
 * The answers that one shield may give to pings in the present second. Few pings get all that the backend says.
 * In a flood the answers are short, and all of them at most so many times as long as their pings, with
 * those before it was one.
 */
export class PongBudget {
  #pings = 0;
  #pingBytes = 0;
  #pongBytes = 0;
  /** If each ping of this second had a long answer. */
  #wantedBytes = 0;
  /** The second before was too much for long answers. */
  #isFlood = false;
  /** Answered before, beyond what its pings allow. */
  #owedBytes = 0;

  /** Nothing of the seconds before counts any more. */
  get isAtRest(): boolean {
    return !this.#isFlood && this.#owedBytes === 0;
  }

  /**
   * @param longBytes of the answer with all that the backend says, and `shortBytes` of the one with less
   * @returns the kind of answer that is allowed
   */
  take(pingBytes: number, longBytes: number, shortBytes: number): "long" | "short" | "none" {
    if (this.#pings >= pingsPerShieldMax) return "none";
    this.#pings += 1;
    this.#pingBytes += pingBytes;
    this.#wantedBytes += longBytes;
    if (!this.#isFlood && this.#wantedBytes <= pongBytesPerSecond) {
      this.#pongBytes += longBytes;
      return "long";
    }
    const answered = this.#owedBytes + this.#pongBytes + shortBytes;
    if (answered > pongFactorMax * this.#pingBytes) return "none";
    this.#pongBytes += shortBytes;
    return "short";
  }

  /** Once a second. */
  tick(): void {
    const isTooMuch = this.#wantedBytes > pongBytesPerSecond;
    const before = isTooMuch || this.#isFlood ? this.#owedBytes : 0;
    const owed = before + this.#pongBytes - pongFactorMax * this.#pingBytes;
    this.#owedBytes = Math.max(0, owed);
    this.#isFlood = isTooMuch;
    this.#pings = 0;
    this.#pingBytes = 0;
    this.#pongBytes = 0;
    this.#wantedBytes = 0;
  }
}
