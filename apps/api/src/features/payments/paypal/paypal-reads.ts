import { capture, order, type PaypalOrder } from "./paypal-answers.ts";
import { PaypalRefusal, type PaypalClient } from "./paypal-client.ts";

/** @returns null if PayPal knows no such order (any more) */
export async function readOrder(client: PaypalClient, id: string): Promise<PaypalOrder | null> {
  const found = await readOrNull(client, `/v2/checkout/orders/${encodeURIComponent(id)}`);
  return found === null ? null : order.parse(found);
}

/** The order that a capture belongs to; null if PayPal does not say. */
export async function orderOfCapture(client: PaypalClient, id: string): Promise<string | null> {
  const found = await readOrNull(client, `/v2/payments/captures/${encodeURIComponent(id)}`);
  if (found === null) return null;
  return capture.parse(found).supplementary_data?.related_ids?.order_id ?? null;
}

async function readOrNull(client: PaypalClient, path: string): Promise<unknown> {
  try {
    return await client.send({ method: "GET", path });
  } catch (error) {
    if (error instanceof PaypalRefusal && error.status === 404) return null;
    throw error;
  }
}
