import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import { recompilingJob } from "./cookie-keys.service.ts";
import { recompileOutdated, type RecompileDeps } from "./recompile.service.ts";

/** After the start as well: an api of the version before may go on writing until it is replaced. */
export function shieldRecompiling(deps: RecompileDeps): JobDefinition<object> {
  return {
    name: recompilingJob,
    retryLimit: 0,
    retryDelaySeconds: 60,
    cron: "*/5 * * * *",
    run: (_data, signal) => recompileOutdated(deps, signal ?? new AbortController().signal),
  };
}
