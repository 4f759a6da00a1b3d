import type { WebhookFormat } from "@palisade/contract/http/webhooks";

/**
 * The meanings of an answer:
 *
 * - `delivered`  the receiver took the message
 * - `gone`       it never takes one again: the webhook is switched off
 * - `unedited`   the message that was to be edited has gone: another one is sent
 * - `retry`      anything else, redirects included
 */
export type AnswerMeaning = "delivered" | "gone" | "unedited" | "retry";

/**
 * Statuses of a webhook that was deleted, or whose token is void. Of Discord, 403 is not among them:
 * it may refuse our address for every webhook.
 */
const gone: Readonly<Record<WebhookFormat, readonly number[]>> = {
  json: [410],
  discord: [401, 404, 410],
  slack: [403, 404, 410],
  telegram: [401, 403, 404],
};

export function meaningOf(
  format: WebhookFormat,
  isEdit: boolean,
  { status, body }: { readonly status: number; readonly body: string },
): AnswerMeaning {
  if (status >= 200 && status < 300) return "delivered";
  if (isEdit && format === "discord" && status === 404 && !isUnknownWebhook(body))
    return "unedited";
  if (isEdit && format === "telegram" && status === 400) {
    // After a crash the same edit is sent again.
    if (body.includes("message is not modified")) return "delivered";
    if (/message (to edit not found|can't be edited)/.test(body)) return "unedited";
  }
  return gone[format].includes(status) ? "gone" : "retry";
}

/** Discord's code 10015; an unknown message has 10008. */
function isUnknownWebhook(body: string): boolean {
  return /"code":\s*10015\b/.test(body);
}
