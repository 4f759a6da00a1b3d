import type { Caching } from "@palisade/contract/http/caching";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { etagOf, requireMatch } from "#src/platform/http/etag.ts";
import { statusCacheStats } from "#src/features/traffic/traffic.service.ts";
import { entitlements } from "#src/features/plans/entitlements.service.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { addPurge, selectCaching, setCaching } from "./caching.repository.ts";

const dayMs = 86_400_000;

interface Request {
  readonly shieldId: string;
  readonly now: Date;
}

export async function getCaching(db: Executor, { shieldId, now }: Request) {
  const stored = await selectCaching(db, shieldId);
  const isAllowed = entitlements(stored).caching;
  const figures = await statusCacheStats(db, shieldId, new Date(now.getTime() - dayMs));
  const caching: Caching = {
    caching_enabled: isAllowed && stored.enabled,
    needs_upgrade: !isAllowed,
    hit_rate: figures.pings === 0 ? null : figures.hits / figures.pings,
    pings: figures.pings,
    pings_from_cache: figures.hits,
    purged_at: stored.purged_at?.toISOString() ?? null,
  };
  return { caching, etag: etagOf(["caching", stored.version]) };
}

export async function updateCaching(
  writes: ShieldWrites,
  trx: Trx,
  request: Request & { readonly ifMatch: string | undefined },
  enabled: boolean,
) {
  const { shieldId } = request;
  await lockAllowed(writes, trx, shieldId);
  requireMatch(request, (await getCaching(trx, request)).etag);
  await setCaching(trx, shieldId, enabled);
  return committed(writes, trx, request);
}

/** Edges drop the cached status of the shield: each asks a backend at the next ping. */
export async function purgeCache(writes: ShieldWrites, trx: Trx, request: Request) {
  const { shieldId, now } = request;
  await lockAllowed(writes, trx, shieldId);
  await addPurge(trx, shieldId, now);
  return committed(writes, trx, request);
}

async function lockAllowed(writes: ShieldWrites, trx: Trx, shieldId: string): Promise<void> {
  const shield = await writes.lockActive(trx, shieldId);
  if (!entitlements(shield).caching) throw new DomainError("plan_required");
}

async function committed(writes: ShieldWrites, trx: Trx, request: Request) {
  const after = await getCaching(trx, request);
  const { revision } = await writes.commit(trx, request.shieldId);
  return { ...after, revision };
}
