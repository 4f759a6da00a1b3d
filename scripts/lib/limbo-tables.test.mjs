import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { releases } from "@palisade/minecraft-protocol/java/releases";
import { neededTagsOf, registriesOf } from "@palisade/minecraft-protocol/java/limbo/registries";
import { blockStatesOf, limboSetsOf } from "./limbo-tables.mjs";
import { describedBy, describedReleases } from "./packet-ids.mjs";

const requirePeer = createRequire(new URL("../../tests/peers/package.json", import.meta.url));
const minecraftData = requirePeer("minecraft-data");

/** The library answers with a release nearby if it does not have the one that is asked for. */
function dataOf(release) {
  const data = minecraftData(release);
  return data?.version.version === new Map(releases).get(release) ? data : undefined;
}
const described = describedReleases(releases, dataOf);
const loginPacketOf = (release) => describedBy(releases, release, dataOf)?.loginPacket;

test("the committed tables are those of minecraft-data, as the tests have it", () => {
  const { sets, registries, tags } = limboSetsOf(described, loginPacketOf);
  for (const [release, protocol] of releases) {
    const rows = (of) => of.findLast(([since]) => position(since) <= position(release))?.[1];
    const [ownRegistries, ownTags] = [rows(registries), rows(tags)].map((row) => sets[row] ?? []);
    expect(registriesOf(protocol), release).toEqual(ownRegistries);
    expect(neededTagsOf(protocol), release).toEqual(ownTags[0]);
  }
});

const position = (release) => releases.findIndex(([name]) => name === release);

test("an entry that a client needs and that is missing is named", () => {
  const without = (release) => {
    const packet = structuredClone(loginPacketOf(release));
    const registry = packet?.dimensionCodec["minecraft:wolf_variant"];
    if (registry !== undefined) registry.entries = [];
    return packet;
  };
  expect(() => limboSetsOf(described, without)).toThrow("1.20.5 has no pale of wolf_variant");
});

test("a block's state is its number with its data until 1.12.2, and its default later", () => {
  const blocks = {
    "1.12.2": [
      { name: "stone", id: 1 },
      { name: "glass", id: 20 },
    ],
    1.13: [
      { name: "stone", id: 1, defaultState: 1 },
      { name: "glass", id: 66, defaultState: 230 },
    ],
  };
  expect(blockStatesOf(["1.12.2", "1.13", "1.13.1"], (release) => blocks[release])).toEqual({
    stone: [
      ["1.12.2", 16],
      ["1.13", 1],
    ],
    glass: [
      ["1.12.2", 320],
      ["1.13", 230],
    ],
  });
});
