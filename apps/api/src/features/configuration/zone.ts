import type { ZoneEdges } from "@palisade/contract/edge/zone-record";
import type { Db } from "#src/platform/database/db.ts";
import type { ConfigBroadcaster } from "./config-broadcaster.ts";
import { selectZoneEdges } from "#src/features/liveness/liveness.service.ts";

const ttlSeconds = 30;

/**
 * The edges that zone DNS may answer with, as JSON text. After an outage of the api, edges count as
 * healthy until it has watched for long enough, because none could report.
 */
export async function readZone(deps: {
  readonly db: Db;
  readonly broadcaster: Pick<ConfigBroadcaster, "hasWatchedLongEnough">;
  readonly zone: string;
}): Promise<string> {
  const rows = await selectZoneEdges(deps.db);
  const zone: ZoneEdges = {
    zone: deps.zone,
    ttl_seconds: ttlSeconds,
    edges: rows.map((row) => ({
      id: row.id,
      location: row.location,
      addresses: row.addresses,
      healthy: row.is_recent || !deps.broadcaster.hasWatchedLongEnough(),
      drained: row.drained,
    })),
  };
  return JSON.stringify(zone);
}
