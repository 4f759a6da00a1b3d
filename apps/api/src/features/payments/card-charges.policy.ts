import type { IntentRow } from "./intents.repository.ts";

/**
 * - `paid` the money is in the user's cash
 * - `declined` no money was or will be taken; the same call may be made again later
 * - `needs-authentication` the bank wants to see the payer, who has a mail with a checkout. The same
 *   call tells later what came of it.
 */
export type CardChargeResult =
  | { readonly outcome: "paid"; readonly intentId: string }
  | { readonly outcome: "declined"; readonly reason: "no card" | "refused" | "in review" }
  | { readonly outcome: "needs-authentication"; readonly until: Date };

/** The next step of a charge; `charge` and `authenticate` continue an attempt under way. */
export type ChargeStep =
  | { readonly action: "answer"; readonly result: CardChargeResult }
  | { readonly action: "charge" | "authenticate"; readonly intent: IntentRow };

/** A card that was declined is not charged again at once: banks punish that. */
const pauseMs = 60 * 60_000;

/** @param attempts all of one business key, the newest first */
export function nextCharge(attempts: readonly IntentRow[], now: Date): ChargeStep | "begin" {
  const paid = attempts.find(({ status }) => status === "completed");
  if (paid !== undefined) {
    return { action: "answer", result: { outcome: "paid", intentId: paid.id } };
  }
  if (attempts.some(({ status }) => status === "review")) return declined("in review");
  const pending = attempts.find(({ status }) => status === "pending");
  if (pending !== undefined) {
    const isCharge = pending.origin === "saved_card";
    return { action: isCharge ? "charge" : "authenticate", intent: pending };
  }
  // Its provider has not said yet that it takes no payment any more.
  const unclosed = attempts.find(
    (each) => each.status === "expired" && each.reference !== null && each.closed_at === null,
  );
  if (unclosed !== undefined) {
    const until = unclosed.expires_at;
    return { action: "answer", result: { outcome: "needs-authentication", until } };
  }
  const [last] = attempts;
  const ended = last?.settled_at ?? null;
  const isTooSoon = ended !== null && now.getTime() < ended.getTime() + pauseMs;
  return isTooSoon ? declined("refused") : "begin";
}

function declined(reason: "refused" | "in review"): ChargeStep {
  return { action: "answer", result: { outcome: "declined", reason } };
}
