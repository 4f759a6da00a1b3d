import { ownerRights, rightsOf } from "@palisade/contract/http/member-rights";
import { basePaths } from "@palisade/contract/http/route";
import type { Server, ServerListItem, ServerOverview } from "@palisade/contract/http/servers";
import type { Locale } from "@palisade/contract/texts/render";
import { translated } from "#src/features/plans/translations.service.ts";
import { antibotState } from "#src/features/configuration/mitigation-settings.service.ts";
import { graceEndsAt, restorableUntil } from "./shield-deadlines.ts";
import type { selectShield, selectShieldPage } from "./shields.repository.ts";

type ShieldRow = NonNullable<Awaited<ReturnType<typeof selectShield>>>;
type ListRow = Awaited<ReturnType<typeof selectShieldPage>>[number];

export function presentShield(row: ShieldRow, locale: Locale): Server {
  return {
    id: row.id,
    server_name: row.server_name,
    status: row.status,
    role: row.role,
    member_role: row.role === "owner" ? null : row.member_role,
    rights: row.role === "owner" ? ownerRights : rightsOf(row.member_role, row.rights),
    pricing_plan: presentPlan(row, locale),
    cname_record: row.cname_record,
    domain: row.domain,
    location: {
      name: row.location_name,
      display_name: translated(
        { display_name: row.location_display_name, translations: row.location_translations },
        "display_name",
        locale,
      ),
    },
    created_at: row.created_at.toISOString(),
  };
}

/** The plan a shield is on. */
export function presentPlan(row: ShieldRow, locale: Locale): Server["pricing_plan"] {
  const plan = { name: row.plan_name, translations: row.plan_translations };
  return { id: row.plan_id, name: translated(plan, "name", locale) };
}

/** The plan of the next period, where it is another. */
export function presentPlanned(row: ShieldRow, locale: Locale): ServerOverview["planned_plan"] {
  const { planned_plan_id: id, planned_name: name, planned_translations: translations } = row;
  if (id === null || name === null || translations === null || row.period_ends_at === null) {
    return null;
  }
  const plan = { id, name: translated({ name, translations }, "name", locale) };
  return { plan, effective_at: row.period_ends_at.toISOString() };
}

/** While the shield is active without being paid for: until when. */
export function presentGrace(
  { period_ends_at, status }: Pick<ShieldRow, "period_ends_at" | "status">,
  now: Date,
): string | null {
  if (period_ends_at === null || status !== "active" || now < period_ends_at) return null;
  return graceEndsAt(period_ends_at).toISOString();
}

export function presentListItem(
  row: ListRow,
  figures: { readonly playersOnline: number; readonly playersHistory: readonly number[] },
  now: Date,
): ServerListItem {
  return {
    id: row.id,
    server_name: row.server_name,
    status: row.status,
    role: row.role,
    img: imagePath(row),
    domain: row.domain,
    cname_record: row.cname_record,
    players_online: figures.playersOnline,
    under_attack: row.under_attack,
    antibot: antibotState(row),
    traffic_used_up: row.traffic_used_up,
    grace_ends_at: presentGrace(row, now),
    deleted_at: row.deleted_at?.toISOString() ?? null,
    restorable_until: row.deleted_at && restorableUntil(row.deleted_at).toISOString(),
    players_history: figures.playersHistory.map((players) => Math.round(players)),
  };
}

/** Read with the caller's credential; another one with every change, so that it may be kept. */
function imagePath({ id, status, image_version, favicon_version }: ListRow): string | null {
  const version = image_version ?? favicon_version;
  if (version === null || status === "deleted") return null;
  return `${basePaths.api}/servers/${id}/image?version=${version}`;
}
