import { atLeast, type ReleaseName } from "./versions.ts";

/**
 * What a version has, by the release that brought it: rows oldest first, each holding until the next
 * one. A row of undefined takes away what was before it.
 *
 * @example
 * const keepAliveId = since([["1.20.2", 0x03], ["1.20.5", 0x04]]);
 * keepAliveId(764); // 3
 * keepAliveId(763); // undefined: there was none
 *
 * @returns the value for a client's protocol number; numbers after the table have what its newest
 *   version has, earlier unknown ones nothing
 */
export function versionTable<Value>(
  rows: readonly (readonly [ReleaseName, Value])[],
): (protocol: number) => Value | undefined {
  return (protocol) => rows.findLast(([release]) => atLeast(protocol, release))?.[1];
}
