import { sentTypes } from "@palisade/contract/http/attachment-rules";
import { routes } from "@palisade/contract/http/routes";
import { z } from "zod";
import { answerFile } from "#src/features/attachments/attachment-view.service.ts";
import {
  isImage,
  selectAttachment,
  type AttachmentRow,
  type Attachments,
  type PreparedFiles,
} from "#src/features/attachments/attachments.service.ts";
import type { Bus } from "#src/platform/database/bus.ts";
import { DomainError, fieldError } from "#src/platform/errors/domain-error.ts";
import type { CustomerContext } from "#src/platform/http/pipeline/context.ts";
import type { Mount, TwoSteps } from "#src/platform/http/pipeline/mount-types.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import { takeSnapshot, type SnapshotDeps } from "./ticket-snapshot.service.ts";
import { readMessage } from "./ticket-messages.service.ts";
import {
  closeTicket,
  isOwnTicket,
  listTickets,
  openTicket,
  rateTicket,
  readTicket,
  reopenTicket,
  replyToTicket,
} from "./tickets.service.ts";

export interface TicketsRoutesDeps extends SnapshotDeps {
  readonly bus: Bus;
  readonly attachments: Attachments;
}

const { tickets } = routes;

const openedTicket = z.object({
  id: z.string(),
  /** Null: no snapshot was asked for. */
  snapshotOf: z.string().nullable(),
});
const writtenMessage = z.object({ id: z.string() });

export function mountTicketsRoutes(mount: Mount, deps: TicketsRoutesDeps): void {
  const { db, bus, attachments } = deps;

  mount(tickets.listTickets, async (ctx, { query }) => ({
    body: await listTickets(db, ctx.actor.userId, query),
  }));

  mount(tickets.getTicket, async (ctx, { params }) => ({
    body: { ticket: await readTicket(db, params.id, viewerOf(ctx)) },
  }));

  mount(tickets.createTicket, creation(deps));
  mount(tickets.replyToTicket, reply(deps));

  mount(tickets.closeTicket, async (ctx, { params }) => {
    const { userId } = ctx.actor;
    await unitOfWork(ctx, (trx) => closeTicket(bus, trx, userId, { ...params, now: ctx.now }));
    const ticket = await readTicket(db, params.id, viewerOf(ctx));
    return { body: { message: ctx.text("ok.ticket_closed"), ticket } };
  });

  mount(tickets.reopenTicket, async (ctx, { params }) => {
    const { userId } = ctx.actor;
    await unitOfWork(ctx, (trx) => reopenTicket(bus, trx, userId, { ...params, now: ctx.now }));
    const ticket = await readTicket(db, params.id, viewerOf(ctx));
    return { body: { message: ctx.text("ok.ticket_reopened"), ticket } };
  });

  mount(tickets.rateTicket, async (ctx, { params, body }) => {
    const { userId } = ctx.actor;
    await unitOfWork(ctx, (trx) => rateTicket(trx, userId, { ...params, ...body }));
    return { body: { message: ctx.text("ok.ticket_rated") } };
  });

  const find = async (ctx: CustomerContext, id: string, file: string): Promise<AttachmentRow> => {
    if (!(await isOwnTicket(db, ctx.actor.userId, id))) throw new DomainError("not_found");
    const row = await selectAttachment(db, id, file);
    if (row === undefined || row.is_internal) throw new DomainError("not_found");
    return row;
  };

  mount(tickets.downloadAttachment, async (ctx, { params }) =>
    answerFile(attachments, await find(ctx, params.id, params.file), "attachment"),
  );

  mount(tickets.viewAttachment, async (ctx, { params }) => {
    const row = await find(ctx, params.id, params.file);
    if (!isImage(row.type)) throw new DomainError("not_found");
    return answerFile(attachments, row, "inline");
  });
}

function creation(deps: TicketsRoutesDeps): TwoSteps<typeof tickets.createTicket, PreparedFiles> {
  const { db, attachments } = deps;
  return {
    prepare: (ctx, { uploads }) =>
      attachments.prepare(uploads, {
        allowed: sentTypes.ticket,
        userId: ctx.actor.userId,
        now: ctx.now,
      }),
    discard: (files) => attachments.discard(files),
    begin: (ctx, { body }, files) =>
      unitOfWork(ctx, async (trx) => {
        const id = await openTicket(deps, trx, ctx, body, files);
        const snapshotOf = body.with_snapshot ? (body.server_id ?? null) : null;
        return { id, snapshotOf } satisfies z.infer<typeof openedTicket>;
      }),
    async finish(ctx, begun) {
      const { id, snapshotOf } = openedTicket.parse(begun);
      const { userId } = ctx.actor;
      if (snapshotOf !== null) {
        const { signal, now, locale } = ctx;
        const order = { ticketId: id, shieldId: snapshotOf, userId, signal, now, locale };
        await takeSnapshot(deps, order);
      }
      const ticket = await readTicket(db, id, viewerOf(ctx));
      return { body: { message: ctx.text("ok.ticket_created"), ticket } };
    },
  };
}

function reply(deps: TicketsRoutesDeps): TwoSteps<typeof tickets.replyToTicket, PreparedFiles> {
  const { db, bus, attachments } = deps;
  return {
    async prepare(ctx, { params, body, uploads }) {
      if (body.message === "" && uploads.length === 0) {
        throw fieldError("message", "ticket.message.required");
      }
      if (!(await isOwnTicket(db, ctx.actor.userId, params.id))) throw new DomainError("not_found");
      return attachments.prepare(uploads, {
        allowed: sentTypes.reply,
        userId: ctx.actor.userId,
        now: ctx.now,
      });
    },
    discard: (files) => attachments.discard(files),
    begin: (ctx, { params, body }, files) =>
      unitOfWork(ctx, async (trx) => {
        const order = { ticketId: params.id, body: body.message, files };
        const id = await replyToTicket(bus, trx, ctx, order);
        return { id } satisfies z.infer<typeof writtenMessage>;
      }),
    async finish(ctx, begun) {
      const message = await readMessage(db, writtenMessage.parse(begun).id);
      if (message === null) throw new DomainError("not_found");
      return {
        body: {
          message: ctx.text("ok.ticket_message_sent"),
          ticket_message: message.present(ctx.actor.userId),
        },
      };
    },
  };
}

function viewerOf(ctx: CustomerContext): { readonly userId: string; readonly now: Date } {
  return { userId: ctx.actor.userId, now: ctx.now };
}
