import { componentFromText } from "@palisade/minecraft-protocol/java/chat";
import { encodeLoginDisconnect } from "@palisade/minecraft-protocol/java/login";

export interface KickValues {
  readonly player: string;
  readonly trace: string;
}

/** A login disconnect of which everything but its placeholders was made ahead. */
export type KickTemplate = (values: KickValues) => Buffer;

/** Placeholders an edge fills in. Others stand as they are: the api has filled in what it knows. */
const placeholder = /\{(player|trace)\}/;
/** Values go into finished JSON: everything that could end a string there is replaced. */
const unsafe = /[^A-Za-z0-9_-]/g;
const valueCharactersMax = 16;

/** @param text with § codes, {player} and {trace} */
export function compileKick(text: string): KickTemplate {
  // Text, placeholder's name, text, ..., text.
  const pieces = JSON.stringify(componentFromText(text)).split(placeholder);
  if (pieces.length === 1) {
    const packet = encodeLoginDisconnect(pieces[0] ?? '""');
    return () => packet;
  }
  return (values) => encodeLoginDisconnect(pieces.map((p, i) => fill(p, i, values)).join(""));
}

function fill(piece: string, index: number, values: KickValues): string {
  if (index % 2 === 0) return piece;
  const value = piece === "player" ? values.player : values.trace;
  return value.slice(0, valueCharactersMax).replace(unsafe, "?");
}
