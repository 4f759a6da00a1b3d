import { atLeast, isKnown, isRelease, type ReleaseName } from "./versions.ts";

/**
 * A value that depends on the version: rows name the first release that has it, oldest first, and apply
 * until the next row. A row of undefined ends the value.
 *
 * @example
 * const keepAliveId = since([["1.20.2", 0x03], ["1.20.5", 0x04]]);
 * keepAliveId(764); // 3
 * keepAliveId(763); // undefined: no such packet yet
 *
 * @returns the value for a client's protocol number; numbers after the table have the value of its
 *   newest version, earlier unknown ones have none
 */
export function versionTable<Value>(
  rows: readonly (readonly [ReleaseName, Value])[],
): (protocol: number) => Value | undefined {
  // Only numbers of releases are kept, because a client can send any number.
  const values = new Map<number, Value | undefined>();
  return (protocol) => {
    if (values.has(protocol)) return values.get(protocol);
    const value = rows.findLast(([release]) => atLeast(protocol, release))?.[1];
    if (isKnown(protocol)) values.set(protocol, value);
    return value;
  };
}

/**
 * The same for ids of packets, as generated tables have them: releases and hexadecimal ids, where `none`
 * ends the packet.
 *
 * @example idTable("1.20.2 03, 1.20.5 04")
 */
export function idTable(text: string): (protocol: number) => number | undefined {
  return versionTable(
    text.split(", ").map((row) => {
      const [release = "", id = ""] = row.split(" ");
      if (!isRelease(release)) throw new Error(`${release} is no release`);
      return [release, id === "none" ? undefined : Number.parseInt(id, 16)];
    }),
  );
}
