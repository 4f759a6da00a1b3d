import type { z } from "zod";
import type {
  changeStaffTicket,
  changeStaffTickets,
  replyAsStaff,
} from "@palisade/contract/http/staff-tickets";
import { tagsMax } from "@palisade/contract/http/ticket-tags";
import type { PreparedFiles } from "#src/features/attachments/attachments.service.ts";
import { refreshResponseClock } from "#src/features/support-targets/response-clock.service.ts";
import { announceTicketEvent } from "#src/features/tickets/ticket-events.service.ts";
import { addMessage } from "#src/features/tickets/ticket-messages.service.ts";
import { changeStatus } from "#src/features/tickets/tickets.service.ts";
import type { Bus } from "#src/platform/database/bus.ts";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { DomainError, fieldError } from "#src/platform/errors/domain-error.ts";
import {
  isColleague,
  lockTickets,
  moveMessages,
  selectIdOfNumber,
  selectLastMessageId,
  selectNewestMessageId,
  updateTickets,
  type LockedTicket,
} from "./staff-ticket.repository.ts";

const snoozeMsMax = 366 * 86_400_000;

interface Change {
  readonly bus: Bus;
  readonly staffId: string;
  readonly now: Date;
}

/**
 * Writes an answer or a note. The first answer makes the ticket the writer's.
 *
 * @returns the message's id
 * @throws DomainError `not_found`, `ticket_closed`, `ticket_changed`, `attachment_quota`
 */
export async function replyAsStaffMember(
  { bus, staffId, now }: Change,
  trx: Trx,
  reply: z.output<typeof replyAsStaff.body> & {
    readonly ticketId: string;
    readonly files: PreparedFiles;
  },
): Promise<string> {
  const { ticketId } = reply;
  const ticket = await lockTicketOrThrow(trx, ticketId);
  const wasRead =
    reply.internal ||
    reply.anyway ||
    reply.last_message_id === undefined ||
    reply.last_message_id === (await selectNewestMessageId(trx, ticketId));
  if (!wasRead) throw new DomainError("ticket_changed");
  const { messageId } = await addMessage(bus, trx, {
    ticketId,
    authorId: staffId,
    isAdmin: true,
    isInternal: reply.internal,
    body: reply.message,
    source: "console",
    files: reply.files,
    now,
  });
  if (reply.internal) return messageId;
  if (ticket.assignee_id === null) await updateTickets(trx, [ticketId], { assignee_id: staffId });
  if (reply.resolve) {
    const answered = { id: ticketId, status: "waiting_customer" } as const;
    await changeStatus(bus, trx, answered, { status: "resolved", now });
  }
  return messageId;
}

/** @throws DomainError `not_found`, `ticket_merged`, or what is wrong with a field */
export async function changeTicket(
  { bus, now }: Change,
  trx: Trx,
  ticketId: string,
  body: z.output<typeof changeStaffTicket.body>,
): Promise<void> {
  const ticket = await lockTicketOrThrow(trx, ticketId);
  if (ticket.merged_into !== null) throw new DomainError("ticket_merged");
  const { assignee_id, severity, category, status, tags } = body;
  await requireColleague(trx, assignee_id);
  const snoozedUntil = readSnooze(body.snoozed_until, now);
  const values = {
    ...(assignee_id !== undefined && { assignee_id }),
    ...(severity !== undefined && { severity }),
    ...(category !== undefined && { category }),
    ...(tags !== undefined && { tags: [...new Set(tags)] }),
    ...(snoozedUntil !== undefined && { snoozed_until: snoozedUntil }),
  };
  if (Object.keys(values).length > 0) await updateTickets(trx, [ticketId], values);
  if (status !== undefined) await changeStatus(bus, trx, ticket, { status, now });
  if (severity !== undefined && severity !== ticket.severity) {
    await refreshResponseClock(trx, ticketId, now);
    await announceTicketEvent(bus, trx, { ticket_id: ticketId, kind: "status" });
  }
}

/**
 * Moves the messages of a ticket to the end of another, in their order, and closes it in favour of that.
 *
 * @returns the id and number of the other
 * @throws DomainError `not_found`, `ticket_merged`, or what is wrong with the number
 */
export async function mergeTicket(
  { bus, staffId, now }: Change,
  trx: Trx,
  { ticketId, into }: { readonly ticketId: string; readonly into: number },
): Promise<{ readonly id: string; readonly number: string }> {
  const otherId = await selectIdOfNumber(trx, into);
  if (otherId === undefined) throw fieldError("into", "ticket.number");
  if (otherId === ticketId) throw fieldError("into", "ticket.merge.same");
  const locked = await lockTickets(trx, [ticketId, otherId]);
  const from = locked.find(({ id }) => id === ticketId);
  const other = locked.find(({ id }) => id === otherId);
  if (from === undefined || other === undefined) throw new DomainError("not_found");
  if (from.merged_into !== null || other.merged_into !== null) {
    throw new DomainError("ticket_merged");
  }
  if (from.user_id !== other.user_id) throw fieldError("into", "ticket.merge.other_customer");
  if (other.status === "closed") throw fieldError("into", "ticket.merge.closed");
  await moveMessages(trx, ticketId, otherId);
  const note = { bus, staffId, now };
  await addNote(note, trx, otherId, `#${from.number} → #${other.number}`);
  await addNote(note, trx, ticketId, `#${from.number} → #${other.number}`);
  await changeStatus(bus, trx, from, { status: "closed", now });
  await updateTickets(trx, [ticketId], { merged_into: otherId });
  await updateTickets(trx, [otherId], {
    updated_at: now,
    tags: [...new Set([...other.tags, ...from.tags])].slice(0, tagsMax),
  });
  await refreshResponseClock(trx, otherId, now);
  const last = await selectLastMessageId(trx, otherId);
  await announceTicketEvent(bus, trx, {
    ticket_id: otherId,
    kind: "message",
    ...(last !== null && { message_id: last }),
  });
  return { id: otherId, number: other.number };
}

/**
 * Changes several tickets; those that are so already, or were merged, are left alone.
 *
 * @returns how many are different now
 * @throws DomainError `not_found` where one does not exist
 */
export async function changeTickets(
  { bus, now }: Change,
  trx: Trx,
  { ids, action }: z.output<typeof changeStaffTickets.body>,
): Promise<number> {
  if (action.kind === "assign") await requireColleague(trx, action.assignee_id);
  const unique = [...new Set(ids)];
  const tickets = await lockTickets(trx, unique);
  if (tickets.length < unique.length) throw new DomainError("not_found");
  const open = tickets.filter(({ merged_into }) => merged_into === null);
  if (action.kind === "close") {
    const changed = open.filter(({ status }) => status !== "closed");
    for (const ticket of changed) await changeStatus(bus, trx, ticket, { status: "closed", now });
    return changed.length;
  }
  if (action.kind === "assign") {
    const { assignee_id } = action;
    const changed = open.filter((ticket) => ticket.assignee_id !== assignee_id);
    await updateTickets(trx, idsOf(changed), { assignee_id });
    return changed.length;
  }
  const { tag } = action;
  const changed = open.filter(({ tags }) => !tags.includes(tag) && tags.length < tagsMax);
  for (const { id, tags } of changed) await updateTickets(trx, [id], { tags: [...tags, tag] });
  return changed.length;
}

async function addNote(
  { bus, staffId, now }: Change,
  trx: Trx,
  ticketId: string,
  body: string,
): Promise<void> {
  const kind = { isAdmin: true, isInternal: true, source: "console", files: [] } as const;
  await addMessage(bus, trx, { ...kind, ticketId, authorId: staffId, body, now });
}

async function lockTicketOrThrow(trx: Trx, id: string): Promise<LockedTicket> {
  const [ticket] = await lockTickets(trx, [id]);
  if (ticket === undefined) throw new DomainError("not_found");
  return ticket;
}

async function requireColleague(db: Executor, id: string | null | undefined): Promise<void> {
  if (id === null || id === undefined || (await isColleague(db, id))) return;
  throw fieldError("assignee_id", "ticket.assignee");
}

function readSnooze(typed: string | null | undefined, now: Date): Date | null | undefined {
  if (typed === null || typed === undefined) return typed;
  const until = new Date(typed);
  const ahead = until.getTime() - now.getTime();
  if (ahead <= 0 || ahead > snoozeMsMax) throw fieldError("snoozed_until", "ticket.snooze");
  return until;
}

function idsOf(tickets: readonly LockedTicket[]): string[] {
  return tickets.map(({ id }) => id);
}
