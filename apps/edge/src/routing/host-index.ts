/** One shield's claim to a host name. */
export interface HostClaim {
  /** Normalised: lower case, no trailing dot, punycode. `*.` in front claims every name below. */
  readonly host: string;
  readonly proven: boolean;
  /** Milliseconds; an unreadable time counts as the latest. */
  readonly claimedAtMs: number;
}

/** A claim and the target of its players. */
export interface RoutedClaim<T> extends HostClaim {
  readonly target: T;
}

interface Claimant<T> extends RoutedClaim<T> {
  readonly shieldId: string;
}

const wildcard = "*.";

/** A shield's own label beats every claim of others: labels are issued once and never again. */
export function labelClaim(label: string): HostClaim {
  return { host: label, proven: true, claimedAtMs: Number.NEGATIVE_INFINITY };
}

/**
 * Finds the target of a host's players. A name beats the wildcards above it, and a longer wildcard
 * a shorter one; only an unproven claim gives way to another shield's proven wildcard. If there are
 * several claims to the same name, a proven one beats an unproven one, then the older, then (so
 * that every edge decides alike) the smaller id.
 */
export class HostIndex<T> {
  /** By host, wildcards with their `*.`: its claims, best first. */
  readonly #claimants = new Map<string, Claimant<T>[]>();
  /** Targets of names with a proven claim, so almost always the whole answer. */
  readonly #proven = new Map<string, T>();
  readonly #hosts = new Map<string, readonly string[]>();
  /** How many wildcards there are, by the dots in them: a look-up tries no other lengths. */
  readonly #wildcardsByDots: number[] = [];

  find(host: string): T | undefined {
    const found = this.#proven.get(host);
    if (found !== undefined) return found;
    const exact = this.#claimants.get(host)?.[0];
    if (this.#wildcardsByDots.length === 0) return exact?.target;
    const unproven = exact === undefined ? [] : [exact];
    const proven = this.#findAbove(host, unproven);
    if (proven === undefined) return unproven[0]?.target;
    return (unproven.find(({ shieldId }) => shieldId === proven.shieldId) ?? proven).target;
  }

  /** Replaces everything the shield claimed before. */
  set(shieldId: string, claims: readonly RoutedClaim<T>[]): void {
    this.remove(shieldId);
    for (const claim of claims) {
      const others = this.#claimants.get(claim.host);
      const own = { ...claim, shieldId };
      if (others === undefined) this.#countWildcard(claim.host, 1);
      this.#put(claim.host, [...(others ?? []), own].sort(compareClaims));
    }
    this.#hosts.set(
      shieldId,
      claims.map(({ host }) => host),
    );
  }

  remove(shieldId: string): void {
    for (const host of this.#hosts.get(shieldId) ?? []) {
      const claimants = this.#claimants.get(host);
      if (claimants === undefined) continue;
      const rest = claimants.filter((other) => other.shieldId !== shieldId);
      if (rest.length === 0) this.#countWildcard(host, -1);
      this.#put(host, rest);
    }
    this.#hosts.delete(shieldId);
  }

  #put(host: string, claimants: Claimant<T>[]): void {
    const [best] = claimants;
    if (best === undefined) this.#claimants.delete(host);
    else this.#claimants.set(host, claimants);
    if (best?.proven === true) this.#proven.set(host, best.target);
    else this.#proven.delete(host);
  }

  /**
   * The longest proven wildcard above the host.
   *
   * @param unproven takes longer ones
   */
  #findAbove(host: string, unproven: Claimant<T>[]): Claimant<T> | undefined {
    const deepest = this.#wildcardsByDots.length - 1;
    let at = host.length;
    let dots = 0;
    while (dots < deepest) {
      const dot = at > 0 ? host.lastIndexOf(".", at - 1) : -1;
      // Before the first dot there must be a name for the star.
      if (dot <= 0) break;
      at = dot;
      dots++;
    }
    for (; dots > 0; dots--, at = host.indexOf(".", at + 1)) {
      if ((this.#wildcardsByDots[dots] ?? 0) === 0) continue;
      const found = this.#claimants.get(`*${host.slice(at)}`)?.[0];
      if (found?.proven === true) return found;
      if (found !== undefined) unproven.push(found);
    }
    return undefined;
  }

  #countWildcard(host: string, change: 1 | -1): void {
    if (!host.startsWith(wildcard)) return;
    const dots = host.split(".").length - 1;
    for (let n = this.#wildcardsByDots.length; n <= dots; n++) this.#wildcardsByDots[n] = 0;
    this.#wildcardsByDots[dots] = (this.#wildcardsByDots[dots] ?? 0) + change;
    while (this.#wildcardsByDots.at(-1) === 0) this.#wildcardsByDots.pop();
  }
}

function compareClaims(a: Claimant<unknown>, b: Claimant<unknown>): number {
  if (a.proven !== b.proven) return a.proven ? -1 : 1;
  if (a.claimedAtMs !== b.claimedAtMs) return a.claimedAtMs < b.claimedAtMs ? -1 : 1;
  return a.shieldId < b.shieldId ? -1 : 1;
}
