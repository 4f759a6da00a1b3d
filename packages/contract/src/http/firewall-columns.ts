import { couldBeAddress, isAddressOrRange, type EntryKind } from "./firewall.ts";
import { entryNoteMax, type ListType } from "./firewall-entry.ts";
import { tidyLine } from "./tidy-line.ts";

/** An entry of an import that should be an address, a range or a name, and the line it stands on. */
export interface ImportEntry {
  readonly line: number;
  readonly text: string;
  /** The kind that its column or field should hold; undefined: either. */
  readonly expected?: EntryKind;
  /** Undefined where the import does not say. */
  readonly note?: string;
  /** The end as it is written; null: it has none; undefined where the import does not say. */
  readonly expires?: string | null;
  /** The list that a rule says it is for. */
  readonly list?: ListType;
}

export interface ImportReading {
  readonly format: "lines" | "csv" | "json" | "json-lines";
  readonly entries: readonly ImportEntry[];
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
  "subnet",
  "prefix",
  "ip_prefix",
  "ipv6_prefix",
  "ipv4prefix",
  "ipv6prefix",
]);

/** Names of CSV columns, or of fields in JSON, that hold entries; the first of them that is filled counts. */
const columnNames: readonly (readonly [kind: EntryKind | undefined, names: Set<string>])[] = [
  [undefined, new Set(["entry"])],
  ["address", addressColumns],
  ["name", new Set(["name", "player", "username", "player_name"])],
];

const noteColumns = new Set([
  "note",
  "notes",
  "comment",
  "comments",
  "reason",
  "description",
  "remark",
  "sblid",
]);

const endColumns = new Set(["expires", "expires_at", "expiry", "expiration", "until", "ends_at"]);

export type AddressFinder = (words: readonly string[]) => string | undefined;

/**
 * Finds the first address among words that are likely none. It looks at `max` words in all that could be
 * one: a text of many more is refused as too long, or has nothing to find.
 */
export function addressFinder(max: number): AddressFinder {
  let left = max;
  return (words) =>
    words.find((word) => couldBeAddress(word) && left-- > 0 && isAddressOrRange(word));
}

interface Column {
  readonly place: number;
  readonly expected: EntryKind | undefined;
}

/** The columns or fields of a row that say something. */
export interface Columns {
  /** Names of columns of entries, the most certain first. */
  readonly entries: readonly Column[];
  readonly notes: readonly number[];
  readonly end: number;
  /** Says `true` for the whitelist and `false` for the blacklist, as rules of TCPShield do. */
  readonly whitelist: number;
}

export function columnsOf(names: readonly string[]): Columns {
  const known = names.map((name) => name.toLowerCase());
  return {
    entries: columnNames
      .map(([expected, ofKind]) => ({
        expected,
        place: known.findIndex((name) => ofKind.has(name)),
      }))
      .filter(({ place }) => place >= 0),
    notes: known.flatMap((name, place) => (noteColumns.has(name) ? [place] : [])),
    end: known.findIndex((name) => endColumns.has(name)),
    whitelist: known.indexOf("whitelist"),
  };
}

/** A row's entry and the words about it; undefined where it has no entry. */
export function entryOfRow(
  columns: Columns,
  values: readonly string[],
  find: AddressFinder,
): Omit<ImportEntry, "line"> | undefined {
  const entry = pick(columns.entries, values, find);
  return entry && { ...aboutRow(columns, values, entry.text), ...entry };
}

/** The first of the columns that is filled. A name beside an address is a note about the address, which counts. */
function pick(
  columns: readonly Column[],
  values: readonly string[],
  find: AddressFinder,
): Pick<ImportEntry, "text" | "expected"> | undefined {
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

/** Empty columns say nothing: an entry that is on the list keeps its note and its end. */
function aboutRow(
  { entries, notes, end, whitelist }: Columns,
  values: readonly string[],
  entry: string,
): Pick<ImportEntry, "note" | "expires" | "list"> {
  const name = entries.find(({ expected }) => expected === "name");
  const beside = name === undefined ? "" : (values[name.place] ?? "");
  const written = notes.map((place) => values[place] ?? "").find((each) => each !== "");
  const note = tidyNote(written ?? (beside === entry ? "" : beside));
  const expires = values[end] ?? "";
  const list = listOf(values[whitelist]);
  return {
    ...(note === "" ? {} : { note }),
    ...(expires === "" ? {} : { expires }),
    ...(list === undefined ? {} : { list }),
  };
}

function listOf(whitelist: string | undefined): ImportEntry["list"] {
  if (whitelist === undefined || whitelist === "") return undefined;
  return /^(true|1|yes)$/i.test(whitelist) ? "whitelist" : "blacklist";
}

/** In one line, as long as a note may be, without the apostrophe that keeps spreadsheets from running it. */
export function tidyNote(text: string): string {
  const characters = [...tidyLine(text.replace(/^'(?=[=+\-@])/, ""))];
  let note = "";
  for (const character of characters) {
    if (note.length + character.length > entryNoteMax) break;
    note += character;
  }
  return note.trim();
}
