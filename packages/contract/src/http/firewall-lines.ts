import {
  type AddressFinder,
  type Columns,
  columnsOf,
  entryOfRow,
  type ImportEntry,
  type ImportReading,
  tidyNote,
} from "./firewall-columns.ts";

/** Lines of words, or CSV below a line with the names of its columns. */
export function readLines(text: string, end: number, find: AddressFinder): ImportReading {
  let columns: Columns | undefined;
  let begun = false;
  const entries: ImportEntry[] = [];
  const reading = () => ({ format: columns === undefined ? "lines" : "csv", entries }) as const;
  const lines = text.split(/\r\n|[\r\n\u2028\u2029]/);
  for (const [index, whole] of lines.entries()) {
    const { content, note } = columns === undefined ? partedLine(whole) : wholeRow(whole);
    if (content === "") continue;
    const cells = cellsOf(content, end);
    if (!begun) {
      begun = true;
      const hasMore = lines.some((line, other) => other > index && partedLine(line).content !== "");
      columns = headerOf(cells, hasMore);
      if (columns !== undefined) continue;
    }
    const used =
      columns === undefined
        ? cells.map((cell) => ({ text: cell, ...(note === "" ? {} : { note }) }))
        : [rowOf(columns, cells, find)];
    for (const cell of used) {
      for (const word of wordsOf(cell?.text ?? "", end, find)) {
        if (word !== "") entries.push({ ...cell, line: index + 1, text: word });
        if (entries.length >= end) return reading();
      }
    }
  }
  return reading();
}

/**
 * The columns that count if the first line is a header, otherwise undefined. A header word can also be the
 * name of a player: a single one is a header only if it stands for addresses, and a line without others
 * below it only if it names two kinds of columns, as an exported empty list does.
 */
function headerOf(cells: readonly string[], hasMore: boolean): Columns | undefined {
  const columns = columnsOf(cells);
  const { entries } = columns;
  if (entries.length === 0) return undefined;
  const isHeader = hasMore
    ? cells.length > 1 || entries[0]?.expected === "address"
    : entries.length > 1;
  return isHeader ? columns : undefined;
}

/** A row of CSV; a comment behind its entry is the note where no column has one. */
function rowOf(
  columns: Columns,
  cells: readonly string[],
  find: AddressFinder,
): Omit<ImportEntry, "line"> | undefined {
  const row = entryOfRow(columns, cells, find);
  if (row === undefined) return undefined;
  const { content, note } = partedLine(row.text);
  return { ...(note === "" ? {} : { note }), ...row, text: content };
}

/** Several words without an address are a sentence, and none of them is the name of a player. */
function wordsOf(cell: string, end: number, find: AddressFinder): string[] {
  const words = cell.split(/\s+/, end);
  return words.length === 1 || find(words) !== undefined ? words : [cell];
}

interface PartedLine {
  readonly content: string;
  /** The comment behind it. */
  readonly note: string;
}

/** A semicolon also parts cells: it begins a comment at the start of a line or after a space. */
function partedLine(line: string): PartedLine {
  const sign = /(^|\s)(\/\/|;)|#/.exec(line);
  if (sign === null) return { content: line.trim(), note: "" };
  const at = sign.index;
  const content = line.slice(0, at).trim();
  return { content, note: tidyNote(line.slice(at).replace(/^[#;/\s]+/, "")) };
}

/** In a row of CSV the signs of a comment may be part of a note: only a line that begins with them is one. */
function wholeRow(line: string): PartedLine {
  const content = line.trim();
  return { content: /^(#|\/\/)/.test(content) ? "" : content, note: "" };
}

/** The cells of a line, parted by commas, semicolons or tabs; within double quotes these are text. */
function cellsOf(line: string, end: number): string[] {
  if (!line.includes('"')) return line.split(/[,;\t]/, end).map(unquote);
  const cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted;
    if (!isQuoted && (character === "," || character === ";" || character === "\t")) {
      cells.push(unquote(cell));
      cell = "";
      if (cells.length >= end) return cells;
    } else cell += character;
  }
  return [...cells, unquote(cell)];
}

function unquote(cell: string): string {
  const text = cell.trim();
  const double = /^"(.*)"$/.exec(text)?.[1];
  if (double !== undefined) return double.replaceAll('""', '"').trim();
  return (/^'(.*)'$/.exec(text)?.[1] ?? text).trim();
}
