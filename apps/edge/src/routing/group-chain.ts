import type { BackendGroupConfig } from "@palisade/contract/edge/shield-config";

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
