import type { BackendGroupConfig } from "@palisade/contract/edge/shield-config";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";

export interface BalancingFacts {
  readonly ip: IpBytes;
  /** Counts up with every join of the group. */
  readonly turn: number;
  /** In [0, 1). */
  readonly random: number;
  /** Players of each backend, in the group's order. */
  readonly players: readonly number[];
}

/**
 * Indexes of a group's backends in the order they are tried for one player: the
 * method's choice first, then the others, so that a dead one costs one attempt.
 */
export function backendOrder(
  method: BackendGroupConfig["balancing"],
  count: number,
  facts: BalancingFacts,
): number[] {
  const indexes = Array.from({ length: count }, (_, index) => index);
  if (count < 2) return indexes;
  if (method === "least_connections") {
    const load = (index: number): number => facts.players[index] ?? 0;
    return indexes.sort((a, b) => load(a) - load(b) || a - b);
  }
  const first = firstOf(method, count, facts);
  return [...indexes.slice(first), ...indexes.slice(0, first)];
}

function firstOf(
  method: "round_robin" | "ip_hash" | "random",
  count: number,
  facts: BalancingFacts,
): number {
  if (method === "round_robin") return facts.turn % count;
  if (method === "ip_hash") return hashIp(facts.ip) % count;
  return Math.min(count - 1, Math.floor(facts.random * count));
}

/** FNV-1a, 32 bits. */
function hashIp(ip: IpBytes): number {
  let hash = 0x811c9dc5;
  for (const byte of ip) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
