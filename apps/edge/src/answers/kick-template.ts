import { componentFromText } from "@palisade/minecraft-protocol/java/chat";
import {
  encodeLoginDisconnect,
  openLoginDisconnect,
} from "@palisade/minecraft-protocol/java/login";

export interface KickValues {
  readonly player: string;
  readonly trace: string;
}

/** A login disconnect of which everything but its placeholders was made ahead. */
export type KickTemplate = (values: KickValues) => Buffer;

/** Placeholders an edge fills in. Others stand as they are: the api has filled in what it knows. */
const placeholder = /\{(player|trace)\}/;
/** Values go into finished JSON: everything that could end a string there is replaced, as is all beyond ASCII. */
const unsafe = /[^A-Za-z0-9_-]/g;
const valueCharactersMax = 16;

/** Finished JSON, or the name of the value that stands there. */
type Piece = Buffer | keyof KickValues;

/** @param text with § codes, {player} and {trace} */
export function compileKick(text: string): KickTemplate {
  const json = JSON.stringify(componentFromText(text));
  // Text, placeholder's name, text, ..., text.
  const pieces = json.split(placeholder).map((piece, index): Piece => {
    if (index % 2 === 0) return Buffer.from(piece);
    return piece === "player" ? "player" : "trace";
  });
  if (pieces.length > 1) return (values) => fill(pieces, values);
  const packet = encodeLoginDisconnect(json);
  return () => packet;
}

function fill(pieces: readonly Piece[], values: KickValues): Buffer {
  const player = safe(values.player);
  const trace = safe(values.trace);
  const valueOf = (piece: keyof KickValues): string => (piece === "player" ? player : trace);
  let jsonBytes = 0;
  for (const piece of pieces) {
    jsonBytes += typeof piece === "string" ? valueOf(piece).length : piece.length;
  }
  const packet = openLoginDisconnect(jsonBytes);
  let at = packet.length - jsonBytes;
  for (const piece of pieces) {
    if (typeof piece === "string") at += packet.write(valueOf(piece), at, "latin1");
    else {
      packet.set(piece, at);
      at += piece.length;
    }
  }
  return packet;
}

function safe(value: string): string {
  return value.slice(0, valueCharactersMax).replace(unsafe, "?");
}
