import { sql, type Updateable } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { TicketsTable } from "#src/schema/tickets.ts";

const messagesMax = 500;

/** The newest ones with the notes, oldest first. */
export async function selectThread(db: Executor, ticketId: string) {
  const rows = await db
    .selectFrom("ticket_messages")
    .leftJoin("users", "users.id", "ticket_messages.author_id")
    .leftJoin("profiles", "profiles.user_id", "ticket_messages.author_id")
    .selectAll("ticket_messages")
    .select(["users.email", "users.deleted_at", "profiles.first_name"])
    .where("ticket_id", "=", ticketId)
    .orderBy("position", "desc")
    .limit(messagesMax)
    .execute();
  return rows.toReversed();
}

export type ThreadRow = Awaited<ReturnType<typeof selectThread>>[number];

export function selectThreadMessage(db: Executor, id: string) {
  return db
    .selectFrom("ticket_messages")
    .leftJoin("users", "users.id", "ticket_messages.author_id")
    .leftJoin("profiles", "profiles.user_id", "ticket_messages.author_id")
    .selectAll("ticket_messages")
    .select(["users.email", "users.deleted_at", "profiles.first_name"])
    .where("ticket_messages.id", "=", id)
    .executeTakeFirst();
}

/** Notes do not count; null where there is no other message. */
export async function selectNewestMessageId(
  db: Executor,
  ticketId: string,
): Promise<string | null> {
  const row = await db
    .selectFrom("ticket_messages")
    .select("id")
    .where("ticket_id", "=", ticketId)
    .where("is_internal", "=", false)
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

export function selectShieldsOf(db: Executor, userId: string) {
  return db
    .selectFrom("shields")
    .innerJoin("pricing_plans", "pricing_plans.id", "shields.pricing_plan_id")
    .select(["shields.id", "server_name as name", "status", "pricing_plans.name as plan"])
    .where("owner_id", "=", userId)
    .where("deleted_at", "is", null)
    .orderBy("shields.created_at")
    .limit(50)
    .execute();
}

export function selectOtherTickets(db: Executor, userId: string, exceptId: string) {
  return db
    .selectFrom("tickets")
    .select(["id", "number", "subject", "status"])
    .where("user_id", "=", userId)
    .where("id", "!=", exceptId)
    .orderBy("updated_at", "desc")
    .orderBy("id", "desc")
    .limit(10)
    .execute();
}

export async function countTicketsOf(db: Executor, userId: string): Promise<number> {
  const row = await db
    .selectFrom("tickets")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export function selectLink(db: Executor, id: string) {
  return db
    .selectFrom("tickets")
    .select(["id", "number", "subject", "status"])
    .where("id", "=", id)
    .executeTakeFirst();
}

/** As text: no program reads it. */
export async function selectSnapshot(db: Executor, id: string): Promise<string | null> {
  const row = await db
    .selectFrom("tickets")
    .select(sql<string | null>`jsonb_pretty(snapshot)`.as("text"))
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.text ?? null;
}

/** Held until `trx` ends, in the order of their ids, so that two calls do not wait for each other. */
export function lockTickets(trx: Trx, ids: readonly string[]) {
  return trx
    .selectFrom("tickets")
    .select([
      "id",
      "number",
      "user_id",
      "status",
      "severity",
      "assignee_id",
      "tags",
      "merged_into",
      "snoozed_until",
    ])
    .where("id", "in", ids)
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
}

export type LockedTicket = Awaited<ReturnType<typeof lockTickets>>[number];

export async function selectIdOfNumber(db: Executor, number: number): Promise<string | undefined> {
  const row = await db
    .selectFrom("tickets")
    .select("id")
    .where("number", "=", String(number))
    .executeTakeFirst();
  return row?.id;
}

export async function updateTickets(
  trx: Trx,
  ids: readonly string[],
  values: Omit<Updateable<TicketsTable>, "id" | "snapshot">,
): Promise<void> {
  if (ids.length === 0) return;
  await trx.updateTable("tickets").set(values).where("id", "in", ids).execute();
}

/** Appends the messages of one ticket to another, in their order, with their files. */
export async function moveMessages(trx: Trx, from: string, into: string): Promise<void> {
  await sql`
    update ticket_messages set ticket_id = ${into}, position = position + (
      select coalesce(max(position), 0) from ticket_messages where ticket_id = ${into})
    where ticket_id = ${from}
  `.execute(trx);
  await trx
    .updateTable("ticket_attachments")
    .set({ ticket_id: into })
    .where("ticket_id", "=", from)
    .execute();
}

/** The message that went last into a ticket. */
export async function selectLastMessageId(db: Executor, ticketId: string): Promise<string | null> {
  const row = await db
    .selectFrom("ticket_messages")
    .select("id")
    .where("ticket_id", "=", ticketId)
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function isColleague(db: Executor, id: string): Promise<boolean> {
  const row = await db
    .selectFrom("users")
    .select("id")
    .where("id", "=", id)
    .where("role", "=", "staff")
    .where("deleted_at", "is", null)
    .where("blocked_at", "is", null)
    .where(sql<boolean>`staff_roles && '{support,billing,admin}'`)
    .executeTakeFirst();
  return row !== undefined;
}
