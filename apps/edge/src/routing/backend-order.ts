import type { BackendGroupConfig } from "@palisade/contract/edge/shield-config";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import { justFailedMs } from "./backend-state.ts";

export interface LocatedGroup {
  readonly id: string;
  readonly isDefault: boolean;
  readonly game: BackendGroupConfig["game"];
  /** The location whose edges use the group; null for all. */
  readonly location: string | null;
}

/**
 * The groups to try for a Minecraft player on an edge of the given location, best first: the group
 * that the player's domain names if it serves this edge, else the first that names the location,
 * else the default one; and the default one behind it.
 *
 * @param location undefined if the edge does not know its own
 * @param wanted id of the domain's group; null if it names none
 * @returns empty if no group is for Minecraft
 */
export function groupChain<G extends LocatedGroup>(
  groups: readonly G[],
  location: string | undefined,
  wanted: string | null,
): readonly G[] {
  const candidates = groups.filter(({ game }) => game === "minecraft");
  const last = candidates.find(({ isDefault }) => isDefault) ?? candidates[0];
  if (last === undefined) return [];
  const local = candidates.find((group) => group.location === location);
  const named = candidates.find(({ id }) => id === wanted);
  const first = named !== undefined && servesEdge(named, location) ? named : (local ?? last);
  return first === last ? [last] : [first, last];
}

/** Whether the group's own setting allows edges of the location. */
export function servesEdge(group: LocatedGroup, location: string | undefined): boolean {
  return group.location === null || group.location === location;
}

export interface BalancingInput {
  readonly ip: IpBytes;
  /** Counts up with every join of the group. */
  readonly turn: number;
  /** In [0, 1). */
  readonly random: number;
}

/** Input for the choice of a backend. */
export interface Choice {
  readonly id: string;
  readonly load: {
    /** Players there, and those on their way. */
    readonly players: number;
    readonly dialling: number;
  };
}

/**
 * A group's backends in the order they are tried for one player: the method's choice first, then
 * the others, so that a dead one costs one attempt.
 */
export function backendOrder<B extends Choice>(
  method: BackendGroupConfig["balancing"],
  backends: readonly B[],
  facts: BalancingInput,
): readonly B[] {
  const count = backends.length;
  if (count < 2) return backends;
  if (method === "least_connections") {
    return backends.toSorted((a, b) => loadOf(a) - loadOf(b));
  }
  if (method === "ip_hash") return byRendezvous(backends, facts.ip);
  const turn = method === "round_robin" ? facts.turn : Math.floor(facts.random * count);
  const first = turn % count;
  return [...backends.slice(first), ...backends.slice(0, first)];
}

function loadOf({ load }: Choice): number {
  return load.players + load.dialling;
}

/**
 * Rendezvous hashing: every backend draws a number for the address and the highest wins. What
 * the others do (fail, come back, are added) moves only the players who were or will be theirs.
 */
function byRendezvous<B extends Choice>(backends: readonly B[], ip: IpBytes): readonly B[] {
  // Privacy extensions change the rest of an IPv6 address daily.
  const line = ip.length === 4 ? ip : ip.subarray(0, 8);
  return backends
    .map((backend) => ({ backend, score: scoreOf(backend.id, line) }))
    .sort((a, b) => b.score - a.score || (a.backend.id < b.backend.id ? -1 : 1))
    .map(({ backend }) => backend);
}

/** FNV-1a of both, 32 bits, with the last mix of MurmurHash3: FNV alone spreads short keys badly. */
function scoreOf(id: string, ip: IpBytes): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  for (const byte of ip) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export interface WithHealth extends Pick<Choice, "load"> {
  readonly health: { readonly isDown: boolean; readonly unreachableAtMs: number };
}

/**
 * The one backend that is tried although all that were left are down: the one that could not be
 * reached the longest ago. Health is an opinion, and only trying shows that it is out of date.
 *
 * @returns undefined if that one, too, has only just failed, or another player is already trying
 */
export function lastChance<B extends WithHealth>(
  groups: readonly { readonly backends: readonly B[] }[],
  nowMs: number,
): B | undefined {
  let best: B | undefined;
  for (const { backends } of groups) {
    for (const backend of backends) {
      const { isDown, unreachableAtMs } = backend.health;
      if (!isDown || backend.load.dialling > 0 || nowMs - unreachableAtMs < justFailedMs) continue;
      if (best === undefined || unreachableAtMs < best.health.unreachableAtMs) best = backend;
    }
  }
  return best;
}
