import { encodeFrame } from "../fields.ts";
import { packetIds } from "../packet-ids.ts";

/** Places of the hotbar. */
export const hotbarSlots = 9;

/**
 * Selects a place of the player's hotbar; clients send it back by themselves (Set Held Item in both
 * directions). Source: minecraft-data, `protocol.json`, play, toClient, held_item_slot: a byte, and from
 * 1.21.4 on a VarInt, which is the same byte for these slots.
 *
 * @param slot 0 to 8
 */
export function encodeHeldItem(protocol: number, slot: number): Buffer | undefined {
  const id = packetIds.play.toClient.heldItem(protocol);
  return id === undefined ? undefined : encodeFrame(id, Buffer.of(slot));
}
