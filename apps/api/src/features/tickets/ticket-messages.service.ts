import type { TicketMessage } from "@palisade/contract/http/tickets";
import {
  keepAttachments,
  selectAttachmentsOf,
  type PreparedFiles,
} from "#src/features/attachments/attachments.service.ts";
import { refreshResponseClock } from "#src/features/support-targets/response-clock.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { Bus } from "#src/platform/database/bus.ts";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { announceTicketEvent } from "./ticket-events.service.ts";
import { statusAfter } from "./ticket-status.ts";
import { insertMessage, selectMessage, selectMessagesAfter } from "./ticket-messages.repository.ts";
import { lockTicket, updateTicket, type TicketRow } from "./tickets.repository.ts";
import { presentMessage } from "./tickets.presenter.ts";

export interface MessageOrder {
  readonly ticketId: string;
  /** Null for the product itself. */
  readonly authorId: string | null;
  readonly isAdmin: boolean;
  /** For staff alone; it changes no status. */
  readonly isInternal: boolean;
  readonly body: string;
  readonly source: "console" | "mail";
  readonly files: PreparedFiles;
  readonly now: Date;
}

/**
 * Writes a message in a ticket, with its files, the new status and the event for the live channel. The
 * caller has checked that the author may, and holds the row of a customer who sends files (`lockCaller`
 * of the users feature), before anything of the ticket.
 *
 * @throws DomainError `not_found`, `ticket_closed` (not for internal notes), `attachment_quota`
 */
export async function addMessage(
  bus: Bus,
  trx: Trx,
  order: MessageOrder,
): Promise<{ readonly messageId: string; readonly ticket: TicketRow }> {
  const { ticketId, authorId, isAdmin, isInternal, now } = order;
  const ticket = await lockTicket(trx, ticketId);
  if (ticket === undefined) throw new DomainError("not_found");
  if (ticket.status === "closed" && !isInternal) throw new DomainError("ticket_closed");
  const messageId = newId();
  await insertMessage(trx, {
    id: messageId,
    ticket_id: ticketId,
    author_id: authorId,
    is_admin: isAdmin,
    is_internal: isInternal,
    body: order.body,
    source: order.source,
    created_at: now,
  });
  await keepAttachments(trx, order.files, {
    ticketId,
    messageId,
    userId: authorId ?? ticket.user_id,
    hasQuota: !isAdmin,
    now,
  });
  if (!isInternal) {
    const isFirstAnswer = isAdmin && ticket.answered_at === null;
    await updateTicket(trx, ticketId, {
      status: statusAfter(ticket, { isAdmin }),
      updated_at: now,
      // The customer waits for an answer again.
      snoozed_until: isAdmin ? ticket.snoozed_until : null,
      ...(isFirstAnswer && { answered_at: now }),
    });
    await refreshResponseClock(trx, ticketId, now);
  }
  await announceTicketEvent(bus, trx, {
    ticket_id: ticketId,
    kind: "message",
    message_id: messageId,
  });
  return { messageId, ticket };
}

/** A message as the live channel sends it, and what decides about its readers. */
export interface ReadMessage {
  readonly id: string;
  readonly ticketId: string;
  /** Counts up within the ticket. */
  readonly position: number;
  /** Not for customers. */
  readonly isInternal: boolean;
  /** @param viewerId the account that it is shown to */
  present(viewerId: string | null): TicketMessage;
}

export async function readMessage(db: Executor, id: string): Promise<ReadMessage | null> {
  const row = await selectMessage(db, id);
  return row === undefined ? null : ((await withFiles(db, [row]))[0] ?? null);
}

/** The messages after `position`, in their order; internal notes, too. */
export async function readMessagesAfter(
  db: Executor,
  ticketId: string,
  window: { readonly position: number; readonly max: number },
): Promise<readonly ReadMessage[]> {
  return withFiles(db, await selectMessagesAfter(db, ticketId, window));
}

async function withFiles(
  db: Executor,
  rows: Awaited<ReturnType<typeof selectMessagesAfter>>,
): Promise<ReadMessage[]> {
  const files = await selectAttachmentsOf(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    ticketId: row.ticket_id,
    position: row.position,
    isInternal: row.is_internal,
    present: (viewerId) => presentMessage(row, files, viewerId),
  }));
}
