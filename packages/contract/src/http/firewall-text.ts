import { entryKindOf, isAddressOrRange, type EntryKind } from "./firewall.ts";

/** An entry of an import that should be an address, a range or a name, and the line it stands on. */
export interface ImportEntry {
  readonly line: number;
  readonly text: string;
  /** The kind that its column or field should hold; undefined: either. */
  readonly expected?: EntryKind;
}

/** Names of CSV columns, or of fields in JSON, that hold entries; the first of them that is filled counts. */
const columnNames: readonly (readonly [kind: EntryKind | undefined, names: Set<string>])[] = [
  [undefined, new Set(["entry"])],
  ["address", new Set(["ip", "address", "cidr", "network", "range", "ip_address"])],
  ["name", new Set(["name", "player", "username", "player_name"])],
];

/** A limit of `split` that is none. */
const partsMax = 2 ** 32 - 1;

/**
 * Reads the words of a list in the formats that people use: one or more per line, comments after
 * `#`, `//` or `;`, CSV with columns that count, or the JSON of a ban list or whitelist. Does not
 * check the words. If there are more than `max`, it reads one beyond that and no more.
 */
export function readImport(text: string, max = partsMax - 1): ImportEntry[] {
  const plain = text.replace(/^\uFEFF/, "");
  return readJson(plain, max + 1) ?? readLines(plain, max + 1);
}

/**
 * The kind of each word; null if it is no entry. A name on a line with an address is none: it is a note
 * about the address.
 */
export function kindsOf(words: readonly ImportEntry[]): (EntryKind | null)[] {
  const lines = new Set(words.filter(({ text }) => isAddressOrRange(text)).map(({ line }) => line));
  return words.map(({ line, text, expected }) => {
    const kind = entryKindOf(text);
    if (expected !== undefined) return kind === expected ? kind : null;
    return kind === "name" && lines.has(line) ? null : kind;
  });
}

/** Strings, or objects with an address or a name in them; their line is their place in the list. */
function readJson(text: string, end: number): ImportEntry[] | null {
  if (!/^\s*\[/.test(text)) return null;
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list)) return null;
    return list
      .slice(0, end)
      .map((item: unknown, index) => ({ line: index + 1, ...entryOf(item) }));
  } catch {
    return null;
  }
}

function entryOf(item: unknown): Omit<ImportEntry, "line"> {
  if (typeof item === "string") return { text: item.trim() };
  const fields = typeof item === "object" && item !== null ? Object.entries(item) : [];
  const values = fields.map(([, value]: [string, unknown]) =>
    typeof value === "string" ? value.trim() : "",
  );
  const found = pick(columnsOf(fields.map(([name]) => name)), values);
  return found ?? { text: JSON.stringify(item) ?? "" };
}

function readLines(text: string, end: number): ImportEntry[] {
  let columns: readonly Column[] = [];
  let begun = false;
  const words: ImportEntry[] = [];
  for (const [index, whole] of text.split(/\r\n|[\r\n\u2028\u2029]/).entries()) {
    const content = withoutComment(whole);
    if (content === "") continue;
    const cells = content.split(/[,;\t]/, end).map(unquote);
    if (!begun) {
      begun = true;
      columns = columnsOf(cells);
      if (columns.length > 0) continue;
    }
    const used =
      columns.length === 0 ? cells.map((cell) => ({ text: cell })) : [pick(columns, cells)];
    for (const cell of used) {
      for (const word of wordsOf(cell?.text ?? "", end)) {
        if (word !== "") words.push({ ...cell, line: index + 1, text: word });
        if (words.length >= end) return words;
      }
    }
  }
  return words;
}

interface Column {
  readonly place: number;
  readonly expected: EntryKind | undefined;
}

/** The columns or fields that count, the most certain first. */
function columnsOf(names: readonly string[]): Column[] {
  const known = names.map((name) => name.toLowerCase());
  return columnNames
    .map(([expected, ofKind]) => ({ expected, place: known.findIndex((name) => ofKind.has(name)) }))
    .filter(({ place }) => place >= 0);
}

/** The first of the columns that is filled. */
function pick(
  columns: readonly Column[],
  values: readonly string[],
): Omit<ImportEntry, "line"> | undefined {
  for (const { place, expected } of columns) {
    const text = values[place] ?? "";
    if (text !== "") return expected === undefined ? { text } : { text, expected };
  }
  return undefined;
}

/** Several words without an address are a sentence, and none of them is the name of a player. */
function wordsOf(cell: string, end: number): string[] {
  const words = cell.split(/\s+/, end);
  return words.length === 1 || words.some(isAddressOrRange) ? words : [cell];
}

/** A semicolon also parts cells: it begins a comment at the start of a line or after a space. */
function withoutComment(line: string): string {
  return line.replace(/(^|\s)(#|\/\/|;).*$|#.*$/, "").trim();
}

function unquote(cell: string): string {
  const text = cell.trim();
  if (text === "") return text;
  const inner = /^"(.*)"$|^'(.*)'$/.exec(text);
  return (inner?.[1] ?? inner?.[2] ?? text).trim();
}
