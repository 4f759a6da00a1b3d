import { colours } from "./chat.ts";

/**
 * How wide a text is in the game's default font, in its own pixels (before the GUI scale). Measured
 * from the font's bitmaps of Java Edition 1.20 (`assets/minecraft/font/include/default.json`): a glyph
 * is as wide as its rightmost pixel, and one pixel of space follows.
 */

/** Width with the space that follows, and the characters that have it. */
const charactersByWidth: readonly (readonly [number, string])[] = [
  [2, "!',.:;i|¡¦·і"],
  [3, "`l´ìí‘’•"],
  [4, ' "()*I[]t{}¨\u00ad¹ÌÍÎÏîïІЇї'],
  [5, "<>fkª°²³ºгкѓќ“”„"],
  [
    6,
    "#$%&+-/0123456789=?ABCDEFGHJKLMNOPQRSTUVWXYZ\\^_abcdeghjmnopqrsuvwxyz" +
      "¢£¥§¬¯±µ¿ÀÁÂÃÄÅÇÈÉÊËÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåçèéêëðñòóôõö÷øùúûüýþÿ" +
      "ЀЁЃЄЅЈЌЍЎЏАБВГЕЗИЙКЛМНОПРСТУХЧЬЭЯабвежзийлмнопрстуфхцчшьэяѐёєѕјѝўџ■♥☺",
  ],
  [7, "@~«¶»ÐЊЋДЦЪдщъыђњћ–€₽▶"],
  [8, "¤©®¼½¾ЂЉЖФШЫЮюљ…★→←"],
  [9, "Щ—█"],
  [10, "Ææ№"],
];

const widths = new Map<string, number>(
  charactersByWidth.flatMap(([width, characters]) =>
    [...characters].map((character) => [character, width] as const),
  ),
);

/** Characters that are not in the table, such as Chinese ones and emoji; most are not wider. */
const widthOfOthers = 9;

/**
 * Pixels of one MOTD line in the server list. The list's rows are 305 wide; the client splits the
 * MOTD at 271 (305 less 32 for the icon and 2) and from 1.21.9 on at 267 (the row's padding of 2 on
 * each side goes off first), and draws two lines. Source: the client's class ServerSelectionList.
 */
export const motdLinePixels = 267;

/** Lines of the MOTD that the server list draws. */
export const motdLinesMax = 2;

/**
 * Pixels of one line on the screen that shows a kick's reason: the client splits the reason at its
 * GUI's width less 50. The GUI is never narrower than 320, so a line of this width always fits; longer
 * lines continue on the next one. Source: the client's class DisconnectedScreen.
 */
export const kickLinePixels = 270;

/**
 * @param line one line, § codes included: a code takes no space, and bold (`§l`, up to the next
 *   colour or `§r`) makes each character one pixel wider
 */
export function linePixels(line: string): number {
  let pixels = 0;
  let isBold = false;
  let isCode = false;
  for (const character of line) {
    if (isCode) {
      const code = character.toLowerCase();
      if (code === "l") isBold = true;
      else if (code === "r" || code in colours) isBold = false;
      isCode = false;
    } else if (character === "§") isCode = true;
    else pixels += (widths.get(character) ?? widthOfOthers) + (isBold ? 1 : 0);
  }
  return pixels;
}

export interface LineWidth {
  readonly pixels: number;
  /** Pixels beyond the window; 0 where the line fits. */
  readonly excessPixels: number;
}

/**
 * Measures each line of a text against a window.
 *
 * @example
 * measureLines("§aWelcome\n§lto my server", motdLinePixels)[1]?.excessPixels; // 0
 */
export function measureLines(text: string, windowPixels: number): LineWidth[] {
  return text.split("\n").map((line) => {
    const pixels = linePixels(line);
    return { pixels, excessPixels: Math.max(0, pixels - windowPixels) };
  });
}
