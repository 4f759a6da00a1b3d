import type { Stripe } from "stripe";
import type { ProviderMovement } from "../provider-books.service.ts";
import { idOf, orMissing } from "./stripe-client.ts";
import { intentKey, refundKey } from "./stripe-records.ts";

/** More lines than this are no fortnight of this installation. */
const linesMax = 100_000;

/**
 * Stripe's own list (balance transactions). Payouts, fees and the like are left out, because they
 * move no customer's money.
 */
export async function listStripeMovements(
  stripe: Stripe,
  from: Date,
  to: Date,
): Promise<ProviderMovement[]> {
  const movements: Movement[] = [];
  let lines = 0;
  for await (const line of stripe.balanceTransactions.list({
    created: { gte: secondsOf(from), lt: secondsOf(to) + 1 },
    expand: ["data.source"],
    limit: 100,
  })) {
    lines += 1;
    if (lines > linesMax) throw new Error(`Stripe lists more than ${linesMax} lines`);
    const movement = movementOf(line);
    if (movement !== null) movements.push(movement);
  }
  const intents = await intentsOf(stripe, movements);
  return movements.map(({ payment, ...movement }) => ({
    ...movement,
    related: payment === null ? [] : [payment, intents.get(payment) ?? []].flat(),
  }));
}

interface Movement extends Omit<ProviderMovement, "related"> {
  /** The PaymentIntent that it is about. */
  readonly payment: string | null;
}

function movementOf(line: Stripe.BalanceTransaction): Movement | null {
  const kind = kindOf(line.reporting_category);
  const source = typeof line.source === "string" ? null : line.source;
  if (kind === null || source === null) return null;
  if (source.object !== "charge" && source.object !== "refund" && source.object !== "dispute") {
    return null;
  }
  // The balance may be kept in another currency than the payment was made in.
  const isConverted = line.currency !== source.currency;
  const own = source.metadata?.[source.object === "refund" ? refundKey : intentKey];
  return {
    id: source.id,
    kind,
    cents: isConverted ? Math.sign(line.amount) * source.amount : line.amount,
    currency: source.currency.toUpperCase(),
    at: new Date(line.created * 1000),
    intentId: own ?? null,
    payment: idOf(source.payment_intent),
  };
}

/** The groups of Stripe's reports. */
function kindOf(category: string): ProviderMovement["kind"] | null {
  switch (category) {
    case "charge":
      return "payment";
    case "refund":
    case "refund_failure":
      return "refund";
    case "charge_failure":
    case "dispute":
    case "dispute_reversal":
      return "reversal";
    default:
      return null;
  }
}

/** Only payments say which intent they are for, so those of older refunds and disputes are read. */
async function intentsOf(
  stripe: Stripe,
  movements: readonly Movement[],
): Promise<ReadonlyMap<string, string>> {
  const intents = new Map<string, string>();
  const unknown = new Set<string>();
  for (const { kind, payment, intentId } of movements) {
    if (payment === null) continue;
    if (kind === "payment" && intentId !== null) intents.set(payment, intentId);
    else if (kind !== "payment" && intentId === null) unknown.add(payment);
  }
  for (const payment of unknown) {
    if (intents.has(payment)) continue;
    const found = await orMissing(stripe.paymentIntents.retrieve(payment));
    const intentId = found?.metadata[intentKey];
    if (intentId !== undefined) intents.set(payment, intentId);
  }
  return intents;
}

function secondsOf(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}
