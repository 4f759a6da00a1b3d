/** One shield's claim to a host name. */
export interface HostClaim {
  /** Normalised: lower case, no trailing dot, punycode. */
  readonly host: string;
  readonly proven: boolean;
  /** Milliseconds; an unreadable time counts as the latest. */
  readonly claimedAtMs: number;
}

interface Claimant extends HostClaim {
  readonly shieldId: string;
}

/** A shield's own label beats every claim of others: labels are issued once and never again. */
export function labelClaim(label: string): HostClaim {
  return { host: label, proven: true, claimedAtMs: Number.NEGATIVE_INFINITY };
}

/**
 * Which shield a host belongs to. Of several claims a proven one beats an
 * unproven one, then the older, then (so that every edge decides alike) the
 * smaller id.
 */
export class HostIndex {
  /** Per host its claimants, best first. */
  readonly #claimants = new Map<string, Claimant[]>();
  readonly #hosts = new Map<string, readonly string[]>();

  find(host: string): string | undefined {
    return this.#claimants.get(host)?.[0]?.shieldId;
  }

  /** Replaces everything the shield claimed before. */
  set(shieldId: string, claims: readonly HostClaim[]): void {
    this.remove(shieldId);
    for (const claim of claims) {
      const others = this.#claimants.get(claim.host) ?? [];
      const all = [...others, { ...claim, shieldId }].sort(compareClaims);
      this.#claimants.set(claim.host, all);
    }
    this.#hosts.set(
      shieldId,
      claims.map(({ host }) => host),
    );
  }

  remove(shieldId: string): void {
    for (const host of this.#hosts.get(shieldId) ?? []) {
      const rest = (this.#claimants.get(host) ?? []).filter((other) => other.shieldId !== shieldId);
      if (rest.length === 0) this.#claimants.delete(host);
      else this.#claimants.set(host, rest);
    }
    this.#hosts.delete(shieldId);
  }
}

function compareClaims(a: Claimant, b: Claimant): number {
  if (a.proven !== b.proven) return a.proven ? -1 : 1;
  if (a.claimedAtMs !== b.claimedAtMs) return a.claimedAtMs < b.claimedAtMs ? -1 : 1;
  return a.shieldId < b.shieldId ? -1 : 1;
}
