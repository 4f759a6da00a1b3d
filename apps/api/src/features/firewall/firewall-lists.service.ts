import { entryKinds, type EntryKind, isPlayerName } from "@palisade/contract/http/firewall";
import type { ImportEntry } from "@palisade/contract/http/firewall-columns";
import { listEntriesMax } from "@palisade/contract/http/firewall-entry";
import {
  invalidShownMax,
  type FirewallImportReport,
  type importFirewallBody,
} from "@palisade/contract/http/firewall-import";
import { judgeImport, readImport } from "@palisade/contract/http/firewall-text";
import type { z } from "zod";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { toCsv } from "#src/platform/http/csv.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { ListType } from "#src/schema/shields.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { readEntry } from "./entry.ts";
import {
  countEntries,
  deleteEnded,
  deleteEntriesBut,
  type EntryDetails,
  insertEntries,
  selectEntries,
  updateEntries,
  updateSwitches,
} from "./firewall.repository.ts";
import type { FirewallReader } from "./firewall.service.ts";
import { firewallTag, presentEntry } from "./firewall.presenter.ts";

type ImportBody = z.output<typeof importFirewallBody>;

/** A longer text is not a list, and reading it would delay other requests. */
const wordsMax = 5 * listEntriesMax;
const shownCharactersMax = 64;

/** Imports entries into a list, all at once. */
export async function importEntries(
  writes: ShieldWrites,
  trx: Trx,
  request: FirewallReader,
  body: ImportBody,
) {
  const { shieldId, now } = request;
  const { type, mode } = body;
  const read = judge(wordsOf(body), { list: type, now });
  const size = read.address.length + read.name.length;
  if (size === 0) {
    // An import without one valid entry must not empty the list.
    throw new DomainError("validation_failed", {
      issues: [{ path: "text", code: "import.empty" }],
    });
  }
  if (size > listEntriesMax) throw listFull();
  // The shield's lock also keeps two requests from both taking the last places.
  await writes.lockActive(trx, shieldId);
  let removed = 0;
  let added = 0;
  let changed = 0;
  for (const kind of entryKinds) {
    const part = { list: type, kind };
    const details = read[kind];
    const values = details.map(({ value }) => value);
    if (mode === "replace") removed += await deleteEntriesBut(trx, shieldId, part, values);
    await deleteEnded(trx, shieldId, part, { values, now });
    const telling = details.filter(
      ({ note, expires_at }) => note !== undefined || expires_at !== undefined,
    );
    changed += await updateEntries(trx, shieldId, part, telling);
    added += await insertEntries(trx, shieldId, part, { entries: details.map(newEntry), now });
  }
  if ((await countEntries(trx, shieldId, type, now)) > listEntriesMax) throw listFull();
  const version = await updateSwitches(trx, shieldId, {});
  const { revision } = await writes.commit(trx, shieldId);
  const report: FirewallImportReport = {
    added,
    existing: read.valid - added,
    changed,
    removed,
    skipped: read.skipped,
    invalid: read.invalid.length,
    invalid_entries: read.invalid.slice(0, invalidShownMax),
  };
  return { report, revision, etag: firewallTag(version, request.ip) };
}

function newEntry({ value, note = "", expires_at = null }: EntryDetails) {
  return { id: newId(), value, note, expires_at };
}

function wordsOf({ text, entries }: ImportBody): readonly ImportEntry[] {
  const words = entries?.map(wordOf) ?? readImport(text ?? "", wordsMax).entries;
  if (words.length > wordsMax) throw listFull();
  return words;
}

function wordOf(entry: NonNullable<ImportBody["entries"]>[number], index: number): ImportEntry {
  const { ip, note, expires_at } = typeof entry === "string" ? { ip: entry } : entry;
  return {
    line: index + 1,
    text: ip.trim(),
    // Each is meant to be an entry: a name may be as short as names can be.
    ...(isPlayerName(ip.trim()) ? { expected: "name" as const } : {}),
    ...(note === undefined ? {} : { note }),
    ...(expires_at === undefined ? {} : { expires: expires_at }),
  };
}

/** The entries by kind, each value once, the last of them; and what is none. */
function judge(
  words: readonly ImportEntry[],
  { list, now }: { readonly list: ListType; readonly now: Date },
) {
  const found: Record<EntryKind, Map<string, EntryDetails>> = {
    address: new Map(),
    name: new Map(),
  };
  const invalid: FirewallImportReport["invalid_entries"] = [];
  const outcomes = judgeImport(words, { list, nowMs: now.getTime() });
  let skipped = 0;
  for (const [index, { line, text }] of words.entries()) {
    const outcome = outcomes[index] ?? null;
    const entry = outcome === null ? null : readEntry(text);
    if (outcome === null || entry === null) {
      invalid.push({ line, text: text.slice(0, shownCharactersMax) });
    } else if ("skipped" in outcome) skipped += 1;
    else {
      const { note, endMs } = outcome;
      const expires_at = typeof endMs === "number" ? new Date(endMs) : endMs;
      found[entry.kind].set(entry.value.toLowerCase(), { value: entry.value, note, expires_at });
    }
  }
  return {
    address: [...found.address.values()],
    name: [...found.name.values()],
    valid: words.length - invalid.length - skipped,
    skipped,
    invalid,
  };
}

function listFull(): DomainError {
  return new DomainError("list_full", { issues: [{ path: "text", code: "error.list_full" }] });
}

export async function clearList(
  writes: ShieldWrites,
  trx: Trx,
  { shieldId, ip }: FirewallReader,
  list: ListType,
) {
  await writes.lockActive(trx, shieldId);
  for (const kind of entryKinds) await deleteEntriesBut(trx, shieldId, { list, kind }, []);
  const version = await updateSwitches(trx, shieldId, {});
  const { revision } = await writes.commit(trx, shieldId);
  return { revision, etag: firewallTag(version, ip) };
}

/** In the form that an import reads, without entries that have ended. */
export async function exportList(
  db: Db,
  shieldId: string,
  list: ListType,
  now: Date,
): Promise<string> {
  const rows = await selectEntries(db, shieldId, list);
  const entries = rows
    .filter(({ expires_at }) => expires_at === null || expires_at > now)
    .map(presentEntry);
  return toCsv(
    ["ip", "created_at", "name", "note", "expires"],
    entries.map(({ ip, kind, created_at, note, expires_at }) => [
      kind === "address" ? ip : "",
      created_at,
      kind === "address" ? "" : ip,
      note,
      expires_at,
    ]),
  );
}
