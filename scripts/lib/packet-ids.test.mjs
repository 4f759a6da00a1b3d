import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { packetIds } from "@palisade/minecraft-protocol/java/packet-ids";
import { releases } from "@palisade/minecraft-protocol/java/releases";
import { packetIdsOf } from "./packet-ids.mjs";

const requirePeer = createRequire(new URL("../../tests/peers/package.json", import.meta.url));
const minecraftData = requirePeer("minecraft-data");

/**
 * All releases of 1.7 share one entry. The library answers with a release nearby if it does not have the one
 * that is asked for.
 */
function protocolOf(release) {
  if (release.startsWith("1.7.")) return minecraftData("1.7").protocol;
  const data = minecraftData(release);
  return data?.version.version === new Map(releases).get(release) ? data.protocol : undefined;
}

test("the committed ids are those of minecraft-data, as the tests have it", () => {
  const position = (release) => releases.findIndex(([name]) => name === release);
  for (const [state, directions] of Object.entries(packetIdsOf(releases, protocolOf))) {
    for (const [direction, packets] of Object.entries(directions)) {
      expect(Object.keys(packetIds[state][direction])).toEqual(Object.keys(packets));
      for (const [name, rows] of Object.entries(packets)) {
        for (const [release, protocol] of releases) {
          const row = rows.findLast(([since]) => position(since) <= position(release));
          const id = packetIds[state][direction][name](protocol);
          expect(id, `${state} ${direction} ${name} of ${release}`).toBe(row?.[1]);
        }
      }
    }
  }
});
