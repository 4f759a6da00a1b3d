import type { SandboxCheckout } from "./sandbox.repository.ts";

export type CheckoutState = "open" | "paid" | "cancelled" | "expired";

/** The state of a checkout at a moment. An expired one takes no payment (see `closeCheckout`). */
export function stateOf(
  checkout: Pick<SandboxCheckout, "status" | "expires_at">,
  now: Date,
): CheckoutState {
  const isOver = checkout.status === "open" && checkout.expires_at <= now;
  return isOver ? "expired" : checkout.status;
}
