import type { EntryKind } from "@palisade/contract/http/firewall";
import type { ImportReading } from "@palisade/contract/http/firewall-columns";
import { judgeImport, readImport } from "@palisade/contract/http/firewall-text";
import type { ListType } from "./firewall-diff.ts";

interface Unreadable {
  readonly line: number;
  readonly text: string;
}

export interface ReadEntry {
  readonly line: number;
  readonly text: string;
  readonly kind: EntryKind;
  readonly note: string;
  /** In ms since 1970; null: it has no end. */
  readonly endMs: number | null;
}

export interface ImportPreview {
  readonly format: ImportReading["format"];
  /** Addresses, ranges and names. */
  readonly valid: number;
  readonly names: number;
  /** The first valid ones, to show how they were read. */
  readonly first: readonly ReadEntry[];
  /** Entries that bring a note, or an end. */
  readonly noted: number;
  readonly ending: number;
  /** Left out: their end has passed, or they are rules for the other list. */
  readonly ended: number;
  readonly otherList: number;
  /** Unreadable words; neighbours on one line count as one. */
  readonly invalid: readonly Unreadable[];
  /** Ranges that cover whole providers or countries. */
  readonly wide: readonly string[];
}

const firstShown = 4;

/** Shorter prefixes are rarely intended: /16 has 65,536 addresses, /32 is a provider in IPv6. */
const narrowPrefix = { ipv4: 16, ipv6: 32 };

/** Reads the text in the browser, so that mistakes show before the import is sent. */
export function previewImport(text: string, list: ListType, now: Date): ImportPreview {
  const { format, entries: words } = readImport(text);
  const outcomes = judgeImport(words, { list, nowMs: now.getTime() });
  const invalid: Unreadable[] = [];
  const wide: string[] = [];
  const first: ReadEntry[] = [];
  const counts = { valid: 0, names: 0, noted: 0, ending: 0, ended: 0, otherList: 0 };
  for (const [index, { line, text: word }] of words.entries()) {
    const last = invalid.at(-1);
    const outcome = outcomes[index] ?? null;
    if (outcome === null) {
      if (last?.line !== line) invalid.push({ line, text: word });
      else invalid[invalid.length - 1] = { line, text: `${last.text} ${word}` };
    } else if ("skipped" in outcome) {
      counts[outcome.skipped === "ended" ? "ended" : "otherList"] += 1;
    } else {
      const { kind, note = "", endMs = null } = outcome;
      counts.valid += 1;
      if (kind === "name") counts.names += 1;
      else if (isWide(word)) wide.push(word);
      if (note !== "") counts.noted += 1;
      if (endMs !== null) counts.ending += 1;
      if (first.length < firstShown) first.push({ line, text: word, kind, note, endMs });
    }
  }
  return { format, ...counts, first, invalid, wide };
}

function isWide(range: string): boolean {
  const prefix = range.split("/")[1];
  if (prefix === undefined) return false;
  return Number(prefix) < (range.includes(":") ? narrowPrefix.ipv6 : narrowPrefix.ipv4);
}
