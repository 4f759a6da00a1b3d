import { routes } from "@palisade/contract/http/routes";
import type { Logger } from "pino";
import type { Db } from "#src/platform/database/db.ts";
import type { Jobs } from "#src/platform/jobs/jobs.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { createClockSkewMonitor } from "./clock-skew-monitor.ts";
import { recordTelemetry } from "./telemetry.service.ts";

export interface TrafficRoutesDeps {
  readonly db: Db;
  readonly log: Logger;
  readonly jobs: Jobs;
}

export function mountTrafficRoutes(mount: Mount, { db, log, jobs }: TrafficRoutesDeps): void {
  const clockSkew = createClockSkewMonitor(log);
  mount(routes.edge.telemetry, async (ctx, { body }) => {
    const { isCounted, aheadMs } = await recordTelemetry({ db, jobs }, ctx.actor, body);
    clockSkew.check(ctx.actor.edgeId, aheadMs);
    return { body: { accepted: isCounted } };
  });
}
