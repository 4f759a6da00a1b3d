import { EventRefused, type ProviderEvent, type WebhookDelivery } from "../payment-provider.ts";
import { verification, webhookEvent, type PaypalWebhookEvent } from "./paypal-answers.ts";
import { PaypalRefusal, type PaypalClient } from "./paypal-client.ts";
import { orderOfCapture } from "./paypal-reads.ts";

const signatureHeaders = {
  auth_algo: "paypal-auth-algo",
  cert_url: "paypal-cert-url",
  transmission_id: "paypal-transmission-id",
  transmission_sig: "paypal-transmission-sig",
  transmission_time: "paypal-transmission-time",
} as const;

const headerCharsMax = 2_000;

/**
 * Lets PayPal itself check the signature of a delivery, and reads which order the event is about.
 *
 * @throws EventRefused if the delivery is not PayPal's, or an error if PayPal does not answer; then
 *   the delivery is answered with an error, and PayPal sends it again
 */
export async function readPaypalEvent(
  client: PaypalClient,
  webhookId: string,
  { body, header }: WebhookDelivery,
): Promise<ProviderEvent> {
  const text = body.toString("utf8");
  const event = webhookEvent.safeParse(parseJson(text));
  if (!event.success) throw new EventRefused("not an event of PayPal");
  const signature = readSignature(header);
  if (!(await isGenuine(client, webhookId, signature, text))) throw new EventRefused("signature");
  const { id: eventId, event_type: type } = event.data;
  return { eventId, type, reference: await orderOf(client, event.data) };
}

function readSignature(header: WebhookDelivery["header"]): Record<string, string> {
  const entries = Object.entries(signatureHeaders).map(([field, name]) => {
    const value = header(name);
    if (value === undefined || value === "" || value.length > headerCharsMax) {
      throw new EventRefused(`the header ${name} is missing`);
    }
    return [field, value] as const;
  });
  return Object.fromEntries(entries);
}

async function isGenuine(
  client: PaypalClient,
  webhookId: string,
  signature: Record<string, string>,
  event: string,
): Promise<boolean> {
  const head = JSON.stringify({ ...signature, webhook_id: webhookId }).slice(0, -1);
  try {
    const answer = await client.send({
      method: "POST",
      path: "/v1/notifications/verify-webhook-signature",
      // The signature covers the event's bytes, so they are sent as they came, not written anew.
      body: `${head},"webhook_event":${event}}`,
    });
    return verification.parse(answer).verification_status === "SUCCESS";
  } catch (error) {
    // Headers that are no signature at all.
    if (error instanceof PaypalRefusal && [400, 422].includes(error.status)) return false;
    throw error;
  }
}

/** Events of payments name a capture, and only some of them its order. */
async function orderOf(client: PaypalClient, event: PaypalWebhookEvent): Promise<string | null> {
  const { event_type: type, resource } = event;
  if (type.startsWith("CHECKOUT.ORDER.") || type.startsWith("CHECKOUT.PAYMENT-APPROVAL.")) {
    return resource.id ?? null;
  }
  const named = resource.supplementary_data?.related_ids?.order_id;
  if (named !== undefined) return named;
  const captureId =
    resource.disputed_transactions?.[0]?.seller_transaction_id ??
    capturePath.exec(resource.links?.find(({ rel }) => rel === "up")?.href ?? "")?.[1];
  return captureId === undefined ? null : orderOfCapture(client, captureId);
}

/** Only the id in the link is used; the address is never fetched. */
const capturePath = /\/v2\/payments\/captures\/([A-Za-z0-9]{1,64})$/;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
