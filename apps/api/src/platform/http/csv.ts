/** Spreadsheets run a cell that begins like this as a formula. */
const formula = /^[=+\-@\t\r]/;

/**
 * A table as RFC 4180 has it: CRLF, quotes around what needs them, a line of names first. Cells
 * that look like formulas get an apostrophe before them: their text may be a stranger's.
 */
export function toCsv(
  names: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  return [names, ...rows].map((row) => `${row.map(toCell).join(",")}\r\n`).join("");
}

function toCell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Headers of a CSV file to save. */
export function csvHeaders(fileName: string): Record<string, string> {
  return {
    "content-type": "text/csv; charset=utf-8; header=present",
    "content-disposition": `attachment; filename="${fileName}"`,
  };
}
