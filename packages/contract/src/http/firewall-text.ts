import { entryKindOf, isAddressOrRange, type EntryKind } from "./firewall.ts";
import { addressFinder, type ImportEntry, type ImportReading } from "./firewall-columns.ts";
import { readEnd } from "./firewall-end.ts";
import { isFarEnd, type ListType } from "./firewall-entry.ts";
import { readJson } from "./firewall-json.ts";
import { readLines } from "./firewall-lines.ts";

/** Shorter words of a text are rarely names; a column or field of names may hold them. */
const pastedNameMin = 3;

/** A limit of `split` that is none. */
const partsMax = 2 ** 32 - 1;

/**
 * Reads the words of a list in the formats that people use: one or more per line, comments after
 * `#`, `//` or `;`, CSV with columns that count, JSON, or a line of JSON for each. Does not check the
 * words. If there are more than `max`, it reads one beyond that and no more.
 */
export function readImport(text: string, max = partsMax - 1): ImportReading {
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

type ImportOutcome =
  | {
      readonly kind: EntryKind;
      /** Undefined where the import does not say: an entry that is on the list keeps its own. */
      readonly note: string | undefined;
      /** In ms since 1970; null: it has no end. */
      readonly endMs: number | null | undefined;
    }
  /** Its end has passed, or a rule says that it is for the other list. */
  | { readonly skipped: "ended" | "other-list" }
  | null;

/** The entry that an import into the list makes of each word; null if it cannot be read as one. */
export function judgeImport(
  words: readonly ImportEntry[],
  { list, nowMs }: { readonly list: ListType; readonly nowMs: number },
): ImportOutcome[] {
  const kinds = kindsOf(words);
  return words.map((word, index) => {
    const kind = kinds[index] ?? null;
    if (kind === null) return null;
    if (word.list !== undefined && word.list !== list) return { skipped: "other-list" };
    const endMs = typeof word.expires === "string" ? readEnd(word.expires) : word.expires;
    // Without the end that it should have, an entry would stay for ever.
    if (endMs === undefined && word.expires !== undefined) return null;
    if (typeof endMs === "number") {
      if (endMs <= nowMs) return { skipped: "ended" };
      if (isFarEnd(endMs, nowMs)) return null;
    }
    return { kind, note: word.note, endMs };
  });
}
