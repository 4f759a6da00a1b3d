import type { WebhookDelivery, WebhookFormat } from "@palisade/contract/http/webhooks";
import { sql, type Insertable } from "kysely";
import type { Database } from "#src/schema/database.ts";
import type { WebhookEventType } from "@palisade/contract/http/notification-events";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";

export async function insertDelivery(
  trx: Trx,
  delivery: Insertable<Database["webhook_deliveries"]>,
): Promise<void> {
  await trx.insertInto("webhook_deliveries").values(delivery).execute();
}

/** A delivery that this process sends now, with its webhook. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly seq: string;
  readonly kind: WebhookEventType;
  readonly thread: string | null;
  readonly body: string;
  /** This try included. */
  readonly attempts: number;
  readonly created_at: Date;
  readonly webhook_id: string;
  readonly format: WebhookFormat;
  readonly host: string;
  readonly sealed_url: string;
  readonly sealed_secret: string | null;
  readonly sealed_former_secret: string | null;
  readonly former_secret_until: Date | null;
  /** Null: of the operator's webhook, which has no shield. */
  readonly owner_id: string | null;
  /** Whether the webhook gets new messages. */
  readonly is_on: boolean;
}

export interface ClaimLimits {
  readonly now: Date;
  readonly leasedUntil: Date;
  readonly limit: number;
  readonly perOwner: number;
  readonly perHost: number;
  /** Hosts of chats, which all customers share. */
  readonly sharedHosts: readonly string[];
  /** The deliveries that this process is sending. */
  readonly running: readonly { readonly owner_id: string | null; readonly host: string }[];
}

/**
 * Takes due deliveries for this process: no other one gets them before the lease is over. A receiver or
 * account that has its share of the tries in progress waits, and the account that has the fewest is
 * next, so that the slow receivers of some do not delay all. Messages about
 * the same are sent to a webhook one at a time, in their order while none has failed.
 */
export async function claimDeliveries(db: Db, limits: ClaimLimits): Promise<ClaimedDelivery[]> {
  const { now, leasedUntil, limit, perOwner, perHost, sharedHosts, running } = limits;
  const { rows } = await sql<ClaimedDelivery>`
    with running as (
      select owner_id, host from jsonb_to_recordset(${JSON.stringify(running)}::jsonb)
        as r (owner_id uuid, host text)
    ), due as (
      select delivery.id,
        row_number() over (partition by shields.owner_id order by delivery.next_at, delivery.seq)
          + (select count(*) from running where running.owner_id is not distinct from shields.owner_id) as of_owner,
        webhook.host, delivery.next_at, delivery.seq
      from webhook_deliveries delivery
      join shield_webhooks webhook on webhook.id = delivery.webhook_id
      left join shields on shields.id = webhook.shield_id
      where delivery.state = 'pending' and delivery.next_at <= ${now}
        and (delivery.leased_until is null or delivery.leased_until <= ${now})
        and not exists (
          select from webhook_deliveries other
          where other.webhook_id = delivery.webhook_id and other.thread = delivery.thread
            and other.id <> delivery.id and other.state = 'pending'
            and (other.leased_until > ${now}
              or (other.seq < delivery.seq and (other.attempts = 0 or other.next_at <= ${now})))
        )
    ), fair as (
      select id, host, of_owner, next_at, seq,
        row_number() over (partition by host order by of_owner, next_at, seq)
          + (select count(*) from running where running.host = due.host) as of_host
      from due where of_owner <= ${perOwner}
    ), chosen as (
      select id from fair
      where of_host <= ${perHost} or host = any(${[...sharedHosts]}::text[])
      order by of_owner, next_at, seq limit ${limit}
    ), locked as (
      select id from webhook_deliveries
      where id in (select id from chosen) and state = 'pending'
        and (leased_until is null or leased_until <= ${now})
      for update skip locked
    )
    update webhook_deliveries delivery
    set leased_until = ${leasedUntil}, attempts = delivery.attempts + 1, last_at = ${now}
    from shield_webhooks webhook
      left join shields on shields.id = webhook.shield_id
      left join shield_notifications settings on settings.shield_id = shields.id
    where delivery.id in (select id from locked) and webhook.id = delivery.webhook_id
    returning delivery.id, delivery.seq, delivery.kind, delivery.thread, delivery.body,
      delivery.attempts, delivery.created_at, delivery.webhook_id, webhook.format, webhook.host,
      webhook.sealed_url, webhook.sealed_secret, webhook.sealed_former_secret,
      webhook.former_secret_until, shields.owner_id,
      webhook.enabled and coalesce(settings.webhook_notifications, true) as is_on
  `.execute(db);
  return rows.toSorted((a, b) => Number(a.seq) - Number(b.seq));
}

/** A chat shows one message of a thread, so a later one makes those before it needless. */
export async function supersedeEarlier(db: Executor, claimed: ClaimedDelivery): Promise<void> {
  await sql`
    update webhook_deliveries set state = 'superseded', next_at = null, leased_until = null
    where webhook_id = ${claimed.webhook_id} and thread = ${claimed.thread}
      and seq < ${claimed.seq} and state = 'pending'
  `.execute(db);
}

/** The chat's id of the message that shows the thread. */
export async function selectMessageRef(
  db: Executor,
  { webhook_id, thread }: ClaimedDelivery,
): Promise<string | null> {
  if (thread === null) return null;
  const row = await db
    .selectFrom("webhook_deliveries")
    .select("message_ref")
    .where("webhook_id", "=", webhook_id)
    .where("thread", "=", thread)
    .where("message_ref", "is not", null)
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.message_ref ?? null;
}

/** The message was deleted in the chat. */
export async function forgetMessage(
  db: Executor,
  { webhook_id, thread }: ClaimedDelivery,
): Promise<void> {
  await db
    .updateTable("webhook_deliveries")
    .set({ message_ref: null })
    .where("webhook_id", "=", webhook_id)
    .where("thread", "=", thread)
    .execute();
}

export interface TryResult {
  readonly state: WebhookDelivery["state"];
  readonly next_at: Date | null;
  readonly status: number | null;
  readonly answer: string;
  readonly error: WebhookDelivery["error"];
  readonly latency_ms: number | null;
  readonly message_ref?: string | null;
}

/** Only while the delivery still is as this process claimed it. */
export async function saveResult(
  trx: Executor,
  { id, attempts }: Pick<ClaimedDelivery, "id" | "attempts">,
  result: TryResult,
): Promise<boolean> {
  const saved = await trx
    .updateTable("webhook_deliveries")
    .set({ ...result, leased_until: null })
    .where("id", "=", id)
    .where("attempts", "=", attempts)
    .where("state", "=", "pending")
    .executeTakeFirst();
  return saved.numUpdatedRows > 0n;
}

/** When the next try is due; null where none waits. */
export async function selectNextTryAt(db: Executor): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(greatest(next_at, leased_until)) as at from webhook_deliveries where state = 'pending'
  `.execute(db);
  return rows[0]?.at ?? null;
}

/** Holds the webhook until `trx` ends; false once it was deleted. */
export async function lockWebhook(trx: Trx, webhookId: string): Promise<boolean> {
  const row = await trx
    .selectFrom("shield_webhooks")
    .select("id")
    .where("id", "=", webhookId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

export async function noteFailing(db: Executor, webhookId: string, since: Date): Promise<void> {
  await db
    .updateTable("shield_webhooks")
    .set({ failing_since: since })
    .where("id", "=", webhookId)
    .where("failing_since", "is", null)
    .execute();
}

export async function noteWorking(db: Executor, webhookId: string): Promise<void> {
  await db
    .updateTable("shield_webhooks")
    .set({ failing_since: null })
    .where("id", "=", webhookId)
    .where("failing_since", "is not", null)
    .execute();
}

/**
 * Switches a webhook off. With `failing`, only if it has not worked since the delivery was made.
 *
 * @returns what its owner is told, or staff where it has no shield, unless it was off before
 */
export async function switchOff(
  trx: Trx,
  webhookId: string,
  reason: { readonly kind: "gone" } | { readonly kind: "failing"; readonly since: Date },
) {
  let update = trx
    .updateTable("shield_webhooks")
    .set({ enabled: false, disabled_reason: reason.kind })
    .where("id", "=", webhookId)
    .where("enabled", "=", true);
  if (reason.kind === "failing") update = update.where("failing_since", "<=", reason.since);
  const row = await update.returning(["shield_id", "host"]).executeTakeFirst();
  if (row === undefined) return undefined;
  await trx
    .updateTable("webhook_deliveries")
    .set({ state: "failed", next_at: null, leased_until: null })
    .where("webhook_id", "=", webhookId)
    .where("state", "=", "pending")
    .execute();
  const { host, shield_id } = row;
  if (shield_id === null) return { host, shield: null };
  const shield = await trx
    .selectFrom("shields")
    .innerJoin("users", "users.id", "shields.owner_id")
    .select(["shields.id", "users.email", "users.locale", "shields.server_name"])
    .where("shields.id", "=", shield_id)
    .executeTakeFirst();
  return shield === undefined ? undefined : { host, shield };
}
