import { routes } from "@palisade/contract/http/routes";
import type { Logger } from "pino";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { createClockSkewMonitor } from "./clock-skew-monitor.ts";
import { recordTelemetry, type TelemetryDeps } from "./telemetry.service.ts";

export interface TrafficRoutesDeps extends TelemetryDeps {
  readonly log: Logger;
}

export function mountTrafficRoutes(mount: Mount, { log, ...deps }: TrafficRoutesDeps): void {
  const clockSkew = createClockSkewMonitor(log);
  mount(routes.edge.telemetry, async (ctx, { body }) => {
    const { isCounted, aheadMs } = await recordTelemetry(deps, ctx.actor, body);
    clockSkew.check(ctx.actor.edgeId, aheadMs);
    return { body: { accepted: isCounted } };
  });
}
