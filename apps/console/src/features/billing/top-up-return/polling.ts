import type { PaymentIntent } from "@palisade/contract/http/billing";

const firstMs = 1_000;
const slowestMs = 15_000;

/** Pause before the next look after so many: doubling, so that a long wait costs little. */
export function pollDelayMs(looks: number): number {
  return Math.min(slowestMs, firstMs * 2 ** Math.max(0, looks - 1));
}

/** Nothing about it will change by waiting. */
export function isFinal(status: PaymentIntent["status"]): boolean {
  return status !== "pending";
}
