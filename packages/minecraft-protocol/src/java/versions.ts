/**
 * Release versions with their protocol numbers, oldest first. The numbers are
 * not ordered (1.6.4 is 78, 1.8 is 47), so versions are compared by position in
 * this list. Versions with one number stand under the first of them.
 *
 * Source: minecraft.wiki, "Protocol version".
 */
const releases = [
  ["1.5", 60],
  ["1.5.2", 61],
  ["1.6.1", 73],
  ["1.6.2", 74],
  ["1.6.4", 78],
  ["1.7.2", 4],
  ["1.7.6", 5],
  ["1.8", 47],
  ["1.9", 107],
  ["1.9.1", 108],
  ["1.9.2", 109],
  ["1.9.3", 110],
  ["1.10", 210],
  ["1.11", 315],
  ["1.11.1", 316],
  ["1.12", 335],
  ["1.12.1", 338],
  ["1.12.2", 340],
  ["1.13", 393],
  ["1.13.1", 401],
  ["1.13.2", 404],
  ["1.14", 477],
  ["1.14.1", 480],
  ["1.14.2", 485],
  ["1.14.3", 490],
  ["1.14.4", 498],
  ["1.15", 573],
  ["1.15.1", 575],
  ["1.15.2", 578],
  ["1.16", 735],
  ["1.16.1", 736],
  ["1.16.2", 751],
  ["1.16.3", 753],
  ["1.16.4", 754],
  ["1.17", 755],
  ["1.17.1", 756],
  ["1.18", 757],
  ["1.18.2", 758],
  ["1.19", 759],
  ["1.19.1", 760],
  ["1.19.3", 761],
  ["1.19.4", 762],
  ["1.20", 763],
  ["1.20.2", 764],
  ["1.20.3", 765],
  ["1.20.5", 766],
  ["1.21", 767],
  ["1.21.2", 768],
  ["1.21.4", 769],
  ["1.21.5", 770],
  ["1.21.6", 771],
  ["1.21.7", 772],
  ["1.21.9", 773],
  ["1.21.11", 774],
  ["26.1", 775],
  ["26.2", 776],
  ["26.3", 777],
] as const;

export type ReleaseName = (typeof releases)[number][0];

/** From here on snapshots are numbered by themselves. */
const snapshotBase = 0x40000000;

const positionByProtocol = new Map<number, number>(
  releases.map(([, protocol], position) => [protocol, position]),
);
const positionByName = new Map<ReleaseName, number>(
  releases.map(([name], position) => [name, position]),
);
const newestProtocol = Math.max(...positionByProtocol.keys());

/** Protocol number asked for where a client's own is not in the table. */
export const currentProtocol: number = newestProtocol;

/** Whether the number is a release's in this table. */
export function isKnown(protocol: number): boolean {
  return positionByProtocol.has(protocol);
}

/**
 * Whether a client of this protocol is `release` or later. Numbers above the
 * table are later than all of it, snapshots too (they were numbered so after
 * 1.16.3 and are taken for current ones); other unknown numbers are earlier
 * than all of it.
 */
export function atLeast(protocol: number, release: ReleaseName): boolean {
  const wanted = positionByName.get(release) ?? 0;
  const position = positionByProtocol.get(protocol);
  if (position !== undefined) return position >= wanted;
  return protocol >= snapshotBase || protocol > newestProtocol;
}
