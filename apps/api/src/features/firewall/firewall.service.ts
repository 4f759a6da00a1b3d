import {
  listEntriesMax,
  type addFirewallEntryBody,
  type updateFirewallBody,
} from "@palisade/contract/http/firewall";
import { toggleLockSeconds } from "@palisade/contract/http/servers";
import type { z } from "zod";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { DomainError, fieldError } from "#src/platform/errors/domain-error.ts";
import { requireMatch } from "#src/platform/http/etag.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { normalizeAddress } from "./address.ts";
import { readEntry } from "./entry.ts";
import {
  countEntries,
  deleteEntry,
  insertEntries,
  listHolds,
  selectEntries,
  selectSwitches,
  updateSwitches,
} from "./firewall.repository.ts";
import {
  firewallTag,
  presentEntry,
  presentLists,
  presentSwitches,
  settingsTag,
} from "./firewall.presenter.ts";

export interface FirewallReader {
  readonly shieldId: string;
  /** Address of the caller. */
  readonly ip: string;
}

export async function getFirewall(db: Executor, reader: FirewallReader) {
  const { switches, etag } = await getSwitches(db, reader);
  const lists = presentLists(await selectEntries(db, reader.shieldId));
  return { firewall: { ...switches, ...lists }, etag };
}

async function getSwitches(db: Executor, { shieldId, ip }: FirewallReader) {
  const row = await selectSwitches(db, shieldId);
  const address = normalizeAddress(ip);
  const whitelisted =
    address !== null && (await listHolds(db, shieldId, { list: "whitelist", address }));
  return {
    switches: presentSwitches(row, { ip: address ?? ip, whitelisted }),
    etag: firewallTag(row.version, ip),
  };
}

const toggles = {
  ip_blacklist_enabled: ["blacklist_enabled", "blacklist_changed_at"],
  ip_whitelist_enabled: ["whitelist_enabled", "whitelist_changed_at"],
  whitelist_only: ["whitelist_only", "whitelist_only_changed_at"],
} as const;
const toggleNames = Object.keys(toggles) as (keyof typeof toggles)[];

/**
 * Turns lists on and off; what the body leaves out stays.
 *
 * @throws DomainError `rate_limited` within the lock of a switch that changes
 */
export async function updateFirewall(
  writes: ShieldWrites,
  trx: Trx,
  request: FirewallReader & { readonly ifMatch: string | undefined; readonly now: Date },
  body: z.output<typeof updateFirewallBody>,
) {
  const { shieldId } = request;
  await writes.lockActive(trx, shieldId);
  const before = await selectSwitches(trx, shieldId);
  const ifMatch = request.ifMatch === undefined ? undefined : settingsTag(request.ifMatch);
  requireMatch({ ifMatch }, settingsTag(firewallTag(before.version, request.ip)));
  const changes: Parameters<typeof updateSwitches>[2] = {};
  for (const name of toggleNames) {
    const wished = body[name];
    const [enabled, changedAt] = toggles[name];
    if (wished === undefined || wished === before[enabled]) continue;
    requireUnlocked(before[changedAt], request.now);
    changes[enabled] = wished;
    changes[changedAt] = request.now;
  }
  await updateSwitches(trx, shieldId, changes);
  const { switches, etag } = await getSwitches(trx, request);
  const { revision } = await writes.commit(trx, shieldId);
  return { firewall: switches, etag, revision };
}

function requireUnlocked(changedAt: Date | null, now: Date): void {
  if (changedAt === null) return;
  const left = Math.ceil(toggleLockSeconds - (now.getTime() - changedAt.getTime()) / 1000);
  if (left <= 0) return;
  // A replica whose clock is behind must not lock for longer.
  const seconds = Math.min(left, toggleLockSeconds);
  throw new DomainError("rate_limited", { values: { seconds }, retryAfterSeconds: seconds });
}

export async function addEntry(
  writes: ShieldWrites,
  trx: Trx,
  request: FirewallReader & { readonly now: Date },
  body: z.output<typeof addFirewallEntryBody>,
) {
  const { shieldId, now } = request;
  const entry = readEntry(body.ip);
  if (entry === null) throw fieldError("ip", "entry.invalid");
  // The shield's lock also keeps two requests from both taking the last place.
  await writes.lockActive(trx, shieldId);
  const row = { id: newId(), ...entry, created_at: now };
  const part = { list: body.type, kind: entry.kind };
  const rows = { ids: [row.id], values: [entry.value], now };
  if ((await insertEntries(trx, shieldId, part, rows)) === 0) {
    throw new DomainError("entry_exists", { issues: [{ path: "ip", code: "error.entry_exists" }] });
  }
  if ((await countEntries(trx, shieldId, body.type)) > listEntriesMax) {
    throw new DomainError("list_full", { issues: [{ path: "ip", code: "error.list_full" }] });
  }
  const version = await updateSwitches(trx, shieldId, {});
  const { revision } = await writes.commit(trx, shieldId);
  return { entry: presentEntry(row), revision, etag: firewallTag(version, request.ip) };
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
