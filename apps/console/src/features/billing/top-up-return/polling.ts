import type { PaymentIntent } from "@palisade/contract/http/billing";

const firstMs = 1_000;
const slowestMs = 15_000;

/** The pause before the next poll. It doubles, so that a long wait costs little. */
export function pollDelayMs(polls: number): number {
  return Math.min(slowestMs, firstMs * 2 ** Math.max(0, polls - 1));
}

/** Whether the status will not change any more. */
export function isFinal(status: PaymentIntent["status"]): boolean {
  return status !== "pending";
}
