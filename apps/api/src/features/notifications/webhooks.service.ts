import {
  formerSecretHours,
  webhooksMax,
  type addWebhookBody,
  type updateWebhookBody,
  type Webhook,
  type WebhookDelivery,
} from "@palisade/contract/http/webhooks";
import type { Locale } from "@palisade/contract/texts/render";
import type { z } from "zod";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { recordChange } from "#src/features/shield-history/shield-history.service.ts";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { DomainError, fieldError } from "#src/platform/errors/domain-error.ts";
import { isPublicHost } from "#src/platform/http/outbound.ts";
import type { Sealer } from "#src/platform/security/sealing.ts";
import { newWebhookSecret } from "#src/platform/security/webhook-signature.ts";
import type { DeliveryReader } from "./delivery-rights.policy.ts";
import { wakeNotifications } from "./notification-events.repository.ts";
import { readSettings } from "./notification-settings.repository.ts";
import { queueMessage } from "./spreading.service.ts";
import { maskUrl, presentDelivery, presentWebhook } from "./webhooks.presenter.ts";
import {
  changeWebhook,
  deleteWebhook,
  dropWaiting,
  insertWebhook,
  selectDelivery,
  selectShieldName,
  selectWebhook,
  selectWebhooks,
  sendAgain,
  type WebhookRow,
} from "./webhooks.repository.ts";

export interface WebhooksDeps {
  readonly writes: ShieldWrites;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly consoleOrigin: () => string;
  /** In development a receiver may be on this machine, and without TLS. */
  readonly allowLoopback: boolean;
}

interface OfShield {
  readonly shieldId: string;
  readonly now: Date;
}
export interface OfWebhook extends OfShield {
  readonly webhookId: string;
}

/** @throws DomainError `server_not_active`, `list_full`, `validation_failed` */
export async function addWebhook(
  deps: WebhooksDeps,
  trx: Trx,
  { shieldId, now }: OfShield,
  { url, format, events }: z.output<typeof addWebhookBody>,
): Promise<{ webhook: Webhook; secret: string | null }> {
  requireCallable(url, deps.allowLoopback);
  await deps.writes.lockActive(trx, shieldId);
  if ((await selectWebhooks(trx, shieldId)).length >= webhooksMax) {
    throw new DomainError("list_full", {
      text: "webhooks.full",
      issues: [{ path: "url", code: "webhooks.full" }],
    });
  }
  const id = newId();
  const secret = format === "json" ? newWebhookSecret() : null;
  const row = await insertWebhook(trx, {
    id,
    shield_id: shieldId,
    format,
    sealed_url: deps.sealer.seal(url, id),
    host: new URL(url).host,
    hint: maskUrl(url),
    sealed_secret: secret === null ? null : deps.sealer.seal(secret, id),
    events: [...new Set(events)],
    created_at: now,
  });
  await record(trx, { shieldId, now }, row, { field: "webhook", before: null, after: format });
  return { webhook: presentWebhook(row, now), secret };
}

function requireCallable(url: string, allowLoopback: boolean): void {
  const { protocol, hostname } = new URL(url);
  if (protocol !== "https:" && !allowLoopback) throw fieldError("url", "webhook.https");
  if (!isPublicHost(hostname, allowLoopback)) throw fieldError("url", "webhook.private");
}

export async function updateWebhook(
  { writes }: WebhooksDeps,
  trx: Trx,
  request: OfWebhook,
  { events, enabled }: z.output<typeof updateWebhookBody>,
): Promise<Webhook> {
  await writes.lockActive(trx, request.shieldId);
  const before = await requireWebhook(trx, request);
  const isSwitched = enabled !== undefined && enabled !== before.enabled;
  const row = await changeWebhook(trx, before.id, {
    events: events === undefined ? before.events : [...new Set(events)],
    ...(isSwitched && {
      enabled,
      disabled_reason: enabled ? null : "owner",
      failing_since: null,
    }),
  });
  if (isSwitched && !enabled) await dropWaiting(trx, row.id);
  await record(trx, request, row, {
    field: "enabled",
    before: before.enabled,
    after: row.enabled,
  });
  await record(trx, request, row, {
    field: "events",
    before: before.events.toSorted().join(", "),
    after: row.events.toSorted().join(", "),
  });
  return presentWebhook(row, request.now);
}

export async function removeWebhook(
  { writes }: WebhooksDeps,
  trx: Trx,
  request: OfWebhook,
): Promise<void> {
  await writes.lockActive(trx, request.shieldId);
  const row = await requireWebhook(trx, request);
  await deleteWebhook(trx, row.id);
  await record(trx, request, row, { field: "webhook", before: row.format, after: null });
}

/** The former secret signs too for a while, beside the new one. */
export async function rotateSecret(
  { writes, sealer }: WebhooksDeps,
  trx: Trx,
  request: OfWebhook,
): Promise<{ webhook: Webhook; secret: string | null }> {
  const { now } = request;
  await writes.lockActive(trx, request.shieldId);
  const before = await requireWebhook(trx, request);
  if (before.sealed_secret === null) return { webhook: presentWebhook(before, now), secret: null };
  const secret = newWebhookSecret();
  const row = await changeWebhook(trx, before.id, {
    sealed_secret: sealer.seal(secret, before.id),
    sealed_former_secret: before.sealed_secret,
    former_secret_until: new Date(now.getTime() + formerSecretHours * 3_600_000),
  });
  await record(trx, request, row, { field: "secret", before: null, after: true });
  return { webhook: presentWebhook(row, now), secret };
}

/** Sent whatever the shield's settings are, also by a webhook that is off. */
export async function sendTest(
  deps: WebhooksDeps,
  trx: Trx,
  request: OfWebhook & { readonly locale: Locale; readonly reader: DeliveryReader },
): Promise<WebhookDelivery> {
  const { shieldId, now, locale } = request;
  await deps.writes.lockActive(trx, shieldId);
  const webhook = await requireWebhook(trx, request);
  const id = await queueMessage(deps, trx, webhook, {
    kind: "webhook.test",
    thread: null,
    at: now,
    data: { server_id: shieldId, server_name: await selectShieldName(trx, shieldId) },
    settings: await readSettings(trx, shieldId),
    locale,
  });
  await wakeNotifications(trx);
  return presentDelivery((await selectDelivery(trx, webhook.id, id)) ?? missing(), request.reader);
}

export async function redeliver(
  { writes }: WebhooksDeps,
  trx: Trx,
  request: OfWebhook & { readonly deliveryId: string; readonly reader: DeliveryReader },
): Promise<WebhookDelivery> {
  await writes.lockActive(trx, request.shieldId);
  const webhook = await requireWebhook(trx, request);
  const delivery = await selectDelivery(trx, webhook.id, request.deliveryId);
  if (delivery === undefined) throw new DomainError("not_found");
  await sendAgain(trx, delivery.id, request.now);
  await wakeNotifications(trx);
  const sentAgain = await selectDelivery(trx, webhook.id, delivery.id);
  return presentDelivery(sentAgain ?? missing(), request.reader);
}

/** @throws DomainError `not_found` */
export async function requireWebhook(
  db: Parameters<typeof selectWebhook>[0],
  { shieldId, webhookId }: Pick<OfWebhook, "shieldId" | "webhookId">,
): Promise<WebhookRow> {
  const row = await selectWebhook(db, shieldId, webhookId);
  if (row === undefined) throw new DomainError("not_found");
  return row;
}

function missing(): never {
  throw new DomainError("not_found");
}

/** Names the webhook by its masked address. */
async function record(
  trx: Trx,
  { shieldId, now }: OfShield,
  { hint }: Pick<WebhookRow, "hint">,
  change: {
    readonly field: string;
    readonly before: string | boolean | null;
    readonly after: string | boolean | null;
  },
): Promise<void> {
  await recordChange(trx, { shieldId, now }, "notifications", [{ ...change, item: hint }]);
}
