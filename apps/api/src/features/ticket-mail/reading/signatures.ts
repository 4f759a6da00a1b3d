/** Last lines that mail programs add, as far as the library for this knows none. */
const programLines: readonly RegExp[] = [
  /^Отправлено (с|из|от) .{2,80}$/i,
  /^Послано (с|из) .{2,80}$/i,
  /^(Скачать|Загрузить) Outlook .{2,80}$/i,
  /^Sent (from|with|via) .{2,80}$/i,
  /^Get Outlook for .{2,80}$/i,
];

/** The words before a name. */
const greeting =
  /^(с уважением|всего доброго|всего хорошего|best regards|kind regards|regards|best)[,.!]?$/i;

/** Longer ones are no signature: what a customer wrote must not get lost. */
export const signatureLinesMax = 8;

/** Removes a signature from the end, if there is one. */
export function withoutSignature(lines: readonly string[]): readonly string[] {
  const shown = trimEnd(lines);
  const tail = Math.max(0, shown.length - signatureLinesMax);
  for (let index = shown.length - 1; index >= tail; index -= 1) {
    const line = shown[index]?.trim() ?? "";
    const isLast = index === shown.length - 1;
    const begins =
      (isLast && programLines.some((pattern) => pattern.test(line))) ||
      greeting.test(line) ||
      // RFC 3676; many programs lose the blank at the end.
      line === "--";
    if (begins && index > 0) return withoutSignature(shown.slice(0, index));
  }
  return shown;
}

function trimEnd(lines: readonly string[]): readonly string[] {
  let end = lines.length;
  while (end > 0 && lines[end - 1]?.trim() === "") end -= 1;
  return lines.slice(0, end);
}
