import type { Db } from "#src/platform/database/db.ts";
import { takeEdgeChanges } from "./edge-watch.repository.ts";
import { tryToHold } from "./notification-events.repository.ts";
import { tellStaff, type StaffEventsDeps } from "./staff-events.service.ts";

/**
 * Tells staff when an edge or DNS server is heard no more, and when it is back. It is lost once two checks
 * in a row found it silent: after an outage of the api, all have been silent for a while.
 */
export async function watchEdges(deps: StaffEventsDeps & { readonly db: Db }): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    if (!(await tryToHold(trx, "edges"))) return;
    for (const { name, location, is_lost, last_seen_at } of await takeEdgeChanges(trx)) {
      await tellStaff(deps, trx, {
        kind: is_lost ? "edge.lost" : "edge.back",
        data: { edge: name, location, last_seen_at: last_seen_at?.toISOString() ?? null },
      });
    }
  });
}
