import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { IntentRow } from "./intents.repository.ts";

/** Identifies the refund in the ledger, here and when the provider reports it. */
export function refundKeyOf(refundId: string): string {
  return `refund:${refundId}`;
}

/** @throws DomainError `conflict` if this payment cannot be refunded by so much */
export function requireRefundable(intent: IntentRow, cents: number, refundedCents: number): void {
  if (!Number.isSafeInteger(cents) || cents <= 0) throw new RangeError(`${cents} is no amount`);
  const isPaid = intent.status === "completed" && intent.reference !== null;
  if (!isPaid || cents > intent.amountCents - refundedCents) throw new DomainError("conflict");
}

const minuteMs = 60_000;

/** The pause after the n-th try: it doubles up to 6 hours. */
export function refundRetryMs(tries: number): number {
  return minuteMs * Math.min(360, 2 ** Math.min(tries, 10));
}
