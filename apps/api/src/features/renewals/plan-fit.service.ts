import type { ExceededLimit } from "@palisade/contract/http/plan-changes";
import { everyRegion } from "@palisade/contract/http/backends";
import { antibotLevels } from "@palisade/contract/edge/plain-values";
import { parseMitigation } from "#src/features/configuration/mitigation-settings.service.ts";
import type { Entitlements } from "#src/features/plans/entitlements.service.ts";
import type { Executor } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { selectUsage } from "./plan-fit.repository.ts";

/** The limits of another plan that a shield exceeds; empty where the plan fits. */
export async function exceededLimits(
  db: Executor,
  shieldId: string,
  plan: Entitlements,
  now: Date,
): Promise<ExceededLimit[]> {
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const usage = await selectUsage(db, shieldId, month);
  const settings = parseMitigation(usage.settings);
  const places = [usage.location, ...usage.regions.filter((region) => region !== everyRegion)];
  const closed = [...new Set(places)].filter((name) => !plan.allowsLocation(name));
  const traffic = plan.trafficBytesPerMonth;
  const wantsVpn = settings.anti_vpn && !plan.antiVpn;
  return [
    ...beyond("domains", usage.domains, plan.domainsMax),
    ...beyond("backend_groups", usage.groups, plan.backendGroupsMax),
    ...beyond("locations", closed.length, 0),
    ...beyond("antibot_level", rank(settings.antibot_level), rank(plan.antibotMax)),
    ...beyond("anti_vpn", wantsVpn ? 1 : 0, 0),
    ...(traffic === null ? [] : beyond("traffic", Number(usage.bytes), traffic)),
  ];
}

const rank = (level: (typeof antibotLevels)[number]): number => antibotLevels.indexOf(level);

function beyond(limit: ExceededLimit["limit"], used: number, allowed: number): ExceededLimit[] {
  return used > allowed ? [{ limit, used, allowed }] : [];
}

/** @throws DomainError `plan_exceeded`, with one issue for each limit */
export function requireFit(exceeded: readonly ExceededLimit[]): void {
  if (exceeded.length === 0) return;
  throw new DomainError("plan_exceeded", {
    issues: exceeded.map(({ limit }) => ({
      path: limit,
      code: `plan.exceeded.${limit}` as const,
    })),
    values: Object.fromEntries(
      exceeded.flatMap(({ limit, used, allowed }) => [
        [`${limit}_used`, used],
        [`${limit}_allowed`, allowed],
      ]),
    ),
  });
}
