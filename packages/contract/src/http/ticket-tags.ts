export const tagsMax = 10;
export const tagCharactersMax = 30;
/** Words of letters and digits, with hyphens between them. */
export const tagPattern = /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u;

/** A tag as it is kept: lower case, words joined by hyphens. */
export function cleanTag(typed: string): string {
  return typed
    .normalize("NFC")
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/gu, "-");
}
