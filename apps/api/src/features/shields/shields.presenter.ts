import type { Server, ServerListItem } from "@palisade/contract/http/servers";
import type { selectShield, selectShieldPage } from "./shields.repository.ts";

type ShieldRow = NonNullable<Awaited<ReturnType<typeof selectShield>>>;
type ListRow = Awaited<ReturnType<typeof selectShieldPage>>[number];

export function presentShield(row: ShieldRow): Server {
  return {
    id: row.id,
    server_name: row.server_name,
    status: row.status,
    role: row.role,
    pricing_plan: { id: row.plan_id, name: row.plan_name },
    cname_record: row.cname_record,
    domain: row.domain,
    location: { name: row.location_name, display_name: row.location_display_name },
    created_at: row.created_at.toISOString(),
  };
}

export function presentListItem(
  row: ListRow,
  figures: { readonly playersOnline: number; readonly playersHistory: readonly number[] },
): ServerListItem {
  return {
    id: row.id,
    server_name: row.server_name,
    status: row.status,
    role: row.role,
    img: null,
    domain: row.domain,
    cname_record: row.cname_record,
    players_online: figures.playersOnline,
    under_attack: false,
    players_history: figures.playersHistory.map((players) => Math.round(players)),
  };
}
