import { setTimeout as sleep } from "node:timers/promises";
import { anyShieldConfig } from "@palisade/contract/edge/shield-config-1";
import type { Logger } from "pino";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { encodeConfig } from "./compile/compile-shield.ts";
import { selectStanding } from "./configuration.repository.ts";
import { lockOutdated, selectOutdated, selectStoredConfig } from "./recompile.repository.ts";
import {
  compileNext,
  publishNext,
  type NextRevision,
  type ShieldWritesDeps,
} from "./shield-writes.service.ts";

/** Few enough that who changes a shield meanwhile does not notice the lock they publish under. */
const batchShields = 50;
const retryMs = 2_000;
/** While another process has the last ones. */
const waitMs = 200;

export interface RecompileDeps extends Omit<ShieldWritesDeps, "failpoint"> {
  readonly db: Db;
  readonly log: Logger;
}

/**
 * Compiles again what an api of the version before has stored without the newest schema, each
 * shield once, however many processes are at it. Until all are there, no node that asks for that
 * schema is answered: it would take what is missing for deleted.
 */
export async function recompileOutdated(deps: RecompileDeps, signal: AbortSignal): Promise<void> {
  let compiled = 0;
  let afterId: string | null = null;
  while (!signal.aborted) {
    try {
      const ids: string[] = await selectOutdated(deps.db, { afterId, limit: batchShields });
      if (ids.length > 0) {
        compiled += await recompileBatch(deps, ids);
      } else if (afterId === null) {
        break;
      } else {
        // Once more from the start: somebody else may have given up on theirs.
        await sleep(waitMs, undefined, { signal });
      }
      afterId = ids.at(-1) ?? null;
    } catch (error) {
      if (signal.aborted) break;
      deps.log.error({ err: error }, "Configurations could not be compiled again; trying on");
      await sleep(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }
  if (compiled > 0) deps.log.info({ shields: compiled }, "Compiled for the newest schema");
}

function recompileBatch(deps: RecompileDeps, ids: readonly string[]): Promise<number> {
  return deps.db.transaction().execute(async (trx) => {
    const held = await lockOutdated(trx, ids);
    const revisions: NextRevision[] = [];
    for (const id of held) revisions.push(await recompile(deps, trx, id));
    // Only now, as everybody queues for what publishing locks.
    for (const revision of revisions) await publishNext(deps, trx, revision);
    return held.length;
  });
}

/** One that no longer compiles goes on as it is: that is better than none. */
async function recompile(deps: RecompileDeps, trx: Trx, shieldId: string): Promise<NextRevision> {
  try {
    return await compileNext(deps, trx, shieldId);
  } catch (error) {
    deps.log.error({ err: error, shieldId }, "A shield no longer compiles; it is kept as it is");
    return convertStored(trx, shieldId);
  }
}

async function convertStored(trx: Trx, shieldId: string): Promise<NextRevision> {
  const { revision } = await selectStanding(trx, shieldId);
  const stored = await selectStoredConfig(trx, shieldId);
  const next = { shieldId, revision: revision + 1, locations: stored.locations };
  if (stored.locations.length === 0) return { ...next, configs: null };
  const config = anyShieldConfig.parse(JSON.parse(stored.config));
  return { ...next, configs: encodeConfig({ ...config, revision: revision + 1 }) };
}
