import { attachmentTypes, type AttachmentType } from "@palisade/contract/http/attachment-rules";
import { routes } from "@palisade/contract/http/routes";
import { z } from "zod";
import { answerFile } from "#src/features/attachments/attachment-view.service.ts";
import {
  isImage,
  selectAttachment,
  selectAttachmentsOf,
  type Attachments,
  type PreparedFiles,
} from "#src/features/attachments/attachments.service.ts";
import type { Bus } from "#src/platform/database/bus.ts";
import type { Db } from "#src/platform/database/db.ts";
import { DomainError, fieldError } from "#src/platform/errors/domain-error.ts";
import type { Mount, TwoSteps } from "#src/platform/http/pipeline/mount-types.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import {
  changeTicket,
  changeTickets,
  mergeTicket,
  replyAsStaffMember,
} from "./staff-ticket-changes.service.ts";
import { selectThreadMessage } from "./staff-ticket.repository.ts";
import { presentThreadMessage } from "./staff-tickets.presenter.ts";
import { lookAtTicket, readQueue, readStaffTicket } from "./staff-tickets.service.ts";

export interface StaffTicketsRoutesDeps {
  readonly db: Db;
  readonly bus: Bus;
  readonly attachments: Attachments;
}

const { staffTickets } = routes;
const writtenMessage = z.object({ id: z.string() });
/** Staff may send every type that is read. */
const allTypes = Object.keys(attachmentTypes) as AttachmentType[];

export function mountStaffTicketsRoutes(mount: Mount, deps: StaffTicketsRoutesDeps): void {
  const { db, bus, attachments } = deps;

  mount(staffTickets.listStaffTickets, async (ctx, { query }) => ({
    body: await readQueue(db, ctx, query),
  }));

  mount(staffTickets.getStaffTicket, async (ctx, { params }) => ({
    body: { ticket: await readStaffTicket(db, ctx, params.ticketId) },
  }));

  mount(staffTickets.replyAsStaff, reply(deps));

  mount(staffTickets.changeStaffTicket, async (ctx, { params, body }) => {
    const change = { bus, staffId: ctx.actor.userId, now: ctx.now };
    await unitOfWork(ctx, (trx) => changeTicket(change, trx, params.ticketId, body));
    const ticket = await readStaffTicket(db, ctx, params.ticketId);
    return { body: { message: ctx.text("ok.staff_ticket_updated"), ticket } };
  });

  mount(staffTickets.mergeStaffTicket, async (ctx, { params, body }) => {
    const change = { bus, staffId: ctx.actor.userId, now: ctx.now };
    const { id, number } = await unitOfWork(ctx, (trx) =>
      mergeTicket(change, trx, { ticketId: params.ticketId, into: body.into }),
    );
    const ticket = await readStaffTicket(db, ctx, id);
    return { body: { message: ctx.text("ok.staff_ticket_merged", { number }), ticket } };
  });

  mount(staffTickets.changeStaffTickets, async (ctx, { body }) => {
    const change = { bus, staffId: ctx.actor.userId, now: ctx.now };
    const changed = await unitOfWork(ctx, (trx) => changeTickets(change, trx, body));
    const message = ctx.text("ok.staff_tickets_updated", { number: changed });
    return { body: { message, changed } };
  });

  mount(staffTickets.lookAtTicket, async (ctx, { params, body }) => ({
    body: await lookAtTicket(db, ctx, { ...params, isTyping: body.is_typing }),
  }));

  mount(staffTickets.downloadAsStaff, async (_, { params }) => {
    const row = await selectAttachment(db, params.ticketId, params.file);
    if (row === undefined) throw new DomainError("not_found");
    return answerFile(attachments, row, "attachment");
  });

  mount(staffTickets.viewAsStaff, async (_, { params }) => {
    const row = await selectAttachment(db, params.ticketId, params.file);
    if (row === undefined || !isImage(row.type)) throw new DomainError("not_found");
    return answerFile(attachments, row, "inline");
  });
}

function reply({
  db,
  bus,
  attachments,
}: StaffTicketsRoutesDeps): TwoSteps<typeof staffTickets.replyAsStaff, PreparedFiles> {
  return {
    async prepare(ctx, { body, uploads }) {
      if (body.message === "" && uploads.length === 0) {
        throw fieldError("message", "ticket.message.required");
      }
      return attachments.prepare(uploads, { allowed: allTypes, userId: null, now: ctx.now });
    },
    discard: (files) => attachments.discard(files),
    begin: (ctx, { params, body }, files) =>
      unitOfWork(ctx, async (trx) => {
        const change = { bus, staffId: ctx.actor.userId, now: ctx.now };
        const id = await replyAsStaffMember(change, trx, { ...params, ...body, files });
        return { id } satisfies z.infer<typeof writtenMessage>;
      }),
    async finish(ctx, begun) {
      const row = await selectThreadMessage(db, writtenMessage.parse(begun).id);
      if (row === undefined) throw new DomainError("not_found");
      const files = await selectAttachmentsOf(db, [row.id]);
      return {
        body: {
          message: ctx.text(row.is_internal ? "ok.staff_note_added" : "ok.ticket_message_sent"),
          ticket_message: presentThreadMessage(row, files, ctx.actor.userId),
        },
      };
    },
  };
}
