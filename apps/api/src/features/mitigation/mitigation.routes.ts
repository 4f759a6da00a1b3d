import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { getMitigation, updateMitigation } from "./mitigation.service.ts";

export function mountMitigationRoutes(
  mount: Mount,
  { db, writes }: { readonly db: Db; readonly writes: ShieldWrites },
): void {
  mount(routes.mitigation.getMitigation, async (ctx, { params }) => {
    const { mitigation, etag } = await getMitigation(db, params.id, ctx.now);
    return { body: mitigation, headers: { etag } };
  });
  mount(routes.mitigation.updateMitigation, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const request = { shieldId: params.id, ifMatch: ctx.ifMatch, now: ctx.now };
      const { etag, ...answer } = await updateMitigation(writes, trx, request, body);
      const message = ctx.text("ok.mitigation_updated");
      return { body: { message, ...answer }, headers: { etag } };
    }),
  );
}
