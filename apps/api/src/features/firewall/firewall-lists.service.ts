import {
  invalidShownMax,
  listEntriesMax,
  type FirewallImportReport,
  type importFirewallBody,
} from "@palisade/contract/http/firewall";
import { readImport, type ImportEntry } from "@palisade/contract/http/firewall-text";
import type { z } from "zod";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { toCsv } from "#src/platform/http/csv.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { ListType } from "#src/schema/shields.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { normalizeAddress } from "./address.ts";
import {
  countEntries,
  deleteEntriesBut,
  insertEntries,
  selectList,
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
  const { addresses } = read;
  if (addresses.length === 0) {
    // An import without one valid entry must not empty the list.
    throw new DomainError("validation_failed", {
      issues: [{ path: "text", code: "import.empty" }],
    });
  }
  if (addresses.length > listEntriesMax) throw listFull();
  // The shield's lock also keeps two requests from both taking the last places.
  await writes.lockActive(trx, shieldId);
  const removed = mode === "replace" ? await deleteEntriesBut(trx, shieldId, type, addresses) : 0;
  const ids = addresses.map(() => newId());
  const added = await insertEntries(trx, shieldId, type, { ids, addresses, now });
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
    entries?.map((entry, index) => ({ line: index + 1, text: entry })) ??
    readImport(text ?? "", wordsMax);
  if (words.length > wordsMax) throw listFull();
  return words;
}

function judge(words: readonly ImportEntry[]) {
  const addresses = new Set<string>();
  const invalid: ImportEntry[] = [];
  for (const { line, text } of words) {
    const address = normalizeAddress(text);
    if (address === null) invalid.push({ line, text: text.slice(0, shownCharactersMax) });
    else addresses.add(address);
  }
  return { addresses: [...addresses], valid: words.length - invalid.length, invalid };
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
  await deleteEntriesBut(trx, shieldId, list, []);
  const version = await updateSwitches(trx, shieldId, {});
  const { revision } = await writes.commit(trx, shieldId);
  return { revision, etag: firewallTag(version, ip) };
}

/** In the form that an import reads. */
export async function exportList(db: Db, shieldId: string, list: ListType): Promise<string> {
  const entries = (await selectList(db, shieldId, list)).map(presentEntry);
  return toCsv(
    ["ip", "created_at"],
    entries.map(({ ip, created_at }) => [ip, created_at]),
  );
}
