import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tidyLine } from "@palisade/contract/http/tidy-line";
import { create } from "fontkit";

const require = createRequire(import.meta.url);

/** Tables for ligatures and the places of marks; pages of letters without them look the same. */
const layoutTables = new Set(["GSUB", "GPOS", "GDEF"]);

/**
 * The font without its layout tables. Every document opens its fonts anew, and reading these tables would
 * take three quarters of the time that a document takes.
 */
function withoutLayout(file: Buffer): Buffer {
  const font = Buffer.from(file);
  // The table directory (OpenType, "Organization of an OpenType Font"): entries of 16 bytes, the tag first.
  const tables = font.readUInt16BE(4);
  for (let at = 12; at < 12 + 16 * tables; at += 16) {
    if (layoutTables.has(font.toString("latin1", at, at + 4))) font.write("none", at, "latin1");
  }
  return font;
}

/** Noto Sans has Latin, Greek and Cyrillic letters. */
export const documentFonts = {
  regular: withoutLayout(
    readFileSync(
      require.resolve("@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf"),
    ),
  ),
  bold: withoutLayout(
    readFileSync(require.resolve("@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf")),
  ),
};

const font = create(documentFonts.regular);
const isDrawn = (character: string): boolean =>
  "hasGlyphForCodePoint" in font && font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);

/** Joiners and variants of what is drawn before them: alone they are nothing. */
const unseen = /\p{Join_Control}|\p{Variation_Selector}/gu;
const replacement = "\uFFFD";

/**
 * A line as the font can draw it: a character that it lacks becomes one that means the same, or else the
 * replacement character, so that a reader and a search see that something stood there.
 */
export function drawnLine(text: string): string {
  return Array.from(tidyLine(text).replace(unseen, ""), drawn).join("");
}

function drawn(character: string): string {
  if (isDrawn(character)) return character;
  const plain = character.normalize("NFKC");
  return Array.from(plain).every(isDrawn) ? plain : replacement;
}
