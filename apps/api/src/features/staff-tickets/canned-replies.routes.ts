import { cannedRepliesMax, type CannedReply } from "@palisade/contract/http/canned-replies";
import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import {
  countReplies,
  deleteReply,
  insertReply,
  selectReplies,
  updateReply,
} from "./canned-replies.repository.ts";

const { cannedReplies } = routes;

export function mountCannedReplyRoutes(mount: Mount, { db }: { readonly db: Db }): void {
  mount(cannedReplies.listCannedReplies, async () => ({
    body: { replies: (await selectReplies(db)).map(presentReply) },
  }));
  mount(cannedReplies.createCannedReply, (ctx, { body }) =>
    unitOfWork(ctx, async (trx) => {
      // Two at once may both find room: the list is then one longer, which harms nothing.
      if ((await countReplies(trx)) >= cannedRepliesMax) {
        throw new DomainError("canned_replies_full");
      }
      const times = { created_at: ctx.now, updated_at: ctx.now };
      const reply = await insertReply(trx, { id: newId(), ...body, ...times });
      return { body: { message: ctx.text("ok.canned_reply_added"), reply: presentReply(reply) } };
    }),
  );
  mount(cannedReplies.updateCannedReply, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const reply = await updateReply(trx, params.replyId, { ...body, updated_at: ctx.now });
      if (reply === undefined) throw new DomainError("not_found");
      return { body: { message: ctx.text("ok.canned_reply_updated"), reply: presentReply(reply) } };
    }),
  );
  mount(cannedReplies.deleteCannedReply, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      if (!(await deleteReply(trx, params.replyId))) throw new DomainError("not_found");
      return { body: { message: ctx.text("ok.canned_reply_deleted") } };
    }),
  );
}

function presentReply(row: Awaited<ReturnType<typeof selectReplies>>[number]): CannedReply {
  return { ...row, updated_at: row.updated_at.toISOString() };
}
