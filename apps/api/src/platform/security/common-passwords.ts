import { readFileSync } from "node:fs";
import path from "node:path";
import { brotliDecompressSync } from "node:zlib";

/** Built by scripts/update-common-passwords.mjs; its licence is in common-passwords.license.txt. */
const file = path.join(import.meta.dirname, "common-passwords.txt.br");

/** One string of lines, between line breaks: a search takes less than a millisecond. */
let list: string | undefined;

/** Words of our own, which are as easy to guess here. */
const ownWords = new Set(["palisade", "gameshield", "antiddos"]);

/** @param typed in lower case */
export function isCommonPassword(typed: string): boolean {
  return ownWords.has(typed) || commonPasswords().includes(`\n${typed}\n`);
}

/** Passwords of at least nine characters, and common words of four to eight letters. */
export function commonPasswords(): string {
  list ??= brotliDecompressSync(readFileSync(file)).toString("latin1");
  return list;
}
