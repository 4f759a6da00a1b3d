import { fieldError } from "#src/platform/errors/domain-error.ts";
import { isCommonPassword } from "./common-passwords.ts";

/** The digits and signs around a common word add little below this length. */
const endsMax = 8;
/** A password needs this many characters beside its owner's names. */
const besideNamesMin = 6;
/** Shorter parts of an e-mail are in many words. */
const nameMin = 3;

/**
 * Refuses a password that guessers try early; its length is the contract's concern. Case is ignored.
 *
 * @param ownNames the account's e-mail and user name
 * @throws DomainError `validation_failed` at `password`
 */
export function refuseWeakPassword(password: string, ownNames: readonly (string | null)[]): void {
  const typed = password.toLowerCase();
  if (isCommonPassword(typed) || new Set(typed).size <= 2) {
    throw fieldError("password", "password.common");
  }
  const rest = withoutNames(typed, ownNames);
  const isOwnName = rest !== typed && (wordIn(rest).length < besideNamesMin || isGuessable(rest));
  if (isOwnName) throw fieldError("password", "password.own_name");
  if (isCommonWordWithEnds(typed)) throw fieldError("password", "password.common_word");
}

function isGuessable(text: string): boolean {
  return isCommonPassword(text) || isCommonWordWithEnds(text);
}

/** `password2024`, `!Dragon99`, `p@ssw0rd1`, and Russian words by the keys they are typed with. */
function isCommonWordWithEnds(typed: string): boolean {
  const word = wordIn(typed);
  if (typed.length - word.length > endsMax) return false;
  return [word, withLetters(word), onLatinKeys(word)].some(isCommonPassword);
}

/** The text from its first to its last letter. */
function wordIn(text: string): string {
  return text.replace(/^\P{L}+/u, "").replace(/\P{L}+$/u, "");
}

const lookAlikes: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "l",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

function withLetters(word: string): string {
  return word.replaceAll(/[013457@$!]/g, (sign) => lookAlikes[sign] ?? sign);
}

const cyrillicKeys = "йцукенгшщзхъфывапролджэячсмитьбю";
const latinKeys = "qwertyuiop[]asdfghjkl;'zxcvbnm,.";

/** Lists of common passwords hold Russian words as they come out on a Latin keyboard. */
function onLatinKeys(word: string): string {
  return word.replaceAll(/[а-я]/g, (letter) => latinKeys[cyrillicKeys.indexOf(letter)] ?? letter);
}

function withoutNames(typed: string, ownNames: readonly (string | null)[]): string {
  return ownNames
    .flatMap((name) => namesIn(name ?? ""))
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, name) => rest.replaceAll(name, ""), typed);
}

/** A name and its parts: of an e-mail, the top-level domain is none. */
function namesIn(name: string): string[] {
  const [local = "", domain = ""] = name.toLowerCase().split("@");
  const hosts = domain.split(".").slice(0, -1);
  const parts = [local, ...local.split(/[^\p{L}\p{N}]+/u), ...hosts];
  return parts.filter(({ length }) => length >= nameMin);
}
