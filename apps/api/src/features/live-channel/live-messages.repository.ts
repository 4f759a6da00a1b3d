import { sql } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";

/** In their order, those after `position`. */
export async function selectMessagesAfter(
  executor: Executor,
  ticketId: string,
  { position, max }: { readonly position: number; readonly max: number },
): Promise<MessageRow[]> {
  return executor
    .selectFrom("ticket_messages")
    .leftJoin("users", "users.id", "ticket_messages.author_id")
    .leftJoin("profiles", "profiles.user_id", "ticket_messages.author_id")
    .selectAll("ticket_messages")
    .select(["users.email", "profiles.first_name"])
    .where("ticket_id", "=", ticketId)
    .where("position", ">", position)
    .orderBy("position")
    .limit(max)
    .execute();
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
