import type { FdBudget } from "#src/forwarding/fd-budget.ts";
import { ipOfSocketAddress } from "#src/forwarding/proxy-header.ts";
import type { EdgeLimits } from "./limits.ts";

export type ShedReason = "shed_ip" | "shed_pending" | "shed_files";

/** A connection without a verdict, which may have to make room. */
export interface Sheddable {
  shed(reason: ShedReason): void;
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
  readonly #open = new Map<string, number>();
  readonly #pendingOf = new Map<string, number>();

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
    const { openPerIpMax, pendingPerIpMax, pendingMax } = this.#limits;
    if ((this.#pendingOf.get(key) ?? 0) >= pendingPerIpMax) return "shed_ip";
    if ((this.#open.get(key) ?? 0) >= openPerIpMax) return "shed_ip";
    if (this.#pending.size >= pendingMax) this.#shedOldest("shed_pending");
    if (this.#fds.isTight && !this.#shedOldest("shed_files")) return "shed_files";
    return undefined;
  }

  enter(session: Sheddable, key: string): void {
    this.#fds.take();
    this.#pending.add(session);
    add(this.#open, key, 1);
    add(this.#pendingOf, key, 1);
  }

  /** Login verdict passed: now the last to make room instead of the first. */
  passed(session: Sheddable): void {
    if (this.#pending.delete(session)) this.#pending.add(session);
  }

  /** Is a player now. */
  settle(session: Sheddable, key: string): void {
    if (this.#pending.delete(session)) add(this.#pendingOf, key, -1);
  }

  leave(session: Sheddable, key: string): void {
    this.settle(session, key);
    this.#fds.release();
    add(this.#open, key, -1);
  }

  #shedOldest(reason: ShedReason): boolean {
    for (const oldest of this.#pending) {
      oldest.shed(reason);
      return true;
    }
    return false;
  }
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

/** What connections of one customer line have in common: the IPv4 address, or the IPv6 /64. */
export function sourceKey(remoteAddress: string): string {
  if (!remoteAddress.includes(":")) return remoteAddress;
  const ip = ipOfSocketAddress(remoteAddress);
  return ip.length === 4 ? ip.join(".") : Buffer.from(ip.subarray(0, 8)).toString("hex");
}
