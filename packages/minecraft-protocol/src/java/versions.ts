import { releases } from "./releases.ts";

/**
 * Versions in order. Protocol numbers are not ordered (1.6.4 is 78, 1.8 is 47), so versions are compared
 * by their position in the table. Versions with the same number cannot be told apart and count as one.
 */
export type ReleaseName = (typeof releases)[number][0];

/** Snapshots have numbers from here on. */
const snapshotBase = 0x40000000;

/** Position of the first version of each number. */
const positionByProtocol = new Map<number, number>();
const positionByName = new Map<string, number>();
for (const [index, [name, protocol]] of releases.entries()) {
  const position = positionByProtocol.get(protocol) ?? index;
  positionByProtocol.set(protocol, position);
  positionByName.set(name, position);
}

const highestProtocol = Math.max(...positionByProtocol.keys());
const newest = releases[releases.length - 1] ?? releases[0];

/** Name of the newest release in the table. */
export const newestRelease: ReleaseName = newest[0];

/** Protocol number used for clients whose own is not in the table. */
export const currentProtocol: number = newest[1];

/** Every version of the table with its protocol number, oldest first. */
export const knownReleases: readonly { readonly version: string; readonly protocol: number }[] =
  releases.map(([version, protocol]) => ({ version, protocol }));

export function isRelease(name: string): name is ReleaseName {
  return positionByName.has(name);
}

/** Whether the number is a release's in this table. */
export function isKnown(protocol: number): boolean {
  return positionByProtocol.has(protocol);
}

/**
 * Numbers above the table are later than all of it, and so are snapshots (numbered this way after 1.16.3
 * and treated as current). Other unknown numbers are earlier than all of it.
 */
function positionOf(protocol: number): number {
  const position = positionByProtocol.get(protocol);
  if (position !== undefined) return position;
  return protocol >= snapshotBase || protocol > highestProtocol ? releases.length : -1;
}

/** Whether a client of this protocol is `release` or later. */
export function atLeast(protocol: number, release: ReleaseName): boolean {
  return positionOf(protocol) >= (positionByName.get(release) ?? 0);
}

/** Versions from one to another, both included. */
export interface VersionRange {
  has(protocol: number): boolean;
}

/**
 * @param min name of a version in the table
 * @param max the same; null for no upper end
 * @param unknown whether versions that the table lacks count by their nearest neighbour, or are outside
 * @returns undefined when a name is not in the table. A version that shares its number with one outside
 *   of the range is admitted, because the client does not say which of them it is.
 */
export function versionRange(
  min: string,
  max: string | null,
  unknown: "nearest" | "refuse" = "nearest",
): VersionRange | undefined {
  const lowest = positionByName.get(min);
  const highest = max === null ? Number.POSITIVE_INFINITY : positionByName.get(max);
  if (lowest === undefined || highest === undefined) return undefined;
  return {
    has: (protocol) => {
      if (unknown === "refuse" && !isKnown(protocol)) return false;
      const position = positionOf(protocol);
      return position >= lowest && position <= highest;
    },
  };
}
