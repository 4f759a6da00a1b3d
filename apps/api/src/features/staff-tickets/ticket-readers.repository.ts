import { sql } from "kysely";
import type { Db } from "#src/platform/database/db.ts";
import { staffName } from "./staff-queue.repository.ts";

/** False where there is no such ticket. */
export async function noteReader(
  db: Db,
  reader: {
    readonly ticketId: string;
    readonly staffId: string;
    readonly isTyping: boolean;
    readonly now: Date;
  },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into ticket_readers (ticket_id, staff_id, is_typing, seen_at)
    select id, ${reader.staffId}, ${reader.isTyping}, ${reader.now}
    from tickets where id = ${reader.ticketId}
    on conflict (ticket_id, staff_id)
      do update set is_typing = excluded.is_typing, seen_at = excluded.seen_at
  `.execute(db);
  return numAffectedRows === 1n;
}

export function selectOtherReaders(
  db: Db,
  { ticketId, staffId, since }: { ticketId: string; staffId: string; since: Date },
) {
  return db
    .selectFrom("ticket_readers")
    .innerJoin("users", "users.id", "ticket_readers.staff_id")
    .leftJoin("profiles", "profiles.user_id", "ticket_readers.staff_id")
    .select(["users.id", staffName.as("name"), "is_typing"])
    .where("ticket_id", "=", ticketId)
    .where("staff_id", "!=", staffId)
    .where("seen_at", ">", since)
    .orderBy("name")
    .limit(20)
    .execute();
}

export async function deleteOldReaders(db: Db, before: Date): Promise<void> {
  await db.deleteFrom("ticket_readers").where("seen_at", "<", before).execute();
}
