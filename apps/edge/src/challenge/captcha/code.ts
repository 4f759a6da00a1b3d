import { timingSafeEqual } from "node:crypto";
import { glyphs } from "./glyphs.ts";

/** Letters and digits of codes: the ones that stay apart in a distorted picture. */
export const alphabet: readonly string[] = Object.keys(glyphs);

export const codeLengthMin = 4;
export const codeLengthMax = 5;

/** A player asks for the code as text with this word, so it is never a code. */
export const textWord = "TEXT";

/** @param random a whole number from `min` up to but not including `max` that no client can foresee */
export function randomCode(random: (min: number, max: number) => number): string {
  for (;;) {
    const length = random(codeLengthMin, codeLengthMax + 1);
    const code = Array.from({ length }, () => alphabet[random(0, alphabet.length)]).join("");
    if (code !== textWord) return code;
  }
}

/** Cyrillic letters and digits that look like one of the alphabet, for Russian keyboards. */
const lookalikes: Readonly<Record<string, string>> = {
  А: "A",
  С: "C",
  Е: "E",
  Н: "H",
  К: "K",
  М: "M",
  Р: "P",
  Т: "T",
  Х: "X",
  У: "Y",
  З: "3",
};

/** Longer messages cannot be a code, whatever is taken out of them. */
const messageLengthMax = 16;

/**
 * The code in a player's message: upper case, without blanks. Undefined if the message has another
 * form than a code, so it is no try.
 */
export function codeIn(message: string): string | undefined {
  if (message.length > messageLengthMax) return undefined;
  const letters = message.toUpperCase().replaceAll(/[\s.,-]/g, "");
  if (!/^[0-9A-ZА-Я]+$/.test(letters)) return undefined;
  if (letters.length < codeLengthMin || letters.length > codeLengthMax) return undefined;
  return [...letters].map((letter) => lookalikes[letter] ?? letter).join("");
}

/** Compares in the same time wherever the first difference is. */
export function isSameCode(answer: string, code: string): boolean {
  return timingSafeEqual(padded(answer), padded(code));
}

function padded(code: string): Buffer {
  const bytes = Buffer.alloc(2 * codeLengthMax);
  bytes.write(code, "utf16le");
  return bytes;
}
