import type { TextComponent } from "../chat.ts";
import { encodeBoolean, encodeFrame, encodeVarInt } from "../fields.ts";
import { packetIds } from "../packet-ids.ts";
import { versionTable } from "../version-table.ts";
import { encodePlayText } from "../play-text.ts";

/**
 * A line in the player's chat, from the server and not from a player. Source: minecraft-data,
 * `protocol.json`, play, toClient, chat and system_chat; minecraft.wiki, "Java Edition protocol/Packets",
 * System Chat Message, for the kinds.
 */

const systemPosition = Buffer.of(1);
/** The server itself. */
const noSender = Buffer.alloc(16);
/** 1.19 has a number of its registry of chat types instead, where system messages are the second. */
const systemType = 1;

/** Fields after the text. */
const afterText = versionTable<Buffer>([
  ["1.7.2", Buffer.alloc(0)],
  ["1.8", systemPosition],
  ["1.16", Buffer.concat([systemPosition, noSender])],
  ["1.19", encodeVarInt(systemType)],
  // Not above the hotbar.
  ["1.19.1", encodeBoolean(false)],
]);

/** @returns undefined before 1.7 */
export function encodeChatLine(protocol: number, text: TextComponent): Buffer | undefined {
  const id = packetIds.play.toClient.chat(protocol);
  const end = afterText(protocol);
  if (id === undefined || end === undefined) return undefined;
  return encodeFrame(id, encodePlayText(protocol, text), end);
}
