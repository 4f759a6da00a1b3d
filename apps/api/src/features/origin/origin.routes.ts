import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import type { Feature } from "#src/platform/platform.ts";
import { fleetAddresses, readOrigin } from "./origin.service.ts";

const addressesAgeSeconds = 300;

export function createOriginFeature(deps: {
  readonly db: Db;
  /** Where people and game servers open this installation, without a slash at the end. */
  readonly publicOrigin: () => string;
}): Feature {
  return {
    mountRoutes(mount) {
      mount(routes.origin.getOrigin, async (ctx) => ({
        body: await readOrigin(deps.db, ctx.shield.id, deps.publicOrigin()),
      }));
      mount(routes.origin.listEdgeAddresses, async () => ({
        body: await fleetAddresses(deps.db),
        headers: {
          "content-type": "text/plain; charset=utf-8",
          "cache-control": `public, max-age=${addressesAgeSeconds}`,
        },
      }));
    },
  };
}
