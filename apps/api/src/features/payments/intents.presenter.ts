import type { PaymentIntent } from "@palisade/contract/http/billing";
import { formatCents } from "#src/features/ledger/money.service.ts";
import type { IntentRow } from "./intents.repository.ts";

export function presentIntent(row: IntentRow): PaymentIntent {
  const totalCents = row.amountCents + row.bonusCents;
  return {
    id: row.id,
    payment_method: row.payment_method,
    is_sandbox: row.provider === "sandbox",
    status: row.status,
    amount: formatCents(row.amountCents),
    amount_cents: row.amountCents,
    bonus_amount: formatCents(row.bonusCents),
    bonus_cents: row.bonusCents,
    total: formatCents(totalCents),
    total_cents: totalCents,
    currency: row.currency,
    promo: presentPromo(row),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}

function presentPromo(row: IntentRow): PaymentIntent["promo"] {
  const { promo_code: code, promo_percentage: percentage, promo_state: state } = row;
  if (code === null || percentage === null || state === null) return null;
  return { code, percentage, state };
}
