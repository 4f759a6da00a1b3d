import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { InboundMailStatus } from "#src/schema/inbound-mails.ts";

function quarantined(db: Executor) {
  return db
    .selectFrom("inbound_mails")
    .leftJoin("tickets", "tickets.id", "inbound_mails.ticket_id")
    .leftJoin("users", "users.id", "tickets.user_id")
    .select([
      "inbound_mails.id",
      "inbound_mails.received_at",
      "inbound_mails.from_address",
      "inbound_mails.sender",
      "inbound_mails.subject",
      "inbound_mails.recipient",
      "inbound_mails.reason",
      "inbound_mails.size_bytes",
      "inbound_mails.ticket_id",
      "tickets.number",
      "tickets.subject as ticket_subject",
      "tickets.user_id",
      "tickets.merged_into",
      "users.email",
    ])
    .where("inbound_mails.status", "=", "quarantined");
}

export type QuarantinedRow = Awaited<ReturnType<typeof selectQuarantined>>[number];

/** Newest first. */
export function selectQuarantined(
  db: Executor,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  return quarantined(db)
    .orderBy("inbound_mails.received_at", "desc")
    .orderBy("inbound_mails.id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
}

export async function countQuarantined(db: Executor): Promise<number> {
  const row = await db
    .selectFrom("inbound_mails")
    .select((eb) => eb.fn.countAll<string>().as("mails"))
    .where("status", "=", "quarantined")
    .executeTakeFirstOrThrow();
  return Number(row.mails);
}

/** One with the mail as it came. */
export function selectQuarantinedMail(db: Executor, id: string) {
  return quarantined(db)
    .select("inbound_mails.source")
    .where("inbound_mails.id", "=", id)
    .executeTakeFirst();
}

/**
 * Ends a mail's quarantine; the mail as it came is deleted.
 *
 * @returns false where someone else has ended it
 */
export async function endQuarantine(
  trx: Trx,
  id: string,
  status: Extract<InboundMailStatus, "added" | "ignored">,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("inbound_mails")
    // The reason stays: how many strangers wrote to a ticket is counted by it.
    .set({ status, source: null })
    .where("id", "=", id)
    .where("status", "=", "quarantined")
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function setMessage(trx: Trx, id: string, messageId: string): Promise<void> {
  await trx
    .updateTable("inbound_mails")
    .set({ message_id: messageId })
    .where("id", "=", id)
    .execute();
}
