import type { Executor } from "#src/platform/database/db.ts";

/** The ticket with what its mails need; undefined where there is no one to write to. */
export function selectTicketToMail(db: Executor, ticketId: string) {
  return db
    .selectFrom("tickets")
    .innerJoin("users", "users.id", "tickets.user_id")
    .leftJoin("profiles", "profiles.user_id", "users.id")
    .select([
      "tickets.id",
      "tickets.number",
      "tickets.subject",
      "tickets.user_id",
      "tickets.status",
      "tickets.merged_into",
      "tickets.closed_at",
      "users.email",
      "users.locale",
      "profiles.email_notifications",
    ])
    .where("tickets.id", "=", ticketId)
    .where("users.deleted_at", "is", null)
    .executeTakeFirst();
}

/** A message of staff to the customer; undefined for notes, and for messages of the customer. */
export function selectAnswer(db: Executor, messageId: string) {
  return db
    .selectFrom("ticket_messages")
    .select(["ticket_id", "body"])
    .where("id", "=", messageId)
    .where("is_admin", "=", true)
    .where("is_internal", "=", false)
    .executeTakeFirst();
}

export async function selectFileNames(db: Executor, messageId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("ticket_attachments")
    .select("original_name")
    .where("message_id", "=", messageId)
    .orderBy("position")
    .execute();
  return rows.map((row) => row.original_name);
}
