import type { TextComponent } from "../chat.ts";
import { encodeBoolean, encodeFrame, encodeVarInt } from "../fields.ts";
import { packetIds } from "../packet-ids.ts";
import { versionTable } from "../version-table.ts";
import { encodePlayText } from "../play-text.ts";

/**
 * A line in the chat of a client in the play state, from 1.7.2 on, as the server's own message, which
 * clients show unless their chat is hidden. Source: minecraft-data, `protocol.json`, play, toClient (chat,
 * system_chat); minecraft.wiki, "Java Edition protocol/Packets", Play, System Chat Message, and its
 * history.
 */

const systemMessage = 1;
const noSender = Buffer.alloc(16);

/** The fields behind the text. */
const chatTail = versionTable<Buffer>([
  ["1.7.2", Buffer.alloc(0)],
  ["1.8", Buffer.of(systemMessage)],
  ["1.16", Buffer.concat([Buffer.of(systemMessage), noSender])],
  // The second of the chat types in the registry that the client was sent.
  ["1.19", encodeVarInt(systemMessage)],
  // Not above the hotbar.
  ["1.19.1", encodeBoolean(false)],
]);

/** @returns undefined for versions before 1.7.2 */
export function encodeChatMessage(protocol: number, text: TextComponent): Buffer | undefined {
  const id = packetIds.play.toClient.chat(protocol);
  const tail = chatTail(protocol);
  if (id === undefined || tail === undefined) return undefined;
  return encodeFrame(id, encodePlayText(protocol, text), tail);
}
