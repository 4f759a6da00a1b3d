import type { Selectable } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { TicketMessagesTable } from "#src/schema/tickets.ts";

/** A message with its author. */
export type MessageRow = Selectable<TicketMessagesTable> & {
  readonly email: string | null;
  readonly first_name: string | null;
};

function messages(db: Executor) {
  return db
    .selectFrom("ticket_messages")
    .leftJoin("users", "users.id", "ticket_messages.author_id")
    .leftJoin("profiles", "profiles.user_id", "ticket_messages.author_id")
    .selectAll("ticket_messages")
    .select(["users.email", "profiles.first_name"]);
}

/** Newest first. */
export function selectMessages(
  db: Executor,
  ticketId: string,
  { withInternal, max }: { readonly withInternal: boolean; readonly max: number },
): Promise<MessageRow[]> {
  return messages(db)
    .where("ticket_id", "=", ticketId)
    .$if(!withInternal, (query) => query.where("is_internal", "=", false))
    .orderBy("position", "desc")
    .limit(max)
    .execute();
}

/** In their order, those after `position`. */
export function selectMessagesAfter(
  db: Executor,
  ticketId: string,
  { position, max }: { readonly position: number; readonly max: number },
): Promise<MessageRow[]> {
  return messages(db)
    .where("ticket_id", "=", ticketId)
    .where("position", ">", position)
    .orderBy("position")
    .limit(max)
    .execute();
}

export function selectMessage(db: Executor, id: string): Promise<MessageRow | undefined> {
  return messages(db).where("ticket_messages.id", "=", id).executeTakeFirst();
}

export interface NewMessage {
  readonly id: string;
  readonly ticket_id: string;
  readonly author_id: string | null;
  readonly is_admin: boolean;
  readonly is_internal: boolean;
  readonly body: string;
  readonly source: "console" | "mail";
  readonly created_at: Date;
}

/** Call it while the ticket is locked: messages are counted. */
export async function insertMessage(trx: Trx, message: NewMessage): Promise<void> {
  await trx
    .insertInto("ticket_messages")
    .values((eb) => ({
      ...message,
      position: eb
        .selectFrom("ticket_messages")
        .select((inner) =>
          inner(inner.fn.coalesce(inner.fn.max("position"), inner.lit(0)), "+", 1).as("next"),
        )
        .where("ticket_id", "=", message.ticket_id),
    }))
    .execute();
}
