import { groupChain, servesEdge } from "#src/routing/backend-order.ts";
import type { RoutedClaim } from "#src/routing/host-index.ts";
import { LastAnswer } from "#src/shields/last-answer.ts";
import type { Backend, BackendGroup, CompiledShield } from "./compiled-shield.ts";

/** A TCP port of its own, of a group that is not parsed. */
export interface PortClaim {
  readonly port: number;
  readonly target: CompiledShield;
}

/** The names, ports and groups of one shield on an edge of a location. */
export interface ShieldViews {
  readonly claims: readonly RoutedClaim<CompiledShield>[];
  readonly ports: readonly PortClaim[];
  /** Every group that some connection of this edge may be sent to. */
  readonly groups: readonly BackendGroup[];
}

export function viewsOf(shield: CompiledShield, location: string | undefined): ShieldViews {
  const targets = new Map<string | null, CompiledShield>();
  const targetOf = (groupId: string | null): CompiledShield => {
    const known = targets.get(groupId);
    if (known !== undefined) return known;
    const target = viewBy(shield, groupChain(shield.groups, location, groupId));
    targets.set(groupId, target);
    return target;
  };
  const claims = shield.claims.map((claim) => ({ ...claim, target: targetOf(claim.groupId) }));
  const ports = shield.groups.flatMap((group) =>
    group.game === "other" && group.port !== null && servesEdge(group, location)
      ? [{ port: group.port, target: viewBy(shield, [group]) }]
      : [],
  );
  const chains = [...targets.values(), ...ports.map(({ target }) => target)];
  return { claims, ports, groups: [...new Set(chains.flatMap(({ chain }) => chain))] };
}

/** The shield itself where its connections have the same chain. */
export function viewBy(shield: CompiledShield, chain: readonly BackendGroup[]): CompiledShield {
  const [group] = chain;
  const isSame =
    chain.length === shield.chain.length && chain.every((link, n) => link === shield.chain[n]);
  return isSame || group === undefined
    ? shield
    : { ...shield, chain, group, lastAnswer: new LastAnswer() };
}

export function backendsOf(groups: readonly BackendGroup[]): readonly Backend[] {
  return groups.flatMap(({ backends }) => backends);
}
