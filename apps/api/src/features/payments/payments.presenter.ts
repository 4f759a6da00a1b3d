import type { PaymentIntent, Transaction } from "@palisade/contract/http/billing";
import { renderText, type Locale } from "@palisade/contract/texts/render";
import { formatCents, readCents } from "#src/features/ledger/money.service.ts";
import type { IntentRow } from "./intents.repository.ts";
import type { TransactionRow } from "./transactions.repository.ts";

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

export function presentTransaction(row: TransactionRow, locale: Locale): Transaction {
  const cents = readCents(row.cents);
  return {
    id: row.id,
    transaction_id: quotableId(row.id),
    type: row.type,
    payment_method: row.payment_method,
    is_sandbox: row.is_sandbox,
    description: describe(row, locale),
    amount: formatCents(cents),
    amount_cents: cents,
    currency: "EUR",
    status: row.status,
    created_at: row.created_at.toISOString(),
  };
}

/** The random end of the id: short enough to read aloud, and unique within an account. */
function quotableId(id: string): string {
  const digits = id.replaceAll("-", "").slice(-10).toUpperCase();
  return `P-${digits.slice(0, 5)}-${digits.slice(5)}`;
}

function describe(row: TransactionRow, locale: Locale): string {
  switch (row.type) {
    case "top_up":
      return renderText(
        locale,
        row.payment_method === "paypal" ? "transaction.top_up.paypal" : "transaction.top_up.stripe",
      );
    case "purchase":
    case "renewal":
      return describeCharge(row, row.type, locale);
    case "promo_bonus":
      return renderText(locale, "transaction.promo_bonus", { code: row.promo_code ?? "" });
    case "refund":
    case "dispute":
      return renderText(locale, `transaction.${row.type}${row.is_returned ? ".returned" : ""}`);
    case "adjustment":
      return renderText(locale, "transaction.adjustment");
  }
}

function describeCharge(
  { about, server_name: server, plan: names }: TransactionRow,
  type: "purchase" | "renewal",
  locale: Locale,
): string {
  const plan = names?.[locale];
  // Without a shield it is about the support plan of the account.
  if (server === null) {
    const key = type === "renewal" ? "transaction.support_renewal" : "transaction.support_plan";
    return plan === undefined
      ? renderText(locale, key)
      : renderText(locale, `${key}.named`, { plan });
  }
  if (about !== "upgrade") return renderText(locale, `transaction.${type}`, { server });
  return plan === undefined
    ? renderText(locale, "transaction.upgrade", { server })
    : renderText(locale, "transaction.upgrade.plan", { server, plan });
}
