import type { Connection } from "@palisade/sockets/tcp-connection";
import {
  type BandwidthShare,
  BandwidthShares,
  type ShareWaiter,
} from "#src/relay/bandwidth-share.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";

/**
 * The bandwidth of logins that a worker forwards itself while it measures their packets: each thread
 * has an equal part of what the shield has on this edge.
 */
export class LoginBandwidth {
  readonly #shares: BandwidthShares;
  readonly #bytesPerSecond: number;
  readonly #threads: number;

  /** @param bytesPerSecond of a shield whose plan says nothing; @param threads that take players */
  constructor(nowMs: () => number, bytesPerSecond: number, threads: number) {
    this.#shares = new BandwidthShares(nowMs);
    this.#bytesPerSecond = bytesPerSecond;
    this.#threads = threads;
  }

  /** The share of a login's shield, until it calls `leave`. */
  enter({ id, shares }: Pick<CompiledShield, "id" | "shares">): BandwidthShare {
    this.#shares.limit(id, (shares.bytesPerSecond ?? this.#bytesPerSecond) / this.#threads);
    const share = this.#shares.enter(id);
    // The next login brings the rate again, which may be another by then.
    this.#shares.limit(id, null);
    return share;
  }

  leave(shieldId: string): void {
    this.#shares.leave(shieldId);
  }
}

/** One direction of such a login: read as fast as the other side takes it and the share allows. */
export class SharedReads implements ShareWaiter {
  readonly isBulk = true;
  readonly #from: Connection;
  readonly #to: Connection;
  readonly #share: BandwidthShare;

  constructor(from: Connection, to: Connection, share: BandwidthShare) {
    this.#from = from;
    this.#to = to;
    this.#share = share;
  }

  /** Bytes of `from` were read, and go to `to`. */
  took(bytes: Uint8Array): void {
    const isTaken = this.#to.write(bytes);
    this.#share.tokens -= bytes.length;
    const isAllowed = this.#share.allowed(this.isBulk, bytes.length) > 0;
    if (isTaken && isAllowed) return;
    this.#from.pause();
    if (!isAllowed) this.#share.wait(this);
  }

  /** The other side has taken all, or the share has room again. */
  resume(): void {
    if (this.#to.unsentBytes === 0 && !this.#share.isWaiting(this)) this.#from.resume();
  }

  stop(): void {
    this.#share.forget(this);
    this.#from.pause();
  }
}
