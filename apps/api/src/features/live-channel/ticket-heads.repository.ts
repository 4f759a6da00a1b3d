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
        // There is always a row.
        .$asScalar()
        .$notNull()
        .as("position"),
    )
    .where("tickets.id", "=", sql<string>`any(${ids}::uuid[])`)
    .execute();
}
