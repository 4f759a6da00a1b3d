import { createHmac, randomBytes } from "node:crypto";

const webhookSecretPrefix = "whsec_";

export interface SignedMessage {
  /** The same at every try, so that a receiver can tell a repetition. */
  readonly id: string;
  readonly body: string;
  readonly now: Date;
  /** `whsec_…`, the current one first. */
  readonly secrets: readonly string[];
}

/** The headers of Standard Webhooks: each secret signs `id.timestamp.body`. */
export function signedHeaders({ id, body, now, secrets }: SignedMessage): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(webhookSecretPrefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

export function newWebhookSecret(): string {
  return `${webhookSecretPrefix}${randomBytes(32).toString("base64")}`;
}
