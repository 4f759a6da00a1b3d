import { sql, type Insertable } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type {
  InboundMailReason,
  InboundMailStatus,
  InboundMailsTable,
} from "#src/schema/inbound-mails.ts";

/** @returns false for a mail that is there already */
export async function insertMail(
  trx: Trx,
  mail: Pick<
    Insertable<InboundMailsTable>,
    "id" | "delivery_key" | "via" | "recipient" | "sender" | "source" | "size_bytes" | "received_at"
  >,
): Promise<boolean> {
  const row = await trx
    .insertInto("inbound_mails")
    .values({ ...mail, status: "received" })
    .onConflict((conflict) => conflict.column("delivery_key").doNothing())
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function countMailsTo(db: Executor, recipient: string, since: Date): Promise<number> {
  const row = await db
    .selectFrom("inbound_mails")
    .select((eb) => eb.fn.countAll<string>().as("mails"))
    .where("recipient", "=", recipient)
    .where("received_at", ">", since)
    .executeTakeFirstOrThrow();
  return Number(row.mails);
}

/** Not processed yet; undefined where it is done or gone. */
export function selectMailToProcess(db: Executor, id: string) {
  return db
    .selectFrom("inbound_mails")
    .select(["id", "source", "recipient", "sender", "via"])
    .where("id", "=", id)
    .where("status", "=", "received")
    .executeTakeFirst();
}

/** Holds the mail until `trx` ends. @returns whether it still is to be processed */
export async function holdMail(trx: Trx, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom("inbound_mails")
    .select("id")
    .where("id", "=", id)
    .where("status", "=", "received")
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Until `trx` ends, no other mail is added to the ticket: they are counted. */
export async function holdTicketMails(trx: Trx, ticketId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`ticket-mail:${ticketId}`}, 0))`.execute(
    trx,
  );
}

export interface MailOutcome {
  readonly status: InboundMailStatus;
  readonly reason?: InboundMailReason;
  readonly ticketId?: string;
  readonly messageId?: string;
  readonly wasAnswered?: boolean;
  readonly head?: {
    readonly fromAddress: string | null;
    readonly subject: string;
    readonly mailId: string | null;
  };
}

/** Only a mail in quarantine is kept as it came: staff may look at it. */
export async function finishMail(
  trx: Trx,
  id: string,
  outcome: MailOutcome,
  now: Date,
): Promise<void> {
  const { head } = outcome;
  await trx
    .updateTable("inbound_mails")
    .set({
      status: outcome.status,
      reason: outcome.reason ?? null,
      ...(outcome.ticketId === undefined ? {} : { ticket_id: outcome.ticketId }),
      message_id: outcome.messageId ?? null,
      was_answered: outcome.wasAnswered ?? false,
      ...(outcome.status === "quarantined" ? {} : { source: null }),
      ...(head === undefined
        ? {}
        : { from_address: head.fromAddress, subject: head.subject, mail_id: head.mailId }),
      processed_at: now,
    })
    .where("id", "=", id)
    .execute();
}

/** How many mails a ticket got since then. */
export async function countMailsOf(
  db: Executor,
  ticketId: string,
  since: Date,
): Promise<{ readonly taken: number; readonly answered: number; readonly foreign: number }> {
  const row = await db
    .selectFrom("inbound_mails")
    .select((eb) => [
      eb.fn.countAll<string>().filterWhere("status", "in", ["added", "refused"]).as("taken"),
      eb.fn.countAll<string>().filterWhere("was_answered", "=", true).as("answered"),
      eb.fn.countAll<string>().filterWhere("reason", "=", "wrong_sender").as("foreign"),
    ])
    .where("ticket_id", "=", ticketId)
    .where("processed_at", ">", since)
    .executeTakeFirstOrThrow();
  return {
    taken: Number(row.taken),
    answered: Number(row.answered),
    foreign: Number(row.foreign),
  };
}

/** The ids of the newest mails that the customer wrote in a ticket, for the threads of their program. */
export async function selectMailIds(db: Executor, ticketId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("inbound_mails")
    .select("mail_id")
    .where("ticket_id", "=", ticketId)
    .where("status", "=", "added")
    .where("mail_id", "is not", null)
    .orderBy("received_at", "desc")
    .limit(5)
    .execute();
  return rows.flatMap(({ mail_id: id }) => (id === null ? [] : [id])).toReversed();
}

/** The ticket of a number, with the account that it belongs to; undefined for a deleted one. */
export async function selectTicketByNumber(db: Executor, number: number) {
  return db
    .selectFrom("tickets")
    .innerJoin("users", "users.id", "tickets.user_id")
    .select([
      "tickets.id",
      "tickets.number",
      "tickets.user_id",
      "tickets.merged_into",
      "users.email_key",
    ])
    .where("tickets.number", "=", String(number))
    .where("users.deleted_at", "is", null)
    .executeTakeFirst();
}

export async function deleteMailsBefore(db: Executor, before: Date): Promise<void> {
  await db.deleteFrom("inbound_mails").where("received_at", "<", before).execute();
}

export async function deleteMailsOf(trx: Trx, userId: string): Promise<void> {
  await trx
    .deleteFrom("inbound_mails")
    .where("ticket_id", "in", (eb) =>
      eb.selectFrom("tickets").select("id").where("user_id", "=", userId),
    )
    .execute();
}
