import { notificationEvents } from "@palisade/contract/http/notification-events";
import type { Insertable } from "kysely";
import { sql } from "kysely";
import type { Database } from "#src/schema/database.ts";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";

/** Notified when there may be something to send; the payload is empty. */
export const notificationsChannel = "palisade_notifications";

export async function wakeNotifications(trx: Trx): Promise<void> {
  await sql`select pg_notify(${notificationsChannel}, '')`.execute(trx);
}

export async function insertEvents(
  trx: Trx,
  events: readonly Insertable<Database["notification_events"]>[],
): Promise<void> {
  await trx
    .insertInto("notification_events")
    .values([...events])
    .execute();
}

/** Holds work that one process does at a time, until the transaction ends. */
export async function tryToHold(
  trx: Trx,
  work: "spread" | "mail" | "backends" | "edges" | "certificates",
): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(hashtext(${`palisade notifications ${work}`})) as held
  `.execute(trx);
  return rows[0]?.held ?? false;
}

/**
 * The oldest first, with what is needed to write their messages. Kinds of a newer version, which
 * runs beside this one during an update, are left to it.
 */
export function takeNewEvents(trx: Trx, limit: number) {
  return trx
    .selectFrom("notification_events")
    .innerJoin("shields", "shields.id", "notification_events.shield_id")
    .leftJoin("users", "users.id", "shields.owner_id")
    .selectAll("notification_events")
    .select(["shields.server_name", "shields.status", "users.locale"])
    .where("spread_at", "is", null)
    .where("kind", "in", notificationEvents)
    .orderBy("seq")
    .limit(limit)
    .forUpdate("notification_events")
    .execute();
}

export type NewEvent = Awaited<ReturnType<typeof takeNewEvents>>[number];

export async function markSpread(
  trx: Trx,
  id: string,
  at: { readonly now: Date; readonly mailDueAt: Date | null },
): Promise<void> {
  await trx
    .updateTable("notification_events")
    .set({ spread_at: at.now, mail_due_at: at.mailDueAt })
    .where("id", "=", id)
    .execute();
}

/** Events of an attack of the shield whose mails were due within the hour before `now`. */
export async function countAttackMails(trx: Trx, shieldId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from notification_events
    where shield_id = ${shieldId} and kind like 'attack.%'
      and mail_due_at > ${new Date(now.getTime() - 3_600_000)} and mail_due_at <= ${now}
  `.execute(trx);
  return rows[0]?.count ?? 0;
}

/** Shields with a mail that is due. */
export async function selectShieldsToMail(db: Executor, now: Date, limit: number) {
  const rows = await db
    .selectFrom("notification_events")
    .select("shield_id")
    .distinct()
    .where("mailed_at", "is", null)
    .where("mail_due_at", "<=", now)
    .limit(limit)
    .execute();
  return rows.map((row) => row.shield_id);
}

/** Everything that is due to be mailed about the shield; its owner may have gone. */
export function takeEventsToMail(trx: Trx, shieldId: string, now: Date, limit: number) {
  return trx
    .selectFrom("notification_events")
    .innerJoin("shields", "shields.id", "notification_events.shield_id")
    .leftJoin("users", "users.id", "shields.owner_id")
    .selectAll("notification_events")
    .select(["shields.server_name", "shields.status", "users.email", "users.locale"])
    .where("shield_id", "=", shieldId)
    .where("mailed_at", "is", null)
    .where("mail_due_at", "<=", now)
    .orderBy("seq")
    .limit(limit)
    .forUpdate("notification_events")
    .execute();
}

export async function markMailed(trx: Trx, ids: readonly string[], now: Date): Promise<void> {
  await trx
    .updateTable("notification_events")
    .set({ mailed_at: now })
    .where("id", "in", [...ids])
    .execute();
}

/** When the next mail is due; null where none waits. */
export async function selectNextMailAt(db: Executor): Promise<Date | null> {
  const row = await db
    .selectFrom("notification_events")
    .select((eb) => eb.fn.min("mail_due_at").as("at"))
    .where("mailed_at", "is", null)
    .where("mail_due_at", "is not", null)
    .executeTakeFirst();
  return row?.at ?? null;
}

/** Events without a mail that waits, and deliveries that are done, older than this. */
export async function deleteOld(db: Db, before: Date): Promise<void> {
  await sql`
    delete from notification_events where created_at < ${before}
      and (mail_due_at is null or mailed_at is not null)
  `.execute(db);
  await sql`
    delete from webhook_deliveries where created_at < ${before} and state <> 'pending'
  `.execute(db);
}
