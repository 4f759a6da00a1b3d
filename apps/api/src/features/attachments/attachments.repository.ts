import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { TicketAttachmentsTable } from "#src/schema/tickets.ts";
import type { Selectable } from "kysely";

export type AttachmentRow = Selectable<TicketAttachmentsTable>;

export interface NewAttachment {
  readonly id: string;
  readonly original_name: string;
  readonly type: AttachmentRow["type"];
  readonly size_bytes: number;
  readonly storage_key: string;
}

export async function insertAttachments(
  trx: Trx,
  files: readonly NewAttachment[],
  shared: Pick<AttachmentRow, "ticket_id" | "message_id" | "user_id" | "created_at">,
): Promise<void> {
  if (files.length === 0) return;
  await trx
    .insertInto("ticket_attachments")
    .values(files.map((file, position) => ({ ...file, ...shared, position })))
    .execute();
}

/** The room that an account's files take. */
export async function selectUsage(
  db: Executor,
  userId: string,
): Promise<{ readonly files: number; readonly bytes: number }> {
  const row = await db
    .selectFrom("ticket_attachments")
    .select((eb) => [
      eb.fn.countAll<string>().as("files"),
      eb.fn.coalesce(eb.fn.sum<string>("size_bytes"), eb.val("0")).as("bytes"),
    ])
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return { files: Number(row.files), bytes: Number(row.bytes) };
}

export function selectAttachmentsOf(
  db: Executor,
  messageIds: readonly string[],
): Promise<AttachmentRow[]> {
  if (messageIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom("ticket_attachments")
    .selectAll()
    .where("message_id", "in", [...messageIds])
    .orderBy("message_id")
    .orderBy("position")
    .execute();
}

/** A file of the ticket. */
export function selectAttachment(
  db: Executor,
  ticketId: string,
  id: string,
): Promise<(AttachmentRow & { readonly is_internal: boolean }) | undefined> {
  return db
    .selectFrom("ticket_attachments")
    .innerJoin("ticket_messages", "ticket_messages.id", "ticket_attachments.message_id")
    .selectAll("ticket_attachments")
    .select("ticket_messages.is_internal")
    .where("ticket_attachments.ticket_id", "=", ticketId)
    .where("ticket_attachments.id", "=", id)
    .executeTakeFirst();
}

/** Those of the keys that belong to a file of a ticket. */
export async function selectKnownKeys(
  db: Executor,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const rows = await db
    .selectFrom("ticket_attachments")
    .select("storage_key")
    .where("storage_key", "in", [...keys])
    .execute();
  return new Set(rows.map(({ storage_key }) => storage_key));
}
