import { dictionary } from "@zxcvbn-ts/language-common";

/** The most common passwords of breaches that are long enough to be chosen here at all. */
const common = new Set(dictionary["passwords-common"].filter((password) => password.length >= 9));

/** Case is ignored, as is one character over and over. */
export function isCommonPassword(password: string): boolean {
  const typed = password.toLowerCase();
  return common.has(typed) || new Set(typed).size <= 2;
}
