import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { FdBudget } from "#src/forwarding/fd-budget.ts";
import { ipOfSocketAddress } from "#src/forwarding/peer.ts";
import type { EdgeLimits } from "./limits.ts";

export type ShedReason = "shed_ip" | "shed_pending" | "shed_files" | "shed_shield" | "shed_ban";

/** A connection without a verdict, which may have to make room. */
export interface Sheddable {
  shed(reason: ShedReason): void;
  /** The edge is stopping. */
  stop(): void;
}

/** Where connections come from; there as long as one of them is open. */
export interface Source {
  readonly key: string;
  /** Connections, players too. */
  open: number;
  /** Connections without a verdict. */
  pending: number;
}

/**
 * Who may stay while there is not room for everybody. Players who were let in
 * are never touched; of the others the oldest go first, since a real client is
 * through within a round trip.
 */
export class Admission {
  readonly #limits: EdgeLimits;
  readonly #fds: FdBudget;
  /** Oldest first. */
  readonly #pending = new Set<Sheddable>();
  readonly #sources = new Map<string, Source>();

  constructor(limits: EdgeLimits, fds: FdBudget) {
    this.#limits = limits;
    this.#fds = fds;
  }

  get pending(): number {
    return this.#pending.size;
  }

  /**
   * Whether a new connection may come in; makes room for it where that is needed.
   *
   * @param key of `sourceKey`
   */
  admits(key: string): ShedReason | undefined {
    const { openPerIpMax, pendingPerIpMax } = this.#limits;
    const source = this.#sources.get(key);
    if (source !== undefined) {
      if (source.pending >= pendingPerIpMax || source.open >= openPerIpMax) return "shed_ip";
    }
    return this.admitsUnnamed();
  }

  /** As `admits`, for a connection whose source is still to be told by a trusted proxy. */
  admitsUnnamed(): ShedReason | undefined {
    if (this.#pending.size >= this.#limits.pendingMax) this.#shedOldest("shed_pending");
    if (this.#fds.isTight && !this.#shedOldest("shed_files")) return "shed_files";
    return undefined;
  }

  /** @returns what its other calls take */
  enter(session: Sheddable, key: string): Source {
    this.#fds.take();
    this.#pending.add(session);
    const source = this.#source(key);
    source.open++;
    source.pending++;
    return source;
  }

  /** Login verdict passed: now the last to make room instead of the first. */
  passed(session: Sheddable): void {
    if (this.#pending.delete(session)) this.#pending.add(session);
  }

  /** Is a player now. */
  settle(session: Sheddable, source: Source): void {
    if (this.#pending.delete(session)) source.pending--;
  }

  leave(session: Sheddable, source: Source): void {
    this.settle(session, source);
    this.#fds.release();
    this.disown(source);
  }

  /** A player whom a relay process has kept while this one was not there: no descriptor of ours. */
  adopt(key: string): Source {
    const source = this.#source(key);
    source.open++;
    return source;
  }

  /** One adopted has left. */
  disown(source: Source): void {
    if (--source.open === 0) this.#sources.delete(source.key);
  }

  /** Ends every connection without a verdict. */
  stop(): void {
    for (const session of this.#pending) session.stop();
  }

  #source(key: string): Source {
    let source = this.#sources.get(key);
    if (source === undefined) {
      source = { key, open: 0, pending: 0 };
      this.#sources.set(key, source);
    }
    return source;
  }

  #shedOldest(reason: ShedReason): boolean {
    for (const oldest of this.#pending) {
      oldest.shed(reason);
      return true;
    }
    return false;
  }
}

/** What connections of one customer line have in common: the IPv4 address, or the IPv6 /64. */
export function sourceKey(remoteAddress: string): string {
  if (!remoteAddress.includes(":")) return remoteAddress;
  return sourceKeyOf(ipOfSocketAddress(remoteAddress));
}

export function sourceKeyOf(ip: IpBytes): string {
  return ip.length === 4 ? ip.join(".") : Buffer.from(ip.subarray(0, 8)).toString("hex");
}
