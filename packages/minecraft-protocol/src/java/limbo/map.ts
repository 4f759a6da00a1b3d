import {
  encodeBoolean,
  encodeByteArray,
  encodeFrame,
  encodeInt,
  encodeShort,
  encodeShortByteArray,
  encodeVarInt,
} from "../fields.ts";
import { packetIds } from "../packet-ids.ts";
import { versionTable } from "../version-table.ts";
import { atLeast } from "../versions.ts";
import { encodeHeldItem, hotbarSlots } from "./held-item.ts";
import { mapItems } from "./map-items.ts";

/**
 * A map in the hand of a player, with a picture of one's own on it, from 1.7.2 on. Source:
 * minecraft-data, `protocol.json`, play, toClient (map, set_slot, slot); minecraft.wiki, "Java Edition
 * protocol/Packets", Map Data and Set Container Slot, "Java Edition protocol/Slot Data", and their
 * history.
 */

/** Width and height of a map in pixels. */
export const mapSide = 128;

/** The first place of the hotbar in the player's inventory, which is window 0. */
const firstHotbarSlot = 36;
const inventory = Buffer.of(0);
/** The number of the last change that the client has told; it has told none. */
const noState = encodeVarInt(0);
const smallestScale = 0;
const no = encodeBoolean(false);
const noIcons = encodeVarInt(0);

/** The fields between a map's number and its picture. */
const mapHead = versionTable<Buffer>([
  ["1.8", Buffer.concat([Buffer.of(smallestScale), noIcons])],
  // Whether icons are shown.
  ["1.9", Buffer.concat([Buffer.of(smallestScale), no, noIcons])],
  // Whether the map is locked.
  ["1.14", Buffer.concat([Buffer.of(smallestScale), no, no, noIcons])],
  // Locked; and no list of icons, not even an empty one.
  ["1.17", Buffer.concat([Buffer.of(smallestScale), no, no])],
]);

/** Width, height and the corner where the picture begins: all of the map. */
const wholeMap = Buffer.of(mapSide, mapSide, 0, 0);

/**
 * @param mapId 0 to 32,767
 * @param colours `mapSide` rows of `mapSide` bytes (map-colours.ts)
 * @returns undefined for versions before 1.7.2
 */
export function encodeMapPicture(
  protocol: number,
  mapId: number,
  colours: Uint8Array,
): Buffer | undefined {
  const id = packetIds.play.toClient.map(protocol);
  if (id === undefined) return undefined;
  const head = mapHead(protocol);
  if (head === undefined) return mapColumns(id, mapId, colours);
  return encodeFrame(id, encodeVarInt(mapId), head, wholeMap, encodeByteArray(colours));
}

/** 1.7 has a packet for each column. */
function mapColumns(id: number, mapId: number, colours: Uint8Array): Buffer {
  const column = Buffer.alloc(3 + mapSide);
  const frames: Buffer[] = [];
  for (let x = 0; x < mapSide; x++) {
    // Kind 0 is a piece of a column; it begins at the top.
    column.set([0, x, 0]);
    for (let y = 0; y < mapSide; y++) column[3 + y] = colours[y * mapSide + x] ?? 0;
    frames.push(encodeFrame(id, encodeVarInt(mapId), encodeShortByteArray(column)));
  }
  return Buffer.concat(frames);
}

/**
 * Puts the map into every place of the hotbar and selects `slot`, so the player holds it whichever place
 * they change to. The order in which the picture and this come makes no difference.
 *
 * @param slot 0 to 8
 * @returns undefined for versions before 1.7.2
 */
export function encodeMapsInHotbar(
  protocol: number,
  mapId: number,
  slot: number,
): Buffer | undefined {
  const id = packetIds.play.toClient.setSlot(protocol);
  const item = mapItem(protocol, mapId);
  const heldItem = encodeHeldItem(protocol, slot);
  if (id === undefined || item === undefined || heldItem === undefined) return undefined;
  const window = atLeast(protocol, "1.17.1") ? Buffer.concat([inventory, noState]) : inventory;
  const places = Array.from({ length: hotbarSlots }, (_, place) =>
    encodeFrame(id, window, encodeShort(firstHotbarSlot + place), item),
  );
  return Buffer.concat([...places, heldItem]);
}

const one = Buffer.of(1);
const present = encodeBoolean(true);

const itemFields = versionTable<(item: Buffer, mapId: number, protocol: number) => Buffer[]>([
  ["1.7.2", (item, mapId) => [item, one, encodeShort(mapId), encodeShort(-1)]],
  ["1.8", (item, mapId) => [item, one, encodeShort(mapId), Buffer.of(0)]],
  ["1.13", (item, mapId) => [item, one, mapTag(mapId, true)]],
  ["1.13.2", (item, mapId) => [present, item, one, mapTag(mapId, true)]],
  ["1.20.2", (item, mapId) => [present, item, one, mapTag(mapId, false)]],
  [
    "1.20.5",
    (item, mapId, protocol) => {
      const component = encodeVarInt(mapItems.idComponent(protocol) ?? 0);
      // One component is added, and none taken away.
      return [one, item, one, Buffer.of(0), component, encodeVarInt(mapId)];
    },
  ],
]);

function mapItem(protocol: number, mapId: number): Buffer | undefined {
  const item = mapItems.item(protocol);
  const fields = itemFields(protocol);
  if (item === undefined || fields === undefined) return undefined;
  const number = atLeast(protocol, "1.13.2") ? encodeVarInt(item) : encodeShort(item);
  return Buffer.concat(fields(number, mapId, protocol));
}

/** As NBT: `{map: mapId}`. The root has an empty name up to 1.20.1. */
function mapTag(mapId: number, isRootNamed: boolean): Buffer {
  const [end, int, compound] = [0, 3, 10];
  const name = "map";
  return Buffer.concat([
    Buffer.of(compound),
    isRootNamed ? encodeShort(0) : Buffer.alloc(0),
    Buffer.of(int),
    encodeShort(name.length),
    Buffer.from(name),
    encodeInt(mapId),
    Buffer.of(end),
  ]);
}
