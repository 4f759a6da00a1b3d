import { rowsMax, type ExportPart } from "./export-part.ts";

/** The user's tickets; each file can be downloaded by its id. Notes of staff are not the user's. */
export const ticketExportParts: Readonly<Record<string, ExportPart>> = {
  tickets: (db, { userId }) =>
    db
      .selectFrom("tickets")
      .select([
        "id",
        "number",
        "shield_id",
        "category",
        "severity",
        "subject",
        "status",
        "snapshot",
        "closed_at",
        "satisfaction_score",
        "satisfaction_comment",
        "created_at",
        "updated_at",
      ])
      .where("user_id", "=", userId)
      .orderBy("created_at", "desc")
      .limit(rowsMax)
      .execute(),

  ticket_messages: (db, { userId }) =>
    db
      .selectFrom("ticket_messages")
      .innerJoin("tickets", "tickets.id", "ticket_messages.ticket_id")
      .select([
        "ticket_messages.id",
        "ticket_id",
        "position",
        "is_admin",
        "body",
        "source",
        "ticket_messages.created_at",
      ])
      .where("tickets.user_id", "=", userId)
      .where("is_internal", "=", false)
      .orderBy("ticket_messages.created_at", "desc")
      .limit(rowsMax)
      .execute(),

  ticket_attachments: (db, { userId }) =>
    db
      .selectFrom("ticket_attachments")
      .innerJoin("tickets", "tickets.id", "ticket_attachments.ticket_id")
      .innerJoin("ticket_messages", "ticket_messages.id", "ticket_attachments.message_id")
      .select([
        "ticket_attachments.id",
        "ticket_attachments.ticket_id",
        "message_id",
        "original_name",
        "type",
        "size_bytes",
        "ticket_attachments.created_at",
      ])
      .where("tickets.user_id", "=", userId)
      .where("is_internal", "=", false)
      .orderBy("ticket_attachments.created_at", "desc")
      .limit(rowsMax)
      .execute(),

  // A stranger's mail to the user's ticket is not the user's.
  inbound_mails: (db, { userId }) =>
    db
      .selectFrom("inbound_mails")
      .innerJoin("tickets", "tickets.id", "inbound_mails.ticket_id")
      .innerJoin("users", "users.id", "tickets.user_id")
      .select([
        "inbound_mails.id",
        "ticket_id",
        "message_id",
        "from_address",
        "inbound_mails.subject",
        "size_bytes",
        "inbound_mails.status",
        "reason",
        "received_at",
      ])
      .where("tickets.user_id", "=", userId)
      .whereRef("from_address", "=", "users.email_key")
      .orderBy("received_at", "desc")
      .limit(rowsMax)
      .execute(),
};
