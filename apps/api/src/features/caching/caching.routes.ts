import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { getCaching, purgeCache, updateCaching } from "./caching.service.ts";

export function mountCachingRoutes(
  mount: Mount,
  { db, writes }: { readonly db: Db; readonly writes: ShieldWrites },
): void {
  mount(routes.caching.getCaching, async ({ now }, { params }) => {
    const { caching, etag } = await getCaching(db, { shieldId: params.id, now });
    return { body: caching, headers: { etag } };
  });
  mount(routes.caching.updateCaching, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const request = { shieldId: params.id, now: ctx.now, ifMatch: ctx.ifMatch };
      const { etag, ...answer } = await updateCaching(writes, trx, request, body.caching_enabled);
      const message = ctx.text("ok.caching_updated");
      return { body: { message, ...answer }, headers: { etag } };
    }),
  );
  mount(routes.caching.purgeCache, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      const request = { shieldId: params.id, now: ctx.now };
      const { etag, ...answer } = await purgeCache(writes, trx, request);
      const message = ctx.text("ok.cache_purged");
      return { body: { message, ...answer }, headers: { etag } };
    }),
  );
}
