import type { CardList, SavedCard } from "@palisade/contract/http/payment-methods";
import type { CardProvider } from "#src/features/payments/card-provider.service.ts";
import type { CardRow } from "./payment-methods.repository.ts";

export function presentCards(
  cards: CardProvider | undefined,
  rows: readonly CardRow[],
  now: Date,
): CardList {
  const isReady = cards?.isReady() === true;
  const mode = cards?.name === "sandbox" ? ("sandbox" as const) : ("live" as const);
  return {
    mode: isReady ? mode : "unavailable",
    cards: rows.map((row) => presentCard(row, now)),
  };
}

function presentCard(row: CardRow, now: Date): SavedCard {
  return {
    id: row.id,
    brand: row.brand,
    last4: row.last4,
    exp_month: row.exp_month,
    exp_year: row.exp_year,
    is_expired: isExpired(row, now),
    is_default: row.is_default,
    created_at: row.created_at.toISOString(),
  };
}

/** A card is valid until the end of its month. */
export function isExpired(
  { exp_month, exp_year }: Pick<CardRow, "exp_month" | "exp_year">,
  now: Date,
): boolean {
  return now.getTime() >= Date.UTC(exp_year, exp_month, 1);
}
