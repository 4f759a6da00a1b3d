import type { Webhook, WebhookDelivery } from "@palisade/contract/http/webhooks";
import { mayReadMessage, type DeliveryReader } from "./delivery-rights.policy.ts";
import type { DeliveryRow, WebhookRow } from "./webhooks.repository.ts";

export function presentWebhook(row: WebhookRow, now: Date): Webhook {
  const until = row.former_secret_until;
  return {
    id: row.id,
    format: row.format,
    url: row.hint,
    events: row.events,
    enabled: row.enabled,
    disabled_reason: row.disabled_reason,
    failing_since: row.failing_since?.toISOString() ?? null,
    former_secret_until: until !== null && until > now ? until.toISOString() : null,
    created_at: row.created_at.toISOString(),
  };
}

export function presentDelivery(row: DeliveryRow, reader: DeliveryReader): WebhookDelivery {
  const isReadable = mayReadMessage(row.kind, reader);
  return {
    id: row.id,
    type: row.kind,
    state: row.state,
    attempts: row.attempts,
    created_at: row.created_at.toISOString(),
    last_attempt_at: row.last_at?.toISOString() ?? null,
    next_attempt_at: row.next_at?.toISOString() ?? null,
    request: isReadable ? row.body : null,
    status: row.status,
    // A receiver may answer with what it was sent.
    answer: isReadable ? row.answer : "",
    error: row.error,
    latency_ms: row.latency_ms,
  };
}

/** Enough to tell one address from another; tokens are at its end or in its query. */
export function maskUrl(url: string): string {
  const { protocol, host, pathname, search } = new URL(url);
  const chat = new URLSearchParams(search).get("chat_id");
  if (chat !== null && host === "api.telegram.org") return `${protocol}//${host}/…${chat}`;
  const rest = `${pathname}${search}`;
  if (rest === "/") return `${protocol}//${host}/`;
  return `${protocol}//${host}/…${rest.length > shownFrom ? rest.slice(-4) : ""}`;
}

/** Four characters of a shorter secret would be too much of it. */
const shownFrom = 24;
