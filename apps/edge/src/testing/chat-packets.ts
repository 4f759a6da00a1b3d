import {
  encodeFrame,
  encodeLong,
  encodeString,
  encodeVarInt,
} from "@palisade/minecraft-protocol/java/fields";
import { packetIds } from "@palisade/minecraft-protocol/java/packet-ids";
import { versionTable } from "@palisade/minecraft-protocol/java/version-table";

/** Messages and commands of a player, as clients of every version send them, without signatures. */

const ids = packetIds.play.toServer;
const nothing = Buffer.alloc(0);
const timeAndSalt = Buffer.concat([encodeLong(1n), encodeLong(2n)]);
const noSignatures = encodeVarInt(0);
const no = Buffer.of(0);
/** How many messages the client has seen, and which of them. */
const noneSeen = Buffer.concat([encodeVarInt(0), Buffer.alloc(3)]);

const chatEnd = versionTable<Buffer>([
  ["1.7.2", nothing],
  ["1.19", Buffer.concat([timeAndSalt, noSignatures, no])],
  // No messages before it, and none that was refused.
  ["1.19.1", Buffer.concat([timeAndSalt, noSignatures, no, no, no])],
  ["1.19.3", Buffer.concat([timeAndSalt, no, noneSeen])],
  ["1.21.5", Buffer.concat([timeAndSalt, no, noneSeen, no])],
]);

const commandEnd = versionTable<Buffer>([
  ["1.19", Buffer.concat([timeAndSalt, noSignatures, no])],
  ["1.19.1", Buffer.concat([timeAndSalt, noSignatures, no, no, no])],
  ["1.19.3", Buffer.concat([timeAndSalt, noSignatures, noneSeen])],
  ["1.20.5", nothing],
]);

export function encodeChat(protocol: number, message: string): Buffer {
  return encodeFrame(ids.chat(protocol) ?? -1, encodeString(message), chatEnd(protocol) ?? nothing);
}

/** @param command without its slash */
export function encodeCommand(protocol: number, command: string): Buffer {
  const id = ids.chatCommand(protocol);
  if (id === undefined) return encodeChat(protocol, `/${command}`);
  return encodeFrame(id, encodeString(command), commandEnd(protocol) ?? nothing);
}
