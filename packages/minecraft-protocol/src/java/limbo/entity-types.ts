import { versionTable } from "../version-table.ts";

/**
 * Numbers of entity types for a client's protocol number, from 1.14 on.
 *
 * Written by `npm run versions:update` from the npm package minecraft-data (MIT); do not edit.
 */
export const entityTypes = {
  boat: versionTable([
    ["1.14", 5],
    ["1.15", 6],
    ["1.17", 7],
    ["1.19", 8],
    ["1.19.4", 9],
    ["1.20.5", 10],
    ["1.21.3", 85],
    ["1.21.4", 84],
    ["1.21.6", 85],
    ["1.21.9", 87],
    ["1.21.11", 89],
  ]),
};
