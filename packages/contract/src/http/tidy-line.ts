const lineBreaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Zero-width joiners stay: scripts and emoji need them. */
const unseen = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}]/gu;

/**
 * Removes invisible characters from a line of text: controls, zero width, changed directions,
 * halves of characters. They would end lines of mails and logs, make a name read as
 * another, or be refused by the database.
 *
 * @example
 * z.string("required").overwrite(tidyLine).min(1, "required").max(50, "text.max")
 */
export function tidyLine(typed: string): string {
  return typed.replace(lineBreaks, " ").replace(unseen, "").trim();
}

/**
 * As `tidyLine`, for texts of several lines: breaks become `\n`, and tabs stay.
 *
 * @example
 * z.string("required").overwrite(tidyText).min(1, "required")
 */
export function tidyText(typed: string): string {
  return typed
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replace(/(?![\n\t\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}]/gu, "")
    .trim();
}
