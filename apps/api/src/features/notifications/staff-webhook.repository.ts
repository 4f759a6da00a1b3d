import type { StaffRole } from "@palisade/contract/http/staff-roles";
import { sql, type Insertable, type Updateable } from "kysely";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import type { UserRow } from "#src/schema/accounts.ts";
import type { Database } from "#src/schema/database.ts";
import type { StaffEventKind } from "./staff-event-texts.ts";
import type { WebhookRow } from "./webhooks.repository.ts";

/** Staff with one of the roles. */
export function selectStaff(
  trx: Trx,
  roles: readonly StaffRole[],
): Promise<Pick<UserRow, "email" | "locale">[]> {
  return trx
    .selectFrom("users")
    .select(["email", "locale"])
    .where("role", "=", "staff")
    .where(sql<boolean>`staff_roles && ${[...roles]}::text[]`)
    .orderBy("id")
    .execute();
}

/** The only one without a shield. */
export function selectStaffWebhook(db: Executor): Promise<WebhookRow | undefined> {
  return db
    .selectFrom("shield_webhooks")
    .selectAll()
    .where("shield_id", "is", null)
    .executeTakeFirst();
}

/** Gives processes that start at the same time their turn. */
export async function lockStaffWebhook(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('palisade staff webhook'))`.execute(trx);
}

export async function insertStaffWebhook(
  trx: Trx,
  webhook: Omit<Insertable<Database["shield_webhooks"]>, "shield_id" | "events">,
): Promise<void> {
  await trx
    .insertInto("shield_webhooks")
    .values({ ...webhook, shield_id: null, events: [] })
    .execute();
}

export async function changeStaffWebhook(
  trx: Trx,
  changes: Updateable<Database["shield_webhooks"]>,
): Promise<void> {
  await trx.updateTable("shield_webhooks").set(changes).where("shield_id", "is", null).execute();
}

/** With its deliveries. */
export async function deleteStaffWebhook(db: Db | Trx): Promise<void> {
  await db.deleteFrom("shield_webhooks").where("shield_id", "is", null).execute();
}

/** Not by the typed table: its kinds are those that owners choose from. */
export async function insertStaffDelivery(
  trx: Trx,
  delivery: {
    readonly id: string;
    readonly webhookId: string;
    readonly kind: StaffEventKind;
    readonly body: string;
    readonly now: Date;
  },
): Promise<void> {
  const { id, webhookId, kind, body, now } = delivery;
  await sql`
    insert into webhook_deliveries (id, webhook_id, kind, body, next_at, created_at)
    values (${id}, ${webhookId}, ${kind}, ${body}, ${now}, ${now})
  `.execute(trx);
}
