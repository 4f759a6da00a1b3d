import type { updateFirewallBody } from "@palisade/contract/http/firewall";
import { toggleLockSeconds } from "@palisade/contract/http/servers";
import type { z } from "zod";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { requireMatch } from "#src/platform/http/etag.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { normalizeAddress } from "./address.ts";
import { listHolds, selectEntries, selectSwitches, updateSwitches } from "./firewall.repository.ts";
import { firewallTag, presentLists, presentSwitches, settingsTag } from "./firewall.presenter.ts";

export interface FirewallReader {
  readonly shieldId: string;
  /** Address of the caller. */
  readonly ip: string;
  readonly now: Date;
}

export async function getFirewall(db: Executor, reader: FirewallReader) {
  const { switches, etag } = await getSwitches(db, reader);
  const lists = presentLists(await selectEntries(db, reader.shieldId));
  return { firewall: { ...switches, ...lists }, etag };
}

async function getSwitches(db: Executor, { shieldId, ip, now }: FirewallReader) {
  const row = await selectSwitches(db, shieldId);
  const address = normalizeAddress(ip);
  const whitelisted =
    address !== null && (await listHolds(db, shieldId, { list: "whitelist", address, now }));
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
  request: FirewallReader & { readonly ifMatch: string | undefined },
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
