import { z } from "zod";
import type { ProviderMovement } from "../provider-books.service.ts";
import { readPaypalValue, transactionsPage } from "./paypal-answers.ts";
import type { PaypalClient } from "./paypal-client.ts";

const uuid = z.uuid();

/** PayPal lists at most 31 days in one request. */
const windowMs = 31 * 86_400_000;

/** More pages than this are no day of this installation. */
const pagesMax = 200;

/**
 * PayPal's own list (Transaction Search). It is complete about three hours later. Payouts to the
 * bank and the like are left out, because they move no customer's money.
 */
export async function listPaypalMovements(
  client: PaypalClient,
  from: Date,
  to: Date,
): Promise<ProviderMovement[]> {
  const movements: ProviderMovement[] = [];
  for (let start = from.getTime(); start < to.getTime(); start += windowMs) {
    // PayPal's end is included.
    const end = Math.min(start + windowMs, to.getTime()) - 1;
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const query = new URLSearchParams({
        start_date: new Date(start).toISOString(),
        end_date: new Date(end).toISOString(),
        fields: "transaction_info",
        page_size: "500",
        page: String(page),
      });
      const path = `/v1/reporting/transactions?${query.toString()}`;
      const answer = transactionsPage.parse(await client.send({ method: "GET", path }));
      pages = answer.total_pages;
      if (pages > pagesMax) throw new Error(`PayPal lists ${pages} pages`);
      movements.push(...answer.transaction_details.flatMap(movementOf));
    }
  }
  return movements;
}

type Details = z.infer<typeof transactionsPage>["transaction_details"][number];

function movementOf({ transaction_info: info }: Details): ProviderMovement[] {
  const kind = kindOf(info.transaction_event_code);
  // Denied and voided ones moved nothing.
  if (kind === null || info.transaction_status === "D" || info.transaction_status === "V")
    return [];
  const named = uuid.safeParse(info.custom_field ?? info.invoice_id);
  return [
    {
      id: info.transaction_id,
      kind,
      cents: readPaypalValue(info.transaction_amount.value),
      currency: info.transaction_amount.currency_code,
      at: new Date(info.transaction_initiation_date),
      intentId: named.success ? named.data : null,
      related: info.paypal_reference_id === undefined ? [] : [info.paypal_reference_id],
    },
  ];
}

/** The groups of PayPal's event codes: T00 payments, T1107 refunds, T11 and T12 reversals. */
function kindOf(code: string): ProviderMovement["kind"] | null {
  if (code.startsWith("T00")) return "payment";
  if (code === "T1107") return "refund";
  if (code.startsWith("T11") || code.startsWith("T12")) return "reversal";
  return null;
}
