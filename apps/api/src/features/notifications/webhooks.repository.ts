import type { NotificationEvent } from "@palisade/contract/http/notification-events";
import { sql, type Insertable, type Selectable, type Updateable } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { TimeCursor } from "#src/platform/http/time-cursor.ts";
import type { Database } from "#src/schema/database.ts";

export type WebhookRow = Selectable<Database["shield_webhooks"]>;
export type DeliveryRow = Selectable<Database["webhook_deliveries"]>;
export type ReceivingWebhook = Pick<WebhookRow, "id" | "format">;

export function selectWebhooks(db: Executor, shieldId: string): Promise<WebhookRow[]> {
  return db
    .selectFrom("shield_webhooks")
    .selectAll()
    .where("shield_id", "=", shieldId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** Those that are on and get this event. */
export function selectReceivers(
  db: Executor,
  shieldId: string,
  kind: NotificationEvent,
): Promise<ReceivingWebhook[]> {
  return db
    .selectFrom("shield_webhooks")
    .select(["id", "format"])
    .where("shield_id", "=", shieldId)
    .where("enabled", "=", true)
    .where(sql<boolean>`${kind} = any(events)`)
    .orderBy("id")
    .execute();
}

export function selectWebhook(
  db: Executor,
  shieldId: string,
  webhookId: string,
): Promise<WebhookRow | undefined> {
  return db
    .selectFrom("shield_webhooks")
    .selectAll()
    .where("shield_id", "=", shieldId)
    .where("id", "=", webhookId)
    .executeTakeFirst();
}

export async function insertWebhook(
  trx: Trx,
  webhook: Insertable<Database["shield_webhooks"]>,
): Promise<WebhookRow> {
  return trx.insertInto("shield_webhooks").values(webhook).returningAll().executeTakeFirstOrThrow();
}

export async function changeWebhook(
  trx: Trx,
  webhookId: string,
  changes: Updateable<Database["shield_webhooks"]>,
): Promise<WebhookRow> {
  return trx
    .updateTable("shield_webhooks")
    .set(changes)
    .where("id", "=", webhookId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Switched off, it sends nothing that still waits; switched on later, only what is new. */
export async function dropWaiting(trx: Trx, webhookId: string): Promise<void> {
  await trx
    .updateTable("webhook_deliveries")
    .set({ state: "failed", next_at: null, leased_until: null })
    .where("webhook_id", "=", webhookId)
    .where("state", "=", "pending")
    .execute();
}

/** As `dropWaiting`, for all webhooks of the shield; tests are sent whatever its settings are. */
export async function dropWaitingOfShield(trx: Trx, shieldId: string): Promise<void> {
  await sql`
    update webhook_deliveries set state = 'failed', next_at = null, leased_until = null
    where webhook_id in (select id from shield_webhooks where shield_id = ${shieldId})
      and state = 'pending' and kind <> 'webhook.test'
  `.execute(trx);
}

export async function deleteWebhook(trx: Trx, webhookId: string): Promise<void> {
  await trx.deleteFrom("shield_webhooks").where("id", "=", webhookId).execute();
}

/** Newest first. */
export function selectDeliveries(
  db: Executor,
  webhookId: string,
  window: { readonly before: TimeCursor | undefined; readonly limit: number },
): Promise<DeliveryRow[]> {
  const { before } = window;
  return db
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("webhook_id", "=", webhookId)
    .$if(before !== undefined, (query) =>
      query.where(
        sql<boolean>`(created_at, id) < (${before?.at ?? null}::timestamptz, ${before?.id ?? null}::uuid)`,
      ),
    )
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(window.limit)
    .execute();
}

export function selectDelivery(
  db: Executor,
  webhookId: string,
  deliveryId: string,
): Promise<DeliveryRow | undefined> {
  return db
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("webhook_id", "=", webhookId)
    .where("id", "=", deliveryId)
    .executeTakeFirst();
}

/**
 * From its first try on; one that is being sent now is left as it is. One that was done with leaves its
 * thread: it is a new message of the chat and does not take the place of the newest one.
 */
export async function sendAgain(trx: Trx, deliveryId: string, now: Date): Promise<void> {
  await trx
    .updateTable("webhook_deliveries")
    .set({
      state: "pending",
      attempts: 0,
      next_at: now,
      thread: sql<string | null>`case when state = 'pending' then thread end`,
    })
    .where("id", "=", deliveryId)
    .where((eb) => eb.or([eb("leased_until", "is", null), eb("leased_until", "<=", now)]))
    .execute();
}

export async function selectShieldName(db: Executor, shieldId: string): Promise<string> {
  const row = await db
    .selectFrom("shields")
    .select("server_name")
    .where("id", "=", shieldId)
    .executeTakeFirstOrThrow();
  return row.server_name;
}
