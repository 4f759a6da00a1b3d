import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { changeMessages, getImage, getMessages } from "./shield-messages.service.ts";

export function mountShieldMessagesRoutes(
  mount: Mount,
  { db, writes }: { readonly db: Db; readonly writes: ShieldWrites },
): void {
  mount(routes.serverMessages.getServerMessages, async (_ctx, { params }) => {
    const { messages, etag } = await getMessages(db, params.id);
    return { body: messages, headers: { etag } };
  });
  mount(routes.serverMessages.getServerImage, async (_ctx, { params }) => ({
    body: await getImage(db, params.id),
  }));
  mount(routes.serverMessages.updateServerMessages, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const request = { shieldId: params.id, ifMatch: ctx.ifMatch };
      const { messages, revision, etag } = await changeMessages(writes, trx, request, body);
      const message = ctx.text("ok.messages_updated");
      return { body: { message, revision, messages }, headers: { etag } };
    }),
  );
}
