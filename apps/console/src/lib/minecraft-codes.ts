import { colours, styles } from "@palisade/minecraft-protocol/java/chat";

/** Formatting codes of Minecraft texts: `§` as the game has them, `&` as people type them. */

export interface Run {
  readonly text: string;
  /** Index in the whole text, including its code. */
  readonly at: number;
  /** Colour digit; null for the default colour. */
  readonly color: string | null;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly underlined: boolean;
  readonly strikethrough: boolean;
  readonly obfuscated: boolean;
}

type Style = Omit<Run, "text" | "at">;

const plain: Style = {
  color: null,
  bold: false,
  italic: false,
  underlined: false,
  strikethrough: false,
  obfuscated: false,
};

export const colourCodes = Object.keys(colours);
export const styleCodes = Object.keys(styles);

/**
 * Splits a text into runs of one style, as the edge makes components of it: `&` counts before a
 * code of the game only, a colour ends the styles before it, and a `§` is never shown.
 */
export function parseCodes(text: string): Run[] {
  const runs: Run[] = [];
  let style = plain;
  let at = 0;
  const pieces = withSectionSigns(text).split(/§([\s\S]?)/);
  // Text, code, text, code, ..., text.
  for (const [index, piece] of pieces.entries()) {
    if (index % 2 === 1) style = styleAfter(style, piece.toLowerCase());
    else if (piece !== "") runs.push({ text: piece, at, ...style });
    at += piece.length + (index % 2);
  }
  return runs;
}

/** Replaces `&` before a code by `§`, as the api does; the length stays the same. */
export function withSectionSigns(text: string): string {
  return text.replace(/&([0-9a-fk-or])/gi, "§$1");
}

function styleAfter(style: Style, code: string): Style {
  if (code === "r") return plain;
  if (Object.hasOwn(colours, code)) return { ...plain, color: code };
  const kind = Object.hasOwn(styles, code) ? styles[code] : undefined;
  return kind === undefined ? style : { ...style, [kind]: true };
}
