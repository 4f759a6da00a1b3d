import { setTimeout as sleep } from "node:timers/promises";
import { configSchemaVersion } from "@palisade/contract/edge/shield-config";
import { anyShieldConfig } from "@palisade/contract/edge/earlier-shield-config";
import type { Logger } from "pino";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { encodeConfig } from "./compile/compile-shield.ts";
import { selectStatus } from "./configuration.repository.ts";
import { selectSalt } from "./cookie-keys.repository.ts";
import { cookieKeyOf } from "./cookie-keys.service.ts";
import type { RecompileCounter } from "./recompile-metrics.ts";
import { lockOutdated, selectOutdated, selectStoredConfig } from "./recompile.repository.ts";
import {
  compileNext,
  emptyRevision,
  publishNext,
  type NextRevision,
  type ShieldWritesDeps,
} from "./shield-writes.service.ts";

/** Few enough that a change of a shield hardly waits for the lock of the batch. */
const batchShields = 50;
const retryMs = 2_000;
/** While another process has the last ones. */
const waitMs = 200;

type Make = (deps: RecompileDeps, trx: Trx, shieldId: string) => Promise<NextRevision>;

export interface RecompileDeps extends Omit<ShieldWritesDeps, "failpoint" | "clock"> {
  readonly db: Db;
  readonly log: Logger;
  readonly count: RecompileCounter;
}

/**
 * Compiles again what an api of the version before has stored without the newest schema, each
 * shield once, however many processes are at it. Until all are there, no node that asks for that
 * schema is answered: it would take what is missing for deleted. Keys that are to be others are
 * renewed here, too.
 */
export async function recompileOutdated(deps: RecompileDeps, signal: AbortSignal): Promise<void> {
  let compiled = 0;
  let failed = 0;
  let afterId: string | null = null;
  while (!signal.aborted) {
    try {
      const ids: string[] = await selectOutdated(deps.db, { afterId, limit: batchShields });
      if (ids.length > 0) {
        const done = await recompileBatch(deps, ids);
        compiled += done.compiled;
        failed += done.failed;
      } else if (afterId === null) {
        break;
      } else {
        // Starts over, because another process may have given up on its shields.
        await sleep(failed > 0 ? retryMs : waitMs, undefined, { signal });
        failed = 0;
      }
      afterId = ids.at(-1) ?? null;
    } catch (error) {
      if (signal.aborted) break;
      deps.log.error({ err: error }, "Configurations could not be compiled again; trying on");
      await sleep(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }
  if (compiled > 0) deps.log.info({ shields: compiled }, "Compiled again");
}

async function recompileBatch(deps: RecompileDeps, ids: readonly string[]) {
  try {
    return { compiled: await publishAll(deps, ids, makeNext), failed: 0 };
  } catch {
    // Whichever it is, it takes no other along: each by itself now.
    const done = { compiled: 0, failed: 0 };
    for (const id of ids) {
      const published = await recompileAlone(deps, id);
      if (published === null) done.failed += 1;
      else done.compiled += published;
    }
    return done;
  }
}

function publishAll(deps: RecompileDeps, ids: readonly string[], make: Make): Promise<number> {
  return deps.db.transaction().execute(async (trx) => {
    const held = await lockOutdated(trx, ids);
    const revisions: NextRevision[] = [];
    for (const id of held) revisions.push(await make(deps, trx, id));
    // Only now, as everybody queues for what publishing locks.
    for (const revision of revisions) await publishNext(deps, trx, revision);
    return held.length;
  });
}

/** One whose key alone is old keeps what it says: it may be a revision of before. */
async function makeNext(deps: RecompileDeps, trx: Trx, shieldId: string): Promise<NextRevision> {
  const { schema } = await selectStoredConfig(trx, shieldId);
  return (schema === configSchemaVersion ? convertStored : compileNext)(deps, trx, shieldId);
}

/** One that no longer compiles goes on as it is. Null where the database refuses that too. */
async function recompileAlone(deps: RecompileDeps, shieldId: string): Promise<number | null> {
  try {
    return await publishAll(deps, [shieldId], makeNext);
  } catch (error) {
    deps.log.error({ err: error, shieldId }, "A shield no longer compiles; it is kept as it is");
  }
  try {
    return await publishAll(deps, [shieldId], keepStored);
  } catch (error) {
    deps.log.error({ err: error, shieldId }, "A shield could not be stored again; trying on");
    deps.count("failed");
    return null;
  }
}

async function keepStored(deps: RecompileDeps, trx: Trx, shieldId: string): Promise<NextRevision> {
  const next = await convertStored(deps, trx, shieldId);
  if (next.configs !== null) deps.count("kept");
  return next;
}

/**
 * A configuration that cannot be read is taken away: no edge would run it, and all edges of the
 * newest schema wait until every shield is stored in it.
 */
async function convertStored(
  deps: RecompileDeps,
  trx: Trx,
  shieldId: string,
): Promise<NextRevision> {
  const { revision } = await selectStatus(trx, shieldId);
  const { config, locations } = await selectStoredConfig(trx, shieldId);
  const next = { shieldId, revision: revision + 1 };
  if (locations.length === 0) return { ...emptyRevision(shieldId), ...next };
  const cookieSalt = await selectSalt(trx, shieldId, locations);
  try {
    const known = anyShieldConfig.parse(JSON.parse(config));
    const cookie_key = cookieKeyOf(deps.cookieSecret, shieldId, cookieSalt);
    const mitigation = { ...known.mitigation, cookie_key };
    const configs = encodeConfig({ ...known, revision: next.revision, mitigation });
    return { ...next, configs, locations, cookieSalt };
  } catch (error) {
    deps.log.error({ err: error, shieldId }, "A shield can no longer be read; no edge has it now");
    deps.count("taken_away");
    return { ...emptyRevision(shieldId), ...next };
  }
}
