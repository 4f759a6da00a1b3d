import { reclaimPorts, releasePorts } from "#src/features/bedrock/bedrock-ports.service.ts";
import { holdNames, reclaimDomains } from "#src/features/domains/domains.service.ts";
import { recordChange } from "#src/features/shield-history/shield-history.service.ts";
import type { Trx } from "#src/platform/database/db.ts";
import { DomainError, fieldError } from "#src/platform/errors/domain-error.ts";
import type { ShieldStatus } from "#src/schema/shields.ts";
import { graceEndsAt, restorableUntil } from "./shield-deadlines.ts";
import { lockLife, updateShield } from "./shield-life.repository.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { requireFreePlace } from "./free-shields.service.ts";
import { getShield, type ShieldCaller } from "./shields.service.ts";
import { lockOwner, selectMembership } from "./shields.repository.ts";

export interface ShieldLifeDeps {
  readonly writes: ShieldWrites;
}

/** Only the console shows the name: neither the label nor a configuration contains it. */
export async function renameShield(
  { writes }: ShieldLifeDeps,
  trx: Trx,
  caller: ShieldCaller,
  request: { readonly shieldId: string; readonly name: string },
) {
  const { shieldId, name } = request;
  await writes.lockActive(trx, shieldId);
  const { server_name: before } = await getShield(trx, caller, shieldId);
  await updateShield(trx, shieldId, { server_name: name });
  await recordChange(trx, { shieldId, now: caller.now }, "general", [
    { field: "name", before, after: name },
  ]);
  return getShield(trx, caller, request.shieldId);
}

/**
 * Deletes softly: the rows stay, so that the owner can restore the shield. Its domains keep their
 * proof until another shield proves them, and its claims block no other shield.
 */
export async function deleteShield(
  { writes }: ShieldLifeDeps,
  trx: Trx,
  { now }: ShieldCaller,
  request: { readonly shieldId: string; readonly typedName: string },
): Promise<{ readonly revision: number; readonly restorableUntil: Date }> {
  const { shieldId } = request;
  const shield = await lockLife(trx, shieldId);
  if (shield === undefined) throw new DomainError("not_found");
  if (request.typedName !== shield.server_name.trim()) {
    throw fieldError("server_name", "server_name.typed");
  }
  if (shield.status === "deleted") {
    const until = restorableUntil(shield.deleted_at ?? now);
    return { revision: shield.revision, restorableUntil: until };
  }
  const { status } = shield;
  await updateShield(trx, shieldId, { status: "deleted", deleted_at: now, deleted_from: status });
  await releasePorts(trx, { shieldId, now });
  await recordChange(trx, { shieldId, now }, "plan", [
    { field: "status", before: status, after: "deleted" },
  ]);
  const { revision } = await writes.commit(trx, shieldId);
  return { revision, restorableUntil: restorableUntil(now) };
}

/**
 * The owner's row is locked first, as where a shield is bought: two restored at once cannot both
 * pass the count, and an account that is being deleted gets none back.
 */
export async function restoreShield(
  { writes }: ShieldLifeDeps,
  trx: Trx,
  caller: ShieldCaller,
  shieldId: string,
) {
  const { userId, now } = caller;
  await lockOwner(trx, userId);
  await holdNames(trx, shieldId);
  const shield = await lockLife(trx, shieldId);
  const member = await selectMembership(trx, userId, shieldId);
  if (shield === undefined || member?.role !== "owner") throw new DomainError("not_found");
  if (shield.status !== "deleted") {
    return { server: await getShield(trx, caller, shieldId), revision: shield.revision };
  }
  if (shield.deleted_at !== null && restorableUntil(shield.deleted_at) <= now) {
    throw new DomainError("not_found");
  }
  const isFree = Number(shield.price_cents) === 0;
  if (isFree) await requireFreePlace(trx, userId);
  const status = statusAfter(shield, now);
  await updateShield(trx, shieldId, { status, deleted_at: null, deleted_from: null });
  await reclaimDomains(trx, shieldId, now);
  await reclaimPorts(trx, shieldId, shield.deleted_at);
  const server = await getShield(trx, caller, shieldId);
  await recordChange(trx, { shieldId, now }, "plan", [
    { field: "status", before: "deleted", after: status },
  ]);
  const { revision } = await writes.commit(trx, shieldId);
  return { server, revision };
}

/** Deleting and restoring lifts no block and gives no unpaid time. */
function statusAfter(
  shield: { readonly deleted_from: ShieldStatus | null; readonly period_ends_at: Date | null },
  now: Date,
): ShieldStatus {
  const { deleted_from, period_ends_at } = shield;
  if (deleted_from === "blocked" || deleted_from === "expired") return deleted_from;
  return period_ends_at !== null && graceEndsAt(period_ends_at) <= now ? "expired" : "active";
}
