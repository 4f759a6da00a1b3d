import { versionTable } from "../version-table.ts";

/**
 * Numbers of a filled map, for a client's protocol number.
 *
 * Written by `npm run versions:update` from the npm package minecraft-data (MIT); do not edit.
 */
export const mapItems = {
  item: versionTable([
    ["1.7.2", 358],
    ["1.13", 608],
    ["1.13.1", 613],
    ["1.14", 671],
    ["1.16", 733],
    ["1.17", 847],
    ["1.19", 886],
    ["1.19.3", 914],
    ["1.19.4", 937],
    ["1.20", 941],
    ["1.20.3", 979],
    ["1.20.5", 982],
    ["1.21.3", 1022],
    ["1.21.4", 1031],
    ["1.21.5", 1042],
    ["1.21.6", 1059],
    ["1.21.9", 1104],
    ["26.1", 1105],
    ["26.2", 1133],
    ["26.3", 1238],
  ]),
  /** The component of an item that names its map, from 1.20.5 on. */
  idComponent: versionTable([
    ["1.20.5", 26],
    ["1.21.3", 36],
    ["1.21.5", 37],
    ["1.21.11", 44],
    ["26.1", 46],
    ["26.3", 48],
  ]),
};
