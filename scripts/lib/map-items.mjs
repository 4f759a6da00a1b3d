/**
 * Numbers of the filled map, and of the part of an item that says which map it is (1.20.5 and later),
 * from minecraft-data (`items.json`, and `SlotComponentType` in `protocol.json`).
 */

/**
 * minecraft-data has the items of 1.13 for 1.13.1 too, but 1.13.1 added five dead corals before the
 * map: minecraft.wiki, "Java Edition 1.13.1".
 */
const corrections = { "1.13.1": 613 };

/**
 * Numbers of releases that the package on npm does not have yet, from the repository of minecraft-data
 * (`data/pc/26.2` and `data/pc/26.3`).
 */
const additions = {
  item: { 26.2: 1133, 26.3: 1238 },
  component: { 26.3: 48 },
};

/**
 * @param {readonly (readonly [string, number])[]} releases name and number, oldest first
 * @param {(release: string) => readonly {name: string, id: number}[] | undefined} itemsOf
 *   minecraft-data's list of a release's items
 * @param {(release: string) => object | undefined} protocolOf its description of the packets
 */
export function mapItemsModule(releases, itemsOf, protocolOf) {
  const item = (release) =>
    corrections[release] ??
    itemsOf(release)?.find(({ name }) => name === "filled_map")?.id ??
    additions.item[release];
  const component = (release) => {
    const types = protocolOf(release)?.types?.SlotComponentType?.[1].mappings ?? {};
    const entry = Object.entries(types).find(([, name]) => name === "map_id");
    return entry === undefined ? additions.component[release] : Number(entry[0]);
  };
  const since = releases.slice(releases.findIndex(([release]) => item(release) !== undefined));
  const rows = (numberOf) => {
    const changes = [];
    for (const [release] of since) {
      const number = numberOf(release);
      if (number !== undefined && number !== changes.at(-1)?.[1]) changes.push([release, number]);
    }
    return changes.map(([release, number]) => `["${release}", ${number}]`).join(", ");
  };
  return `import { versionTable } from "../version-table.ts";

/**
 * Numbers of a filled map, for a client's protocol number.
 *
 * Written by \`npm run versions:update\` from the npm package minecraft-data (MIT); do not edit.
 */
export const mapItems = {
  item: versionTable([${rows(item)}]),
  /** The component of an item that names its map, from 1.20.5 on. */
  idComponent: versionTable([${rows(component)}]),
};
`;
}
