import { sql } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";

/** The owner of a ticket and how far it has come. */
export function selectTicketHeads(executor: Executor, ids: readonly string[]) {
  return executor
    .selectFrom("tickets")
    .select(["tickets.id", "tickets.user_id", "tickets.status", "tickets.updated_at"])
    .select((eb) =>
      eb
        .selectFrom("ticket_messages")
        .select((max) => max.fn.coalesce(max.fn.max("position"), sql<number>`0`).as("position"))
        .whereRef("ticket_messages.ticket_id", "=", "tickets.id")
        .as("position"),
    )
    .where("tickets.id", "=", sql<string>`any(${ids}::uuid[])`)
    .execute();
}

/** The messages behind these positions, in order: the first `limit` of them all. */
export async function selectMessagesBehind(
  executor: Executor,
  positions: ReadonlyMap<string, number>,
  limit: number,
) {
  const ids = [...positions.keys()];
  const { rows } = await sql<MessageRow>`
    select m.id, m.ticket_id, m.position, m.author_id, m.is_admin, m.is_internal, m.body, m.source,
      m.created_at, u.email, u.deleted_at, p.first_name
    from unnest(${ids}::uuid[], ${[...positions.values()]}::integer[]) as seen (ticket_id, position)
    join ticket_messages m on m.ticket_id = seen.ticket_id and m.position > seen.position
    left join users u on u.id = m.author_id
    left join profiles p on p.user_id = m.author_id
    order by m.ticket_id, m.position
    limit ${limit}
  `.execute(executor);
  return rows;
}

export interface MessageRow {
  readonly id: string;
  readonly ticket_id: string;
  readonly position: number;
  readonly author_id: string | null;
  readonly is_admin: boolean;
  readonly is_internal: boolean;
  readonly body: string;
  readonly source: "console" | "mail";
  readonly created_at: Date;
  readonly email: string | null;
  readonly deleted_at: Date | null;
  readonly first_name: string | null;
}

export function selectAttachmentsOf(executor: Executor, messageIds: readonly string[]) {
  return executor
    .selectFrom("ticket_attachments")
    .select(["id", "message_id", "original_name", "type", "size_bytes"])
    .where("message_id", "=", sql<string>`any(${messageIds}::uuid[])`)
    .orderBy("message_id")
    .orderBy("position")
    .execute();
}
