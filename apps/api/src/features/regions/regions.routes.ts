import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { changeRegion, getRegion } from "./regions.service.ts";

export function mountRegionsRoutes(
  mount: Mount,
  { db, writes }: { readonly db: Db; readonly writes: ShieldWrites },
): void {
  mount(routes.regions.getRegion, async (ctx, { params }) => {
    const reader = { shieldId: params.id, locale: ctx.locale, now: ctx.now };
    const { region, etag } = await getRegion(db, reader);
    return { body: region, headers: { etag } };
  });
  mount(routes.regions.updateRegion, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const { locale, now, ifMatch } = ctx;
      const request = { shieldId: params.id, locale, now, ifMatch };
      const { region, revision, etag } = await changeRegion(writes, trx, request, body.location);
      const message = ctx.text("ok.region_updated");
      return { body: { message, revision, region }, headers: { etag } };
    }),
  );
}
