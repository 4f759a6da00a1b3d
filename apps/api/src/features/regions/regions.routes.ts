import { routes } from "@palisade/contract/http/routes";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { Feature } from "#src/platform/platform.ts";
import { regionSweep, type RegionJobsDeps } from "./regions.jobs.ts";
import { changeRegion, getRegion } from "./regions.service.ts";

export function createRegionsFeature(deps: RegionJobsDeps): Feature {
  const { db, writes } = deps;
  return {
    mountRoutes(mount) {
      mount(routes.regions.getRegion, async (ctx, { params }) => {
        const reader = { shieldId: params.id, locale: ctx.locale, now: ctx.now };
        const { region, etag } = await getRegion(db, reader);
        return { body: region, headers: { etag } };
      });
      mount(routes.regions.updateRegion, (ctx, { params, body }) =>
        unitOfWork(ctx, async (trx) => {
          const { locale, now, ifMatch } = ctx;
          const request = { shieldId: params.id, locale, now, ifMatch };
          const { region, revision, etag } = await changeRegion(
            writes,
            trx,
            request,
            body.location,
          );
          const message = ctx.text("ok.region_updated");
          return { body: { message, revision, region }, headers: { etag } };
        }),
      );
    },
    jobs: [regionSweep(deps)],
  };
}
