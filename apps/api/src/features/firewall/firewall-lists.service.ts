import {
  entryKinds,
  invalidShownMax,
  listEntriesMax,
  type FirewallImportReport,
  type importFirewallBody,
} from "@palisade/contract/http/firewall";
import { kindsOf, readImport, type ImportEntry } from "@palisade/contract/http/firewall-text";
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
  deleteEntriesBut,
  insertEntries,
  selectEntries,
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
  request: FirewallReader & { readonly now: Date },
  body: ImportBody,
) {
  const { shieldId, now } = request;
  const { type, mode } = body;
  const read = judge(wordsOf(body));
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
  for (const kind of entryKinds) {
    const part = { list: type, kind };
    const values = read[kind];
    if (mode === "replace") removed += await deleteEntriesBut(trx, shieldId, part, values);
    const ids = values.map(() => newId());
    added += await insertEntries(trx, shieldId, part, { ids, values, now });
  }
  if ((await countEntries(trx, shieldId, type)) > listEntriesMax) throw listFull();
  const version = await updateSwitches(trx, shieldId, {});
  const { revision } = await writes.commit(trx, shieldId);
  const report: FirewallImportReport = {
    added,
    existing: read.valid - added,
    removed,
    invalid: read.invalid.length,
    invalid_entries: read.invalid.slice(0, invalidShownMax),
  };
  return { report, revision, etag: firewallTag(version, request.ip) };
}

function wordsOf({ text, entries }: ImportBody): ImportEntry[] {
  const words =
    entries?.map((entry, index) => ({ line: index + 1, text: entry.trim() })) ??
    readImport(text ?? "", wordsMax);
  if (words.length > wordsMax) throw listFull();
  return words;
}

function judge(words: readonly ImportEntry[]) {
  const found = { address: new Map<string, string>(), name: new Map<string, string>() };
  const invalid: ImportEntry[] = [];
  const kinds = kindsOf(words);
  for (const [index, { line, text }] of words.entries()) {
    const entry = kinds[index] === null ? null : readEntry(text);
    if (entry === null) invalid.push({ line, text: text.slice(0, shownCharactersMax) });
    else found[entry.kind].set(entry.value.toLowerCase(), entry.value);
  }
  return {
    address: [...found.address.values()],
    name: [...found.name.values()],
    valid: words.length - invalid.length,
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

/** In the form that an import reads. */
export async function exportList(db: Db, shieldId: string, list: ListType): Promise<string> {
  const entries = (await selectEntries(db, shieldId, list)).map(presentEntry);
  return toCsv(
    ["ip", "created_at", "name"],
    entries.map(({ ip, kind, created_at }) =>
      kind === "address" ? [ip, created_at, ""] : ["", created_at, ip],
    ),
  );
}
