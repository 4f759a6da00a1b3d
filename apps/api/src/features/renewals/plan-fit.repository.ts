import { sql } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";

interface Usage {
  readonly domains: number;
  readonly groups: number;
  readonly location: string;
  readonly regions: readonly string[];
  readonly settings: unknown;
  readonly bytes: string;
}

/** The part of its plan that a shield uses; bytes since `month`. */
export async function selectUsage(db: Executor, shieldId: string, month: Date): Promise<Usage> {
  const { rows } = await sql<Usage>`
    select shields.location,
      (select count(*)::integer from shield_domains
        where shield_id = shields.id and removed_at is null) as domains,
      (select count(*)::integer from backend_groups where shield_id = shields.id) as groups,
      array(select region from backend_groups where shield_id = shields.id) as regions,
      (select settings from shield_mitigation where shield_id = shields.id) as settings,
      coalesce((select sum(coalesce(bytes_up, 0) + coalesce(bytes_down, 0))
        from telemetry_daily where shield_id = shields.id and day >= ${month}), 0) as bytes
    from shields where id = ${shieldId}
  `.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error(`There is no shield ${shieldId}`);
  return row;
}
