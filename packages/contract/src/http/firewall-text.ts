import { couldBeAddress, entryKindOf, isAddressOrRange, type EntryKind } from "./firewall.ts";

/** An entry of an import that should be an address, a range or a name, and the line it stands on. */
export interface ImportEntry {
  readonly line: number;
  readonly text: string;
  /** The kind that its column or field should hold; undefined: either. */
  readonly expected?: EntryKind;
}

const addressColumns = new Set([
  "ip",
  "address",
  "cidr",
  "network",
  "range",
  "ip_address",
  "ipv4",
  "ipv6",
  "host",
]);

/** Names of CSV columns, or of fields in JSON, that hold entries; the first of them that is filled counts. */
const columnNames: readonly (readonly [kind: EntryKind | undefined, names: Set<string>])[] = [
  [undefined, new Set(["entry"])],
  ["address", addressColumns],
  ["name", new Set(["name", "player", "username", "player_name"])],
];

/** Shorter words of a text are rarely names; a column or field of names may hold them. */
const pastedNameMin = 3;

/** A limit of `split` that is none. */
const partsMax = 2 ** 32 - 1;

/**
 * Reads the words of a list in the formats that people use: one or more per line, comments after
 * `#`, `//` or `;`, CSV with columns that count, or the JSON of a ban list or whitelist. Does not
 * check the words. If there are more than `max`, it reads one beyond that and no more.
 */
export function readImport(text: string, max = partsMax - 1): ImportEntry[] {
  const plain = text.replace(/^\uFEFF/, "");
  const find = addressFinder(max + 1);
  return readJson(plain, max + 1, find) ?? readLines(plain, max + 1, find);
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
    if (kind !== "name") return kind;
    return text.length < pastedNameMin || lines.has(line) ? null : kind;
  });
}

type AddressFinder = (words: readonly string[]) => string | undefined;

/**
 * Finds the first address among words that are likely none. It looks at `max` words in all that could be
 * one: a text of many more is refused as too long, or has nothing to find.
 */
function addressFinder(max: number): AddressFinder {
  let left = max;
  return (words) =>
    words.find((word) => couldBeAddress(word) && left-- > 0 && isAddressOrRange(word));
}

/** Strings, or objects with an address or a name in them; their line is their place in the list. */
function readJson(text: string, end: number, find: AddressFinder): ImportEntry[] | null {
  if (!/^\s*\[/.test(text)) return null;
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list)) return null;
    return list
      .slice(0, end)
      .map((item: unknown, index) => ({ line: index + 1, ...entryOf(item, find) }));
  } catch {
    return null;
  }
}

function entryOf(item: unknown, find: AddressFinder): Omit<ImportEntry, "line"> {
  if (typeof item === "string") return { text: item.trim() };
  const fields = typeof item === "object" && item !== null ? Object.entries(item) : [];
  const values = fields.map(([, value]: [string, unknown]) =>
    typeof value === "string" ? value.trim() : "",
  );
  const found = pick(columnsOf(fields.map(([name]) => name)), values, find);
  return found ?? { text: JSON.stringify(item) ?? "" };
}

function readLines(text: string, end: number, find: AddressFinder): ImportEntry[] {
  let columns: readonly Column[] = [];
  let begun = false;
  const words: ImportEntry[] = [];
  const lines = text.split(/\r\n|[\r\n\u2028\u2029]/);
  for (const [index, whole] of lines.entries()) {
    const content = withoutComment(whole);
    if (content === "") continue;
    const cells = content.split(/[,;\t]/, end).map(unquote);
    if (!begun) {
      begun = true;
      const hasMore = lines.some((line, other) => other > index && withoutComment(line) !== "");
      columns = headerOf(cells, hasMore);
      if (columns.length > 0) continue;
    }
    const used =
      columns.length === 0 ? cells.map((cell) => ({ text: cell })) : [pick(columns, cells, find)];
    for (const cell of used) {
      for (const word of wordsOf(cell?.text ?? "", end, find)) {
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

/**
 * The columns that count if the first line is a header, otherwise none. A header word can also be the name of a
 * player: a single one is a header only if it stands for addresses, and a line without others below it
 * only if it names two kinds of columns, as an exported empty list does.
 */
function headerOf(cells: readonly string[], hasMore: boolean): Column[] {
  const columns = columnsOf(cells);
  const isHeader = hasMore
    ? cells.length > 1 || columns[0]?.expected === "address"
    : columns.length > 1;
  return isHeader ? columns : [];
}

/** The columns or fields that count, the most certain first. */
function columnsOf(names: readonly string[]): Column[] {
  const known = names.map((name) => name.toLowerCase());
  return columnNames
    .map(([expected, ofKind]) => ({ expected, place: known.findIndex((name) => ofKind.has(name)) }))
    .filter(({ place }) => place >= 0);
}

/** The first of the columns that is filled. A name beside an address is a note about the address, which counts. */
function pick(
  columns: readonly Column[],
  values: readonly string[],
  find: AddressFinder,
): Omit<ImportEntry, "line"> | undefined {
  for (const { place, expected } of columns) {
    const text = values[place] ?? "";
    if (text === "") continue;
    const others = () => values.filter((_, other) => other !== place);
    const address = expected === "name" ? find(others()) : undefined;
    if (address !== undefined) return { text: address, expected: "address" };
    return expected === undefined ? { text } : { text, expected };
  }
  return undefined;
}

/** Several words without an address are a sentence, and none of them is the name of a player. */
function wordsOf(cell: string, end: number, find: AddressFinder): string[] {
  const words = cell.split(/\s+/, end);
  return words.length === 1 || find(words) !== undefined ? words : [cell];
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
