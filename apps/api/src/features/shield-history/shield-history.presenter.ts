import {
  namedEntriesMax,
  type HistoryEntry,
  type SettingChange,
} from "@palisade/contract/http/history";
import { renderText, type Locale } from "@palisade/contract/texts/render";
import type { AuthorKind } from "@palisade/contract/http/history";
import type { HistoryRow } from "./history-view.repository.ts";
import type { RecordedChange } from "./recorded-change.ts";

interface AuthorRow {
  readonly author_kind: AuthorKind;
  readonly email: string | null;
  readonly author_deleted_at: Date | null;
}

export function presentChanges(row: HistoryRow, locale: Locale): HistoryEntry {
  return {
    id: row.id,
    area: row.area,
    revision: row.revision,
    author: { kind: row.author_kind, name: authorName(row, locale), key: row.key_name },
    changes: readChanges(row.changes).map(presentChange),
    created_at: row.created_at.toISOString(),
  };
}

/** As they were stored. */
export function readChanges(text: string): readonly RecordedChange[] {
  return JSON.parse(text) as RecordedChange[];
}

export function presentChange(change: RecordedChange): SettingChange {
  const { added = [], removed = [] } = change;
  return {
    field: change.field,
    item: change.item,
    before: change.before,
    after: change.after,
    added: added.slice(0, namedEntriesMax),
    removed: removed.slice(0, namedEntriesMax),
    added_count: added.length,
    removed_count: removed.length,
  };
}

export function authorName(row: AuthorRow, locale: Locale): string {
  if (row.author_kind === "staff") return renderText(locale, "audit.actor.support");
  if (row.author_kind === "operator") return renderText(locale, "audit.actor.operator");
  if (row.author_kind === "system") return renderText(locale, "history.author_system");
  const isGone = row.email === null || row.author_deleted_at !== null;
  return isGone ? renderText(locale, "history.author_deleted") : (row.email ?? "");
}

/** A line of the exported file: one for each setting. */
export function csvRows(entry: HistoryEntry): (string | number | null)[][] {
  const { created_at, area, revision, author } = entry;
  return entry.changes.map((change) => [
    created_at,
    area,
    revision,
    author.kind,
    author.name,
    author.key,
    change.field,
    change.item,
    inWords(change.before, change.removed, change.removed_count),
    inWords(change.after, change.added, change.added_count),
  ]);
}

export const csvColumns = [
  "created_at",
  "area",
  "revision",
  "author_kind",
  "author",
  "api_key",
  "field",
  "item",
  "before",
  "after",
] as const;

function inWords(
  value: SettingChange["before"],
  entries: readonly string[],
  count: number,
): string | number | null {
  if (count > 0) return entries.join(" ") + (count > entries.length ? ` (${count})` : "");
  if (typeof value === "boolean") return value ? "on" : "off";
  // A cell is no place for a picture.
  return typeof value === "string" && value.startsWith("data:") ? "[image]" : value;
}
