import {
  listEntriesMax,
  type addFirewallEntryBody,
  type updateFirewallBody,
} from "@palisade/contract/http/firewall";
import type { z } from "zod";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { DomainError, fieldError } from "#src/platform/http/domain-error.ts";
import { requireMatch } from "#src/platform/http/etag.ts";
import { newId } from "#src/platform/ids.ts";
import type { ShieldWrites } from "#src/features/shields/shield-writes.service.ts";
import { normalizeAddress } from "./address.ts";
import {
  countEntries,
  deleteEntry,
  insertEntry,
  selectEntries,
  selectSwitches,
  updateSwitches,
} from "./firewall.repository.ts";
import { firewallTag, presentEntry, presentFirewall } from "./firewall.presenter.ts";

export async function getFirewall(db: Executor, shieldId: string) {
  const switches = await selectSwitches(db, shieldId);
  const entries = await selectEntries(db, shieldId);
  return { firewall: presentFirewall(switches, entries), etag: firewallTag(switches.version) };
}

/** Turns lists on and off; what the body leaves out stays. */
export async function updateFirewall(
  writes: ShieldWrites,
  trx: Trx,
  request: { readonly shieldId: string; readonly ifMatch: string | undefined },
  body: z.output<typeof updateFirewallBody>,
) {
  const { shieldId } = request;
  await writes.lockActive(trx, shieldId);
  const before = await selectSwitches(trx, shieldId);
  requireMatch(request, firewallTag(before.version));
  await updateSwitches(trx, shieldId, {
    blacklist_enabled: body.ip_blacklist_enabled ?? before.blacklist_enabled,
    whitelist_enabled: body.ip_whitelist_enabled ?? before.whitelist_enabled,
    whitelist_only: body.whitelist_only ?? before.whitelist_only,
  });
  const after = await getFirewall(trx, shieldId);
  const { revision } = await writes.commit(trx, shieldId);
  return { ...after, revision };
}

export async function addEntry(
  writes: ShieldWrites,
  trx: Trx,
  request: { readonly shieldId: string; readonly now: Date },
  body: z.output<typeof addFirewallEntryBody>,
) {
  const { shieldId, now } = request;
  const address = normalizeAddress(body.ip);
  if (address === null) throw fieldError("ip", "ip.invalid");
  // The shield's lock also keeps two requests from both taking the last place.
  await writes.lockActive(trx, shieldId);
  const row = { id: newId(), shield_id: shieldId, list: body.type, address, created_at: now };
  if (!(await insertEntry(trx, row))) {
    throw new DomainError("entry_exists", { issues: [{ path: "ip", code: "error.entry_exists" }] });
  }
  if ((await countEntries(trx, shieldId, body.type)) > listEntriesMax) {
    throw new DomainError("list_full", { issues: [{ path: "ip", code: "error.list_full" }] });
  }
  const version = await updateSwitches(trx, shieldId, {});
  const { revision } = await writes.commit(trx, shieldId);
  return { entry: presentEntry(row), revision, etag: firewallTag(version) };
}

export async function removeEntry(
  writes: ShieldWrites,
  trx: Trx,
  shieldId: string,
  entryId: string,
) {
  await writes.lockActive(trx, shieldId);
  const address = await deleteEntry(trx, shieldId, entryId);
  if (address === undefined) throw new DomainError("not_found");
  const version = await updateSwitches(trx, shieldId, {});
  const { revision } = await writes.commit(trx, shieldId);
  return { address, revision, etag: firewallTag(version) };
}
