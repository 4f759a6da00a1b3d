import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { fleetAddresses, readOrigin } from "./origin.service.ts";

const addressesAgeSeconds = 300;

export function mountOriginRoutes(
  mount: Mount,
  deps: {
    readonly db: Db;
    /** The URL of this installation for people and game servers, without a slash at the end. */
    readonly publicOrigin: () => string;
  },
): void {
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
}
