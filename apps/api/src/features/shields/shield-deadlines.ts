import { restorableDays } from "@palisade/contract/http/server-life";

const restorableMs = restorableDays * 86_400_000;
const graceMs = 72 * 3_600_000;

/** Until then the owner of a deleted shield can have it back, and is told that it was deleted. */
export function restorableUntil(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + restorableMs);
}

/** What was deleted then or before can be restored no more. */
export function restorableSince(now: Date): Date {
  return new Date(now.getTime() - restorableMs);
}

/** Unpaid, a shield stays active until then. */
export function graceEndsAt(periodEndsAt: Date): Date {
  return new Date(periodEndsAt.getTime() + graceMs);
}
