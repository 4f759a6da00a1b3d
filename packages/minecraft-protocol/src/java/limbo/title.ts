import type { TextComponent } from "../chat.ts";
import { encodeFrame, encodeVarInt } from "../fields.ts";
import { packetIds } from "../packet-ids.ts";
import { encodePlayText } from "../play-text.ts";

/**
 * Texts on the screen of a client in the play state, from 1.8 on: a large title with a smaller text
 * below it. A client shows both for some five seconds, from the title on; the smaller one is sent
 * first. Source: minecraft.wiki, "Java Edition protocol/Packets", Play, Set Title Text and Set Subtitle
 * Text, and its history (one packet with a kind before 1.17).
 */

const titleKind = 0;
const subtitleKind = 1;

/** @returns undefined for 1.7, which has no titles */
export function encodeTitle(
  protocol: number,
  title: TextComponent,
  subtitle: TextComponent,
): Buffer | undefined {
  const ids = packetIds.play.toClient;
  const titleId = ids.title(protocol);
  if (titleId === undefined) return undefined;
  const subtitleId = ids.subtitle(protocol);
  if (subtitleId !== undefined) {
    return Buffer.concat([
      encodeFrame(subtitleId, encodePlayText(protocol, subtitle)),
      encodeFrame(titleId, encodePlayText(protocol, title)),
    ]);
  }
  return Buffer.concat([
    encodeFrame(titleId, encodeVarInt(subtitleKind), encodePlayText(protocol, subtitle)),
    encodeFrame(titleId, encodeVarInt(titleKind), encodePlayText(protocol, title)),
  ]);
}
