import type { IntentRow } from "./intents.repository.ts";
import type { ProviderRecord } from "./payment-provider.ts";

/**
 * The next step for an intent; `wait` changes nothing. After `expire`, which follows from this
 * side's clock, the intent may still turn out paid; with `close` the provider rules that out.
 */
export type SettlementDecision =
  | { readonly action: "credit" | "cancel" | "expire" | "close" | "wait" }
  | { readonly action: "review"; readonly reason: string };

/** By then a payment of the last second, by the provider's clock, is in its record. */
const graceMs = 5 * 60_000;

/** An operator who removes a provider for a short time has restored it by then. */
const missingProviderMs = 24 * 3_600_000;

/** Whether a checkout ended so long ago that its intent ends without an answer of its provider. */
export function isLongOver(expiresAt: Date, now: Date): boolean {
  return now.getTime() >= expiresAt.getTime() + missingProviderMs;
}

/**
 * Decides by the provider's own record alone. A payment is credited however late it comes, also
 * after a cancellation or expiry, because the money has arrived.
 */
export function decideSettlement(
  intent: IntentRow,
  record: ProviderRecord | null,
  now: Date,
): SettlementDecision {
  if (intent.status === "completed" || intent.status === "review") return { action: "wait" };
  if (intent.resolved_at !== null) return { action: "wait" };
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
  // A transfer under way may take days, so an intent expires only if no payment has begun.
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

/** Identifies the credit of a payment in the ledger. */
export function topUpKeyOf(intentId: string): string {
  return `top-up:${intentId}`;
}
