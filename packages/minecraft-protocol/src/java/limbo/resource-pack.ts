import { encodeBoolean, encodeFrame, encodeString } from "../fields.ts";
import { packetIds } from "../packet-ids.ts";
import { atLeast } from "../versions.ts";

/**
 * A resource pack whose address no client can fetch, from 1.20.3 on. Source: minecraft-data,
 * `protocol.json`, play, toClient, add_resource_pack.
 *
 * A game takes only addresses of http and https. It answers any other at once that the address is not
 * valid (`invalidAddressStatus`), with the pack's UUID, without a dialog, without asking the player and
 * without a connection to anywhere. Earlier versions are left out: 1.8 shows the player a dialog, and
 * the answers of 1.10 to 1.20.2 name no pack, so that a recorded answer would fit every question.
 */

/** Not a scheme of the game or of a mod; `level` would make some mods warn of an attack. */
const address = "none://none/";
/** No hash: clients then do not compare it. */
const noHash = "";

/** Resource Pack Response's result for an address that is not valid. */
export const invalidAddressStatus = 5;

/** Whether the client answers by itself and names the pack. */
export function answersResourcePack(protocol: number): boolean {
  return atLeast(protocol, "1.20.3");
}

/**
 * @param uuid 16 bytes, the answer has them too
 * @returns undefined when `answersResourcePack` is false
 */
export function encodeInvalidResourcePack(protocol: number, uuid: Buffer): Buffer | undefined {
  const id = packetIds.play.toClient.addResourcePack(protocol);
  if (id === undefined || !answersResourcePack(protocol)) return undefined;
  const [isForced, hasPrompt] = [encodeBoolean(false), encodeBoolean(false)];
  return encodeFrame(id, uuid, encodeString(address), encodeString(noHash), isForced, hasPrompt);
}
