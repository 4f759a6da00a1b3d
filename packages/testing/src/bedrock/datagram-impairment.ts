import { seededRandom } from "../seeded-random.ts";

/** Shares of the datagrams of one direction, from 0 to 1. */
export interface ImpairmentOptions {
  readonly seed: number;
  readonly loss?: number;
  readonly duplicate?: number;
  /** Held back until one to three later datagrams have passed. */
  readonly reorder?: number;
}

const parts = 1_000_000;
const heldForMax = 3;

interface HeldDatagram {
  readonly bytes: Buffer;
  /** Datagrams that still pass before it. */
  left: number;
}

/**
 * Loses, doubles and reorders the datagrams of one direction, the same ones for the same seed. Needs no
 * time: a datagram that is held waits for the ones behind it, so the last one of a direction can wait for
 * a repetition.
 */
export class DatagramImpairment {
  readonly #options: ImpairmentOptions;
  readonly #random: (below: number) => number;
  #held: HeldDatagram[] = [];
  readonly counts = { passed: 0, lost: 0, doubled: 0, reordered: 0 };

  constructor(options: ImpairmentOptions) {
    this.#options = options;
    this.#random = seededRandom(options.seed);
  }

  /** @param send is called at once for every datagram that comes out, none or several */
  pass(bytes: Buffer, send: (bytes: Buffer) => void): void {
    const { loss, duplicate, reorder } = this.#options;
    if (this.#happens(loss)) {
      this.counts.lost += 1;
      return;
    }
    if (this.#happens(reorder)) {
      this.counts.reordered += 1;
      // A copy: the socket's buffer may be used again before it goes out.
      this.#held.push({ bytes: Buffer.from(bytes), left: 1 + this.#random(heldForMax) });
      return;
    }
    this.counts.passed += 1;
    send(bytes);
    if (this.#happens(duplicate)) {
      this.counts.doubled += 1;
      send(bytes);
    }
    this.#release(send);
  }

  /** Loses the datagrams that are held. */
  clear(): void {
    this.#held = [];
  }

  #happens(share = 0): boolean {
    return share > 0 && this.#random(parts) < share * parts;
  }

  #release(send: (bytes: Buffer) => void): void {
    const due: HeldDatagram[] = [];
    for (const held of this.#held) {
      held.left -= 1;
      if (held.left === 0) due.push(held);
    }
    if (due.length === 0) return;
    this.#held = this.#held.filter(({ left }) => left > 0);
    for (const { bytes } of due) send(bytes);
  }
}
