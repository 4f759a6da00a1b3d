import type { z } from "zod";
import { toPage } from "@palisade/contract/http/paging";
import { presenceSeconds, type listStaffTickets } from "@palisade/contract/http/staff-tickets";
import type { StaffTicketDetail } from "@palisade/contract/http/staff-ticket-shapes";
import { hasStaffRole } from "@palisade/contract/http/staff-roles";
import type { Locale } from "@palisade/contract/texts/render";
import { selectAttachmentsOf } from "#src/features/attachments/attachments.service.ts";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { totalCents } from "#src/features/ledger/money.service.ts";
import { freeSupportPlanName } from "#src/features/plans/plans.service.ts";
import type { Db, Executor } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { UserActor } from "#src/platform/http/pipeline/context.ts";
import {
  countQueue,
  countViews,
  selectColleagues,
  selectKnownTags,
  selectQueue,
  selectSatisfaction,
  selectStaffTicket,
} from "./staff-queue.repository.ts";
import {
  countTicketsOf,
  selectLink,
  selectNewestMessageId,
  selectOtherTickets,
  selectShieldsOf,
  selectSnapshot,
  selectThread,
} from "./staff-ticket.repository.ts";
import {
  presentLink,
  presentStaffTicket,
  presentThreadMessage,
} from "./staff-tickets.presenter.ts";
import { noteReader, selectOtherReaders } from "./ticket-readers.repository.ts";

/** A call of staff. */
export interface StaffCaller {
  readonly actor: Pick<UserActor, "userId" | "staffRoles">;
  readonly locale: Locale;
  readonly now: Date;
}

export async function readQueue(
  db: Executor,
  { actor, locale, now }: StaffCaller,
  query: z.output<typeof listStaffTickets.querystring>,
) {
  const { page: asked, per_page: limit, ...filters } = query;
  const onlooker = { staffId: actor.userId, now };
  const total = await countQueue(db, filters, onlooker);
  // A page beyond the last is the last: a ticket may have been answered since it was asked for.
  const page = Math.min(asked, Math.max(1, Math.ceil(total / limit)));
  const rows = await selectQueue(db, filters, onlooker, { limit, offset: (page - 1) * limit });
  const colleagues = await selectColleagues(db);
  const by = { locale, freePlan: await freeSupportPlanName(db, locale), colleagues };
  return {
    ...toPage(
      rows.map((row) => presentStaffTicket(row, by)),
      page,
      limit,
      total,
    ),
    counts: await countViews(db, onlooker),
    tags: await selectKnownTags(db),
    satisfaction: await selectSatisfaction(db, now),
    colleagues,
  };
}

/** @throws DomainError `not_found` */
export async function readStaffTicket(
  db: Executor,
  { actor, locale }: StaffCaller,
  id: string,
): Promise<StaffTicketDetail> {
  const row = await selectStaffTicket(db, id);
  if (row === undefined) throw new DomainError("not_found");
  const colleagues = await selectColleagues(db);
  const thread = await selectThread(db, id);
  const attachments = await selectAttachmentsOf(
    db,
    thread.map((message) => message.id),
  );
  const seesMoney = hasStaffRole(actor.staffRoles, ["billing"]);
  const into = row.merged_into === null ? undefined : await selectLink(db, row.merged_into);
  return {
    ...presentStaffTicket(row, {
      locale,
      colleagues,
      freePlan: await freeSupportPlanName(db, locale),
    }),
    messages: thread.map((each) => presentThreadMessage(each, attachments, actor.userId)),
    card: {
      locale: row.locale,
      registered_at: row.registered_at.toISOString(),
      balance_cents: seesMoney ? totalCents(await balanceOf(db, row.user_id)) : null,
      shields: await selectShieldsOf(db, row.user_id),
      tickets: await countTicketsOf(db, row.user_id),
    },
    other_tickets: (await selectOtherTickets(db, row.user_id, id)).map(presentLink),
    server:
      row.shield_id === null || row.server_name === null
        ? null
        : { id: row.shield_id, name: row.server_name },
    snapshot: await selectSnapshot(db, id),
    merged_into: into === undefined ? null : presentLink(into),
    colleagues,
    answered_at: row.answered_at?.toISOString() ?? null,
    closed_at: row.closed_at?.toISOString() ?? null,
    satisfaction:
      row.satisfaction_score === null
        ? null
        : { score: row.satisfaction_score, comment: row.satisfaction_comment ?? "" },
  };
}

/** Notes that the caller reads the ticket. @throws DomainError `not_found` */
export async function lookAtTicket(
  db: Db,
  { actor, now }: StaffCaller,
  look: { readonly ticketId: string; readonly isTyping: boolean },
) {
  const { ticketId } = look;
  const staffId = actor.userId;
  if (!(await noteReader(db, { ...look, staffId, now }))) throw new DomainError("not_found");
  const since = new Date(now.getTime() - presenceSeconds * 1_000);
  const row = await selectStaffTicket(db, ticketId);
  if (row === undefined) throw new DomainError("not_found");
  return {
    people: await selectOtherReaders(db, { ticketId, staffId, since }),
    updated_at: row.updated_at.toISOString(),
    last_message_id: await selectNewestMessageId(db, ticketId),
  };
}
