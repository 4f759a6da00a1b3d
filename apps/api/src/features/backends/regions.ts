import {
  canonicalChoice,
  everyRegion,
  everyRegionText,
  type Backends,
} from "@palisade/contract/http/backends";
import type { Locale } from "@palisade/contract/texts/render";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { Executor } from "#src/platform/database/db.ts";
import type { Entitlements } from "#src/features/plans/entitlements.service.ts";
import { knownLocations } from "#src/features/plans/plans.service.ts";

type Location = Awaited<ReturnType<typeof knownLocations>>[number];

/** Regions a group can be given: those with an edge that the plan includes, and all of them. */
export function availableRegions(
  locations: readonly Location[],
  plan: Entitlements,
  locale: Locale,
): Backends["available_regions"] {
  const every = { name: everyRegion, display_name: everyRegionText, value: everyRegion };
  const placed = locations.filter(
    ({ name, isAvailable }) => isAvailable && plan.allowsLocation(name),
  );
  return [
    every,
    ...placed.map(({ name, textOf }) => ({ name, display_name: textOf(locale), value: name })),
  ];
}

/**
 * The region named by a value, name or display text in any language. A group may keep its present
 * region even when it could no longer be chosen.
 *
 * @throws DomainError `location_unavailable` with the field `region`
 */
export async function requireRegion(
  db: Executor,
  typed: string,
  { plan, current }: { readonly plan: Entitlements; readonly current?: string },
): Promise<string> {
  const wanted = canonicalChoice(typed);
  if (wanted === everyRegion) return everyRegion;
  const location = (await knownLocations(db)).find(({ name, texts }) =>
    [name, ...texts].some((text) => canonicalChoice(text) === wanted),
  );
  const isUsable = location?.isAvailable === true && plan.allowsLocation(location.name);
  if (location === undefined || (!isUsable && location.name !== current)) {
    throw new DomainError("location_unavailable", {
      issues: [{ path: "region", code: "error.location_unavailable" }],
    });
  }
  return location.name;
}
