import type { IntentRow } from "./intents.repository.ts";
import type { ProviderRecord } from "./payment-provider.ts";

/**
 * What is to be done about an intent; `wait`: nothing, now. `expire` is our own guess, after which
 * it may still turn out paid; with `close` the provider has said that it will not.
 */
export type SettlementDecision =
  | { readonly action: "credit" | "cancel" | "expire" | "close" | "wait" }
  | { readonly action: "review"; readonly reason: string };

/** What was paid in the last second, by the provider's clock, stands in its record by then. */
const graceMs = 5 * 60_000;

/** Whoever took a provider out for a while has put it back by then. */
const missingProviderMs = 24 * 3_600_000;

/** Whether a checkout is over for so long that it ends without its provider being asked. */
export function isLongOver(expiresAt: Date, now: Date): boolean {
  return now.getTime() >= expiresAt.getTime() + missingProviderMs;
}

/**
 * Decides by the provider's own record alone. What is paid is credited however late it comes, also
 * after a cancellation or expiry: the money is ours then, and so would the mistake be.
 */
export function decideSettlement(
  intent: IntentRow,
  record: ProviderRecord | null,
  now: Date,
): SettlementDecision {
  if (intent.status === "completed" || intent.status === "review") return { action: "wait" };
  if (record?.status === "paid") {
    const reason = mismatch(intent, record);
    return reason === null ? { action: "credit" } : { action: "review", reason };
  }
  const isClosed = record?.status === "expired" || record?.status === "cancelled";
  if (intent.status === "expired") {
    return { action: isClosed && intent.closed_at === null ? "close" : "wait" };
  }
  if (intent.status !== "pending") return { action: "wait" };
  if (record?.status === "expired") return { action: "close" };
  if (record?.status === "cancelled") return { action: "cancel" };
  // A transfer under way may take days: only what nobody has begun to pay expires.
  const isUntouched = record === null || record.status === "open";
  const isOver = now.getTime() >= intent.expires_at.getTime() + graceMs;
  return { action: isUntouched && isOver ? "expire" : "wait" };
}

function mismatch(intent: IntentRow, record: ProviderRecord): string | null {
  const pairs = [
    ["intent", intent.id, record.intentId],
    ["amount", intent.amountCents, record.amountCents],
    ["currency", intent.currency, record.currency],
    ["account", intent.provider_account, record.account],
  ] as const;
  const wrong = pairs.filter(([, ordered, recorded]) => ordered !== recorded);
  if (wrong.length === 0) return null;
  return wrong.map(([what, ordered, recorded]) => `${what} ${recorded}, not ${ordered}`).join("; ");
}
