import { restorableDays } from "@palisade/contract/http/server-life";

const restorableMs = restorableDays * 86_400_000;
const graceMs = 72 * 3_600_000;

/** Until then the owner can restore a deleted shield, and sees that it was deleted. */
export function restorableUntil(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + restorableMs);
}

/** Shields deleted at or before this time can no longer be restored. */
export function restorableSince(now: Date): Date {
  return new Date(now.getTime() - restorableMs);
}

/** Unpaid, a shield stays active until then. */
export function graceEndsAt(periodEndsAt: Date): Date {
  return new Date(periodEndsAt.getTime() + graceMs);
}
