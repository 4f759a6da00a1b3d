import { heartbeatMs } from "@palisade/contract/edge/stream";
import type { Logger } from "pino";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Bus } from "#src/platform/database/bus.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import type { Feature } from "#src/platform/platform.ts";
import { createConfigBroadcaster } from "./config-broadcaster.ts";
import { mountConfigurationRoutes, type ProbeStream } from "./configuration.routes.ts";
import { stallMsMax } from "#src/platform/http/ndjson-writer.ts";
import { recompilingJob } from "./cookie-keys.service.ts";
import { recompileOutdated, type RecompileDeps } from "./recompile.service.ts";
import { createSchemaReadiness } from "./schema-readiness.ts";
import { createSemaphore } from "./semaphore.ts";

/** Fewer than the pool's connections, so that slow readers never take them all. */
const snapshotsAtOnce = 4;

export interface ConfigurationFeatureDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly log: Logger;
  readonly zone: string;
  readonly probes: ProbeStream;
  readonly recompile: RecompileDeps;
}

export function createConfigurationFeature(deps: ConfigurationFeatureDeps): Feature {
  const { db, clock, bus, log, zone, probes } = deps;
  const broadcaster = createConfigBroadcaster({ db, bus, log });
  const snapshots = createSemaphore(snapshotsAtOnce);
  const routesDeps = {
    stream: { db, clock, broadcaster, zone, heartbeatMs, snapshots },
    readiness: createSchemaReadiness(db),
    stallMs: stallMsMax,
    probes,
  };
  const ending = new AbortController();
  let recompiling: Promise<void> | undefined;
  return {
    jobs: [shieldRecompiling(deps.recompile)],
    async start() {
      recompiling = recompileOutdated(deps.recompile, ending.signal);
      await broadcaster.start();
    },
    async stop() {
      ending.abort();
      await broadcaster.stop();
      await recompiling;
    },
    mountRoutes: (mount) => mountConfigurationRoutes(mount, routesDeps),
  };
}

/** Runs after the start too, because an api of the previous version may write until it is replaced. */
function shieldRecompiling(deps: RecompileDeps): JobDefinition<object> {
  return {
    name: recompilingJob,
    retryLimit: 0,
    retryDelaySeconds: 60,
    cron: "*/5 * * * *",
    run: (_data, signal) => recompileOutdated(deps, signal ?? new AbortController().signal),
  };
}
