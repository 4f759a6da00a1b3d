/**
 * First release of the version table: the oldest that a shield can admit. Older ones are below every
 * range.
 */
const oldest = "1.5.2";

/**
 * Releases of minecraft-data's `protocolVersions.json`, oldest first, as [name, protocol number].
 *
 * @param {readonly { minecraftVersion: string; version: number; releaseType?: string }[]} entries
 * @param {readonly (readonly [string, number])[]} before the current table; shields refer to its versions
 * @throws when one of them would be lost or get another number
 */
export function releasesOf(entries, before) {
  const releases = entries
    .filter(({ minecraftVersion, releaseType = "release" }) => {
      return releaseType === "release" && /^\d+(\.\d+)+$/.test(minecraftVersion);
    })
    .filter(({ minecraftVersion }) => compare(minecraftVersion, oldest) >= 0)
    .map(({ minecraftVersion, version }) => [minecraftVersion, version])
    .sort(([a], [b]) => compare(a, b));
  const numbers = new Map(releases);
  for (const [name, protocol] of before) {
    if (numbers.get(name) === protocol) continue;
    throw new Error(`${name} was ${protocol} and would be ${numbers.get(name) ?? "gone"}`);
  }
  return releases;
}

/** @param {readonly (readonly [string, number])[]} releases */
export function releasesModule(releases) {
  const lines = releases.map(([name, protocol]) => `  ["${name}", ${protocol}],`);
  return `/**
 * Every release from ${oldest} on with its protocol number, oldest first. The numbers are not ordered.
 *
 * Written by \`npm run versions:update\` from the npm package minecraft-data; do not edit.
 */
export const releases = [
${lines.join("\n")}
] as const;
`;
}

/** By their numbers, part by part. */
function compare(a, b) {
  const [left, right] = [a, b].map((name) => name.split(".").map(Number));
  for (let part = 0; part < Math.max(left.length, right.length); part++) {
    const difference = (left[part] ?? 0) - (right[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
