/**
 * Numbers of the entity types that the edge shows to players in a check, from minecraft-data
 * (`entities.json`). Before 1.14 the packet that spawns an entity had numbers of its own, which
 * minecraft-data does not tell.
 */

/** Our name, then the names that the game has or had for it. */
const wanted = { boat: ["boat", "oak_boat"] };
const firstRelease = "1.14";

/**
 * @param {readonly (readonly [string, number])[]} releases name and number, oldest first
 * @param {(release: string) => readonly {name: string, id: number}[] | undefined} entitiesOf
 *   minecraft-data's list of a release's entities
 */
export function entityTypesModule(releases, entitiesOf) {
  const since = releases.slice(releases.findIndex(([release]) => release === firstRelease));
  const rows = (names) => {
    const changes = [];
    for (const [release] of since) {
      const type = entitiesOf(release)?.find(({ name }) => names.includes(name));
      if (type !== undefined && type.id !== changes.at(-1)?.[1]) changes.push([release, type.id]);
    }
    return changes.map(([release, id]) => `["${release}", ${id}]`).join(", ");
  };
  const table = ([name, names]) => `${name}: versionTable([${rows(names)}]),`;
  return `import { versionTable } from "../version-table.ts";

/**
 * Numbers of entity types for a client's protocol number, from 1.14 on.
 *
 * Written by \`npm run versions:update\` from the npm package minecraft-data (MIT); do not edit.
 */
export const entityTypes = {
${Object.entries(wanted).map(table).join("\n")}
};
`;
}
