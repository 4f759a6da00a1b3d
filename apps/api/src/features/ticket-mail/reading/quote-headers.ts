/**
 * Lines by which mail programs introduce the mail that they quote, as far as the library for this
 * knows none: Russian programs above all. Each one is linear: mails are written by strangers.
 */

/** Always the start of what is quoted. */
const always: readonly RegExp[] = [
  /^-{3,20} ?(original message|исходное сообщение|оригинальное сообщение|пересылаемое сообщение|forwarded message) ?-{3,20}$/i,
];

/** Only before quoted lines, or as the last words: people write such sentences too. */
const beforeQuotes: readonly RegExp[] = [
  // Apple Mail: 26 нояб. 2026 г., в 20:15, Palisade <…> написал(а):
  /^\S.{4,400} написал(\(а\)|а|и)?:$/i,
  // Thunderbird: 26.11.2026 20:15, Palisade пишет:
  /^\S.{4,400} пишет:$/i,
  // Gmail: чт, 26 нояб. 2026 г. в 20:15, Palisade <…>:
  /^(пн|вт|ср|чт|пт|сб|вс),? \d{1,2} .{4,400}:$/i,
  // Mail.ru: Четверг, 26 ноября 2026, 20:15 +03:00 от Palisade <…>:
  /^(понедельник|вторник|среда|четверг|пятница|суббота|воскресенье), \d{1,2} .{4,400}:$/i,
  // Yandex: 26.11.2026, 20:15, "Palisade" <…>:
  /^\d{1,2}\.\d{1,2}\.\d{4}.{4,400}<.{3,320}>:$/,
  /^On .{4,400} wrote:$/,
  /^\S.{1,400} schrieb:$/,
];

/** Outlook: the headers of the quoted mail, in this order, each on a line of its own. */
const outlookFirst = /^\*?(from|от):\*? \S/i;
const outlookSecond = /^\*?(sent|date|отправлено|дата):\*? \S/i;

/** A header that was wrapped takes up to three lines. */
const wrappedMax = 3;

/**
 * @param lines without the quoted mail's own lines where the reply marker has cut them off
 * @returns the index of the line that begins the quoted mail; -1 for none
 */
export function findQuoteHeader(lines: readonly string[]): number {
  return lines.findIndex((_, index) => isQuoteHeader(lines, index));
}

function isQuoteHeader(lines: readonly string[], index: number): boolean {
  const first = (lines[index] ?? "").trim();
  if (first === "" || first.startsWith(">")) return false;
  if (always.some((pattern) => pattern.test(first))) return true;
  if (outlookFirst.test(first) && outlookSecond.test((lines[index + 1] ?? "").trim())) return true;
  let joined = "";
  for (let size = 1; size <= wrappedMax; size += 1) {
    const line = (lines[index + size - 1] ?? "").trim();
    if (line === "" || line.length > 400) return false;
    joined = joined === "" ? line : `${joined} ${line}`;
    const rest = lines.slice(index + size, index + size + 400);
    if (beforeQuotes.some((pattern) => pattern.test(joined)) && isQuoted(rest)) return true;
  }
  return false;
}

function isQuoted(rest: readonly string[]): boolean {
  return rest.every((line) => line.trim() === "" || line.trimStart().startsWith(">"));
}
