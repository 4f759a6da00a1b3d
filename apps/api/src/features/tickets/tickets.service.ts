import type { z } from "zod";
import { toPage } from "@palisade/contract/http/paging";
import type { createTicketBody, TicketDetail, TicketStatus } from "@palisade/contract/http/tickets";
import {
  selectAttachmentsOf,
  type PreparedFiles,
} from "#src/features/attachments/attachments.service.ts";
import {
  refreshResponseClock,
  responseOf,
} from "#src/features/support-targets/response-clock.service.ts";
import type { CustomerContext, ShieldAccess } from "#src/platform/http/pipeline/context.ts";
import { lockCaller } from "#src/features/users/users.service.ts";
import type { Bus } from "#src/platform/database/bus.ts";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { DomainError, fieldError } from "#src/platform/errors/domain-error.ts";
import { announceTicketEvent } from "./ticket-events.service.ts";
import { addMessage } from "./ticket-messages.service.ts";
import { selectMessages } from "./ticket-messages.repository.ts";
import { statusAfterReopening } from "./ticket-status.ts";
import {
  countTickets,
  emptyTickets,
  insertTicket,
  lockTicket,
  selectTicket,
  selectTickets,
  updateTicket,
  type TicketFilters,
  type TicketRow,
} from "./tickets.repository.ts";
import { presentDetail, presentTicket, reopenUntil } from "./tickets.presenter.ts";

/** The newest ones are shown; a ticket does not get longer by hand. */
const shownMessagesMax = 500;

export async function listTickets(
  db: Executor,
  userId: string,
  { page: asked, per_page: limit, ...filters }: TicketFilters & { page: number; per_page: number },
) {
  const total = await countTickets(db, userId, filters);
  // A page beyond the last is the last: a ticket may have changed its status since it was asked for.
  const page = Math.min(asked, Math.max(1, Math.ceil(total / limit)));
  const rows = await selectTickets(db, userId, filters, { limit, offset: (page - 1) * limit });
  return toPage(rows.map(presentTicket), page, limit, total);
}

/** @throws DomainError `not_found`, also for another's */
export async function readTicket(
  db: Executor,
  id: string,
  viewer: { readonly userId: string; readonly now: Date },
): Promise<TicketDetail> {
  const row = await selectTicket(db, id);
  if (row?.user_id !== viewer.userId) throw new DomainError("not_found");
  const messages = await selectMessages(db, id, { withInternal: false, max: shownMessagesMax });
  const attachments = await selectAttachmentsOf(
    db,
    messages.map((message) => message.id),
  );
  return presentDetail(row, {
    messages,
    attachments,
    response: await responseOf(db, row, viewer.now),
    viewerId: viewer.userId,
    now: viewer.now,
  });
}

export interface OpeningDeps {
  readonly bus: Bus;
  readonly shieldAccess: Pick<ShieldAccess, "of">;
}

/** @returns its id */
export async function openTicket(
  { bus, shieldAccess }: OpeningDeps,
  trx: Trx,
  { actor, now }: Pick<CustomerContext, "actor" | "now">,
  body: z.output<typeof createTicketBody>,
  files: PreparedFiles,
): Promise<string> {
  await lockCaller(trx, actor);
  const { server_id: shieldId = null } = body;
  if (shieldId !== null) {
    const grant = await shieldAccess.of(trx, actor.userId, shieldId);
    if (grant === null || grant === "gone") throw fieldError("server_id", "ticket.server");
  } else if (body.with_snapshot) {
    throw fieldError("server_id", "ticket.server");
  }
  const id = newId();
  await insertTicket(trx, {
    id,
    user_id: actor.userId,
    shield_id: shieldId,
    category: body.category,
    severity: body.severity,
    subject: body.subject,
    now,
  });
  await addMessage(bus, trx, {
    ticketId: id,
    authorId: actor.userId,
    isAdmin: false,
    isInternal: false,
    body: body.message,
    source: "console",
    files,
    now,
  });
  return id;
}

/** @returns the message's id */
export async function replyToTicket(
  bus: Bus,
  trx: Trx,
  { actor, now }: Pick<CustomerContext, "actor" | "now">,
  reply: { readonly ticketId: string; readonly body: string; readonly files: PreparedFiles },
): Promise<string> {
  await lockCaller(trx, actor);
  await requireOwn(trx, actor.userId, reply.ticketId);
  const { messageId } = await addMessage(bus, trx, {
    ticketId: reply.ticketId,
    authorId: actor.userId,
    isAdmin: false,
    isInternal: false,
    body: reply.body,
    source: "console",
    files: reply.files,
    now,
  });
  return messageId;
}

/**
 * Sets the status of a ticket, for customers and staff. Closing notes the time, opening again forgets
 * what was said about the help.
 */
export async function changeStatus(
  bus: Bus,
  trx: Trx,
  ticket: Pick<TicketRow, "id" | "status">,
  { status, now }: { readonly status: TicketStatus; readonly now: Date },
): Promise<void> {
  if (ticket.status === status) return;
  const isReopened = ticket.status === "closed";
  await updateTicket(trx, ticket.id, {
    status,
    updated_at: now,
    ...(status === "closed" && { closed_at: now, snoozed_until: null }),
    ...(isReopened && { closed_at: null, satisfaction_score: null, satisfaction_comment: null }),
  });
  await refreshResponseClock(trx, ticket.id, now);
  await announceTicketEvent(bus, trx, { ticket_id: ticket.id, kind: "status" });
}

export async function closeTicket(
  bus: Bus,
  trx: Trx,
  userId: string,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<void> {
  const ticket = await requireOwn(trx, userId, id);
  if (ticket.status === "closed") throw new DomainError("ticket_closed");
  await changeStatus(bus, trx, ticket, { status: "closed", now });
}

export async function reopenTicket(
  bus: Bus,
  trx: Trx,
  userId: string,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<void> {
  const ticket = await requireOwn(trx, userId, id);
  if (ticket.status !== "closed") throw new DomainError("ticket_not_closed");
  if (ticket.merged_into !== null) throw new DomainError("ticket_merged");
  const until = reopenUntil(ticket);
  if (until === null || until <= now) throw new DomainError("ticket_too_old");
  await changeStatus(bus, trx, ticket, { status: statusAfterReopening(ticket), now });
}

export async function rateTicket(
  trx: Trx,
  userId: string,
  answer: { readonly id: string; readonly score: number; readonly comment: string },
): Promise<void> {
  const ticket = await requireOwn(trx, userId, answer.id);
  if (ticket.status !== "closed") throw new DomainError("ticket_not_closed");
  await updateTicket(trx, ticket.id, {
    satisfaction_score: answer.score,
    satisfaction_comment: answer.comment,
  });
}

/** Locked; @throws DomainError `not_found`, also for another's */
async function requireOwn(trx: Trx, userId: string, id: string): Promise<TicketRow> {
  const ticket = await lockTicket(trx, id);
  if (ticket?.user_id !== userId) throw new DomainError("not_found");
  return ticket;
}

/** Whether the ticket is the account's own. */
export async function isOwnTicket(db: Executor, userId: string, id: string): Promise<boolean> {
  const row = await selectTicket(db, id);
  return row?.user_id === userId;
}

/** Deletes what a deleted account wrote and sent. Its files, then without rows, are collected later. */
export async function forgetTickets(trx: Trx, userId: string): Promise<void> {
  await emptyTickets(trx, userId);
}
