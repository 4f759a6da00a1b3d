import { regionCooldownSeconds, type ShieldRegion } from "@palisade/contract/http/regions";
import type { Locale } from "@palisade/contract/texts/render";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { etagOf, requireMatch } from "#src/platform/http/etag.ts";
import { moveDefaultPort } from "#src/features/bedrock/bedrock-ports.service.ts";
import { entitlements } from "#src/features/plans/entitlements.service.ts";
import { listLocations, requireLocation } from "#src/features/plans/plans.service.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { moveShield, selectLeft, selectRegion } from "./regions.repository.ts";

/** Twenty times the zone's time-to-live: resolvers that keep answers for longer than told lead there. */
export const servedAfterMs = 600_000;

type RegionRow = Awaited<ReturnType<typeof selectRegion>>;

interface Reader {
  readonly shieldId: string;
  readonly locale: Locale;
  readonly now: Date;
}

export async function getRegion(db: Executor, { shieldId, locale, now }: Reader) {
  const place = await selectRegion(db, shieldId);
  const { allowsLocation } = entitlements(place);
  const locations = await listLocations(db, undefined, locale);
  const named = (name: string) => ({
    name,
    display_name: locations.find((location) => location.name === name)?.display_name ?? name,
  });
  const left = await selectLeft(db, shieldId);
  const region: ShieldRegion = {
    current_region: named(place.location),
    available_regions: locations.map(({ name, display_name, is_available }) => ({
      name,
      display_name,
      value: name,
      is_available: is_available && allowsLocation(name),
    })),
    locked_seconds: lockedSeconds(place, now),
    left_regions: left
      .filter(({ until }) => until > now)
      .map(({ location, until }) => ({ ...named(location), until: until.toISOString() })),
  };
  return { region, etag: tagOf(place) };
}

/**
 * Moves the shield to the region named by a value, name or display text. Choosing the present
 * region changes nothing and starts no cooldown.
 *
 * @throws DomainError `rate_limited` within the cooldown, `location_unavailable`, `port_taken` where
 *   another shield has the default Bedrock port there
 */
export async function changeRegion(
  writes: ShieldWrites,
  trx: Trx,
  request: Reader & { readonly ifMatch: string | undefined },
  text: string,
) {
  const { shieldId, now } = request;
  await writes.lockActive(trx, shieldId);
  const place = await selectRegion(trx, shieldId);
  requireMatch(request, tagOf(place));
  const { name: to } = await requireLocation(trx, text, entitlements(place));
  if (to === place.location) {
    return { ...(await getRegion(trx, request)), revision: place.revision };
  }
  const seconds = lockedSeconds(place, now);
  if (seconds > 0) {
    throw new DomainError("rate_limited", {
      text: "region.cooldown",
      values: { seconds },
      retryAfterSeconds: seconds,
    });
  }
  const until = new Date(now.getTime() + servedAfterMs);
  await moveDefaultPort(trx, request, to);
  await moveShield(trx, shieldId, { from: place.location, to, now, until });
  const after = await getRegion(trx, request);
  const { revision } = await writes.commit(trx, shieldId);
  return { ...after, revision };
}

/** A replica whose clock is behind must not lock for longer. */
function lockedSeconds({ region_changed_at: changedAt }: RegionRow, now: Date): number {
  if (changedAt === null) return 0;
  const passed = (now.getTime() - changedAt.getTime()) / 1_000;
  return Math.min(regionCooldownSeconds, Math.max(0, Math.ceil(regionCooldownSeconds - passed)));
}

function tagOf({ location, region_changed_at }: RegionRow): string {
  return etagOf(["region", location, region_changed_at]);
}
