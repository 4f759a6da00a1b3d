import { RefundRefused, type ProviderReversal, type RefundOrder } from "../payment-provider.ts";
import {
  dispute,
  disputeList,
  readPaypalValue,
  refund,
  toPaypalValue,
  type PaypalOrder,
} from "./paypal-answers.ts";
import { PaypalRefusal, type PaypalClient } from "./paypal-client.ts";
import { readOrder } from "./paypal-reads.ts";

/**
 * PayPal carries a refund out once for each of its ids, and answers a repetition with its state.
 *
 * @throws RefundRefused if PayPal will never carry it out
 */
export async function refundCapture(client: PaypalClient, wanted: RefundOrder): Promise<void> {
  const captured = captureOf(await readOrder(client, wanted.reference));
  if (captured === undefined) throw new RefundRefused("PayPal has no payment of this order");
  const { currency_code } = captured.amount;
  try {
    const answer = await client.send({
      method: "POST",
      path: `/v2/payments/captures/${encodeURIComponent(captured.id)}/refund`,
      requestId: wanted.refundId,
      body: {
        amount: { currency_code, value: toPaypalValue(wanted.amountCents) },
        custom_id: wanted.refundId,
      },
    });
    const { id, status } = refund.parse(answer);
    if (isFailed(status)) throw new RefundRefused(`PayPal's refund ${id} is ${status}`);
  } catch (error) {
    // 422 is PayPal's decision about this refund; other refusals are about the request.
    if (!(error instanceof PaypalRefusal) || error.status !== 422) throw error;
    throw new RefundRefused(error.message, { cause: error });
  }
}

/** Every refund of an order's payment, also those ordered elsewhere, and every dispute about it. */
export async function listReversals(
  client: PaypalClient,
  reference: string,
): Promise<ProviderReversal[]> {
  const order = await readOrder(client, reference);
  const captured = captureOf(order);
  if (order === null || captured === undefined) return [];
  const refunds = (order.purchase_units[0]?.payments?.refunds ?? []).map(
    (each): ProviderReversal => ({
      kind: "refund",
      id: each.id,
      refundId: each.custom_id ?? null,
      amountCents: readPaypalValue(each.amount?.value ?? "0"),
      currency: each.amount?.currency_code ?? captured.amount.currency_code,
      state: isFailed(each.status) ? "returned" : "taken",
    }),
  );
  return [...refunds, ...(await listDisputes(client, captured.id))];
}

/** PayPal holds the money back from the opening of a dispute on, until the seller has won it. */
async function listDisputes(client: PaypalClient, captureId: string): Promise<ProviderReversal[]> {
  const query = new URLSearchParams({ disputed_transaction_id: captureId });
  const path = `/v1/customer/disputes?${query.toString()}`;
  const { items } = disputeList.parse(
    await client.send({ method: "GET", path }).catch((error: unknown) => {
      // The app lacks the right, which `missingRights` reports at the start.
      if (error instanceof PaypalRefusal && error.status === 403) return {};
      throw error;
    }),
  );
  const disputes: ProviderReversal[] = [];
  for (const { dispute_id: id } of items) {
    const found = dispute.parse(
      await client.send({
        method: "GET",
        path: `/v1/customer/disputes/${encodeURIComponent(id)}`,
      }),
    );
    const isOver = found.status === "RESOLVED";
    const isLost = isOver && found.dispute_outcome?.outcome_code === "RESOLVED_BUYER_FAVOUR";
    disputes.push({
      kind: "dispute",
      id,
      refundId: null,
      amountCents: readPaypalValue(found.dispute_amount.value),
      currency: found.dispute_amount.currency_code,
      state: isOver && !isLost ? "returned" : "taken",
    });
  }
  return disputes;
}

function captureOf(order: PaypalOrder | null) {
  return order?.purchase_units[0]?.payments?.captures?.[0];
}

function isFailed(status: string): boolean {
  return status === "FAILED" || status === "CANCELLED";
}
