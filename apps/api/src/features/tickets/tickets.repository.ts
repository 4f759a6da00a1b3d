import type { TicketCategory, TicketStatus } from "@palisade/contract/http/tickets";
import type { Selectable, Updateable } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { TicketsTable } from "#src/schema/tickets.ts";

export type TicketRow = Selectable<TicketsTable>;

/** A ticket with its customer and its shield. */
export type ShownTicketRow = Omit<
  TicketRow,
  "snapshot" | "waiting_since" | "escalated_at" | "critical_told_at" | "tags"
> & {
  readonly has_snapshot: boolean;
  readonly email: string;
  readonly first_name: string | null;
  readonly deleted_at: Date | null;
  readonly server_name: string | null;
};

export interface TicketFilters {
  readonly status?: TicketStatus | undefined;
  readonly category?: TicketCategory | undefined;
}

function shownTickets(db: Executor) {
  return db
    .selectFrom("tickets")
    .innerJoin("users", "users.id", "tickets.user_id")
    .leftJoin("profiles", "profiles.user_id", "tickets.user_id")
    .leftJoin("shields", "shields.id", "tickets.shield_id")
    .select((eb) => [
      "tickets.id",
      "tickets.number",
      "tickets.user_id",
      "tickets.shield_id",
      "tickets.category",
      "tickets.severity",
      "tickets.subject",
      "tickets.status",
      "tickets.assignee_id",
      "tickets.snoozed_until",
      "tickets.merged_into",
      "tickets.due_at",
      "tickets.answered_at",
      "tickets.closed_at",
      "tickets.satisfaction_score",
      "tickets.satisfaction_comment",
      "tickets.created_at",
      "tickets.updated_at",
      eb("tickets.snapshot", "is not", null).$castTo<boolean>().as("has_snapshot"),
      "users.email",
      "users.deleted_at",
      "profiles.first_name",
      "shields.server_name",
    ]);
}

export function selectTickets(
  db: Executor,
  userId: string,
  { status, category }: TicketFilters,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<ShownTicketRow[]> {
  return shownTickets(db)
    .where("tickets.user_id", "=", userId)
    .$if(status !== undefined, (query) => query.where("tickets.status", "=", status ?? "open"))
    .$if(category !== undefined, (query) =>
      query.where("tickets.category", "=", category ?? "billing"),
    )
    .orderBy("tickets.updated_at", "desc")
    .orderBy("tickets.id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
}

export async function countTickets(
  db: Executor,
  userId: string,
  { status, category }: TicketFilters,
): Promise<number> {
  const row = await db
    .selectFrom("tickets")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("user_id", "=", userId)
    .$if(status !== undefined, (query) => query.where("status", "=", status ?? "open"))
    .$if(category !== undefined, (query) => query.where("category", "=", category ?? "billing"))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export function selectTicket(db: Executor, id: string): Promise<ShownTicketRow | undefined> {
  return shownTickets(db).where("tickets.id", "=", id).executeTakeFirst();
}

/** Until `trx` ends, no other message is written in the ticket and its status does not change. */
export function lockTicket(trx: Trx, id: string): Promise<TicketRow | undefined> {
  return trx
    .selectFrom("tickets")
    .selectAll()
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export interface NewTicket {
  readonly id: string;
  readonly user_id: string;
  readonly shield_id: string | null;
  readonly category: TicketRow["category"];
  readonly severity: TicketRow["severity"];
  readonly subject: string;
  readonly now: Date;
}

export async function insertTicket(trx: Trx, { now, ...values }: NewTicket): Promise<void> {
  await trx
    .insertInto("tickets")
    .values({
      ...values,
      status: "open",
      snapshot: null,
      closed_at: null,
      created_at: now,
      updated_at: now,
    })
    .execute();
}

export async function updateTicket(
  trx: Executor,
  id: string,
  values: Omit<Updateable<TicketsTable>, "id" | "snapshot">,
): Promise<void> {
  await trx.updateTable("tickets").set(values).where("id", "=", id).execute();
}

/** Once: a repeated call leaves the first one. */
export async function storeSnapshot(db: Executor, id: string, snapshot: object): Promise<void> {
  await db
    .updateTable("tickets")
    .set({ snapshot: JSON.stringify(snapshot) })
    .where("id", "=", id)
    .where("snapshot", "is", null)
    .execute();
}

/** A deleted account leaves its tickets as numbers in statistics, without a word of them. */
export async function emptyTickets(trx: Trx, userId: string): Promise<void> {
  const own = trx.selectFrom("tickets").select("id").where("user_id", "=", userId);
  await trx.deleteFrom("ticket_attachments").where("ticket_id", "in", own).execute();
  await trx.deleteFrom("ticket_messages").where("ticket_id", "in", own).execute();
  await trx
    .updateTable("tickets")
    .set({
      subject: "-",
      shield_id: null,
      snapshot: null,
      satisfaction_comment: null,
      tags: [],
      waiting_since: null,
      due_at: null,
    })
    .where("user_id", "=", userId)
    .execute();
  await trx.deleteFrom("ticket_readers").where("staff_id", "=", userId).execute();
  // Answers that they gave as staff belong to the customers of those tickets.
  await trx
    .updateTable("ticket_messages")
    .set({ author_id: null })
    .where("author_id", "=", userId)
    .execute();
  await trx
    .updateTable("tickets")
    .set({ assignee_id: null })
    .where("assignee_id", "=", userId)
    .execute();
}
