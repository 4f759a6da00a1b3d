import type {
  addFirewallEntryBody,
  updateFirewallEntryBody,
} from "@palisade/contract/http/firewall";
import { isFarEnd, listEntriesMax, type ListType } from "@palisade/contract/http/firewall-entry";
import type { z } from "zod";
import type { Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { DomainError, fieldError } from "#src/platform/errors/domain-error.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { readEntry } from "./entry.ts";
import {
  countEntries,
  deleteEnded,
  deleteEntry,
  insertEntries,
  selectEntry,
  updateEntryById,
  updateSwitches,
} from "./firewall.repository.ts";
import { firewallTag, presentEntry } from "./firewall.presenter.ts";
import type { FirewallReader } from "./firewall.service.ts";

export async function addEntry(
  writes: ShieldWrites,
  trx: Trx,
  request: FirewallReader,
  body: z.output<typeof addFirewallEntryBody>,
) {
  const { shieldId, now } = request;
  const entry = readEntry(body.ip);
  if (entry === null) throw fieldError("ip", "entry.invalid");
  const expires_at = endOf(body.expires_at ?? null, now);
  // The shield's lock also keeps two requests from both taking the last place.
  await writes.lockActive(trx, shieldId);
  const row = { id: newId(), ...entry, created_at: now, note: body.note ?? "", expires_at };
  const part = { list: body.type, kind: entry.kind };
  await deleteEnded(trx, shieldId, part, { values: [entry.value], now });
  if ((await insertEntries(trx, shieldId, part, { entries: [row], now })) === 0) {
    throw new DomainError("entry_exists", { issues: [{ path: "ip", code: "error.entry_exists" }] });
  }
  await requirePlace(trx, shieldId, { list: body.type, now, path: "ip" });
  const version = await updateSwitches(trx, shieldId, {});
  const { revision } = await writes.commit(trx, shieldId);
  return { entry: presentEntry(row), revision, etag: firewallTag(version, request.ip) };
}

/** Changes the note and the end; one that has ended is in force again if its new end is still to come. */
export async function changeEntry(
  writes: ShieldWrites,
  trx: Trx,
  request: FirewallReader & { readonly entryId: string },
  body: z.output<typeof updateFirewallEntryBody>,
) {
  const { shieldId, now, entryId } = request;
  await writes.lockActive(trx, shieldId);
  const before = await selectEntry(trx, shieldId, entryId);
  if (before === undefined) throw new DomainError("not_found");
  const note = body.note ?? before.note;
  const isSameEnd =
    body.expires_at === undefined || timeOf(body.expires_at) === before.expires_at?.getTime();
  const expires_at = isSameEnd ? before.expires_at : endOf(body.expires_at ?? null, now);
  await updateEntryById(trx, shieldId, before, {
    note,
    expires_at,
    ended: isSameEnd && before.ended,
  });
  await requirePlace(trx, shieldId, { list: before.list, now, path: "expires_at" });
  const version = await updateSwitches(trx, shieldId, {});
  const { revision } = await writes.commit(trx, shieldId);
  const entry = presentEntry({ ...before, note, expires_at });
  return { entry, revision, etag: firewallTag(version, request.ip) };
}

export async function removeEntry(
  writes: ShieldWrites,
  trx: Trx,
  { shieldId, ip }: FirewallReader,
  entryId: string,
) {
  await writes.lockActive(trx, shieldId);
  const entry = await deleteEntry(trx, shieldId, entryId);
  if (entry === undefined) throw new DomainError("not_found");
  const version = await updateSwitches(trx, shieldId, {});
  const { revision } = await writes.commit(trx, shieldId);
  return { entry, revision, etag: firewallTag(version, ip) };
}

/** @throws DomainError where it has passed, or is too far away */
function endOf(expiresAt: string | null, now: Date): Date | null {
  if (expiresAt === null) return null;
  const end = new Date(expiresAt);
  if (end <= now) throw fieldError("expires_at", "entry_end.past");
  if (isFarEnd(end.getTime(), now.getTime())) throw fieldError("expires_at", "entry_end.far");
  return end;
}

function timeOf(expiresAt: string | null): number | undefined {
  return expiresAt === null ? undefined : Date.parse(expiresAt);
}

async function requirePlace(
  trx: Trx,
  shieldId: string,
  { list, now, path }: { readonly list: ListType; readonly now: Date; readonly path: string },
): Promise<void> {
  if ((await countEntries(trx, shieldId, list, now)) <= listEntriesMax) return;
  throw new DomainError("list_full", { issues: [{ path, code: "error.list_full" }] });
}
