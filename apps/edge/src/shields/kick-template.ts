import { componentFromText } from "@palisade/minecraft-protocol/java/chat";
import { encodeLegacyKick } from "@palisade/minecraft-protocol/java/legacy";
import {
  encodeLoginDisconnect,
  openLoginDisconnect,
} from "@palisade/minecraft-protocol/java/login";
import { TracedPacket } from "./traced-packet.ts";

export interface KickValues {
  readonly player: string;
  readonly trace: string;
  /** Seconds until the player may come again, if that is known. */
  readonly seconds?: number | undefined;
}

/** The text that a kicked player reads, in the form their client expects. */
export interface KickTemplate {
  /** @returns a packet whose bytes are valid until the next call */
  modern(values: KickValues): Buffer;
  /** Before 1.7. */
  legacy(values: KickValues): Buffer;
  /** With § codes, for states that have a packet of their own. */
  text(values: KickValues): string;
  /** Two players with the same trace would read the same. */
  readonly isImpersonal: boolean;
}

/** Placeholders an edge fills in. Others stand as they are: the api has filled in what it knows. */
const placeholder = /\{(player|trace|seconds)\}/;
const personal = /\{(player|seconds)\}/;
/** Values go into finished JSON: everything that could end a string there is replaced, as is all beyond ASCII. */
const unsafe = /[^A-Za-z0-9_-]/g;
const valueCharactersMax = 16;

/** Finished JSON, or the name of the value that stands there. */
type Piece = Buffer | keyof KickValues;

/**
 * Everything but the placeholders is made once, when the first player is told: of a hundred
 * thousand shields most never kick anybody.
 *
 * @param text with § codes, {player}, {trace} and {seconds}
 */
export function compileKick(text: string): KickTemplate {
  return new LazyKick(text);
}

class LazyKick implements KickTemplate {
  readonly #text: string;
  #modern: ((values: KickValues) => Buffer) | undefined;
  #legacy: ((values: KickValues) => Buffer) | undefined;
  #isImpersonal: boolean | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  modern(values: KickValues): Buffer {
    this.#modern ??= compileModern(this.#text);
    return this.#modern(values);
  }

  legacy(values: KickValues): Buffer {
    this.#legacy ??= compileLegacy(this.#text);
    return this.#legacy(values);
  }

  text(values: KickValues): string {
    return filledText(this.#text, values);
  }

  get isImpersonal(): boolean {
    return (this.#isImpersonal ??= !personal.test(this.#text));
  }
}

function compileModern(text: string): (values: KickValues) => Buffer {
  const json = JSON.stringify(componentFromText(text));
  // Text, placeholder's name, text, ..., text.
  const pieces = json.split(placeholder).map((piece, index): Piece => {
    if (index % 2 === 0) return Buffer.from(piece);
    return piece === "player" || piece === "seconds" ? piece : "trace";
  });
  if (personal.test(text)) return (values) => fill(pieces, values);
  if (pieces.length > 1) return traced(pieces);
  const packet = encodeLoginDisconnect(json);
  return () => packet;
}

function compileLegacy(text: string): (values: KickValues) => Buffer {
  if (placeholder.test(text)) return (values) => encodeLegacyKick(filledText(text, values));
  const packet = encodeLegacyKick(text);
  return () => packet;
}

function filledText(text: string, values: KickValues): string {
  const pieces = text.split(placeholder).map((piece, index) => {
    if (index % 2 === 0) return piece;
    return filledIn(piece === "player" || piece === "seconds" ? piece : "trace", values);
  });
  return pieces.join("");
}

/** Most texts have the trace alone, and a flood reads them all: only the traces are written each time. */
function traced(pieces: readonly Piece[]): (values: KickValues) => Buffer {
  let last: TracedPacket | undefined;
  return (values) => {
    const again = last?.with(values.trace);
    if (again !== undefined) return again;
    const packet = fill(pieces, values);
    last = new TracedPacket(packet, values.trace);
    return packet;
  };
}

function fill(pieces: readonly Piece[], values: KickValues): Buffer {
  const player = pieces.includes("player") ? filledIn("player", values) : "";
  const trace = pieces.includes("trace") ? filledIn("trace", values) : "";
  const seconds = pieces.includes("seconds") ? filledIn("seconds", values) : "";
  const valueOf = (piece: keyof KickValues): string => {
    if (piece === "player") return player;
    return piece === "trace" ? trace : seconds;
  };
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

function filledIn(name: keyof KickValues, values: KickValues): string {
  // The edge has made it, of harmless characters.
  if (name === "trace") return values.trace;
  return safe(String(values[name] ?? 0));
}

function safe(value: string): string {
  return value.slice(0, valueCharactersMax).replace(unsafe, "?");
}
