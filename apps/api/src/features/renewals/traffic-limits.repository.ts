import { sql } from "kysely";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import type { TrafficMonth } from "./traffic-limits.policy.ts";

export interface TrafficRow {
  readonly shield_id: string;
  readonly plan_limits: unknown;
  readonly traffic_used_up: boolean;
  readonly bytes: string;
  readonly month: string | null;
  readonly told: TrafficMonth["told"] | null;
  readonly exceeded_at: Date | null;
}

/** Active shields with their traffic since `month`; those without any are left out, unless marked. */
export async function selectTraffic(
  db: Executor,
  month: Date,
  only: string | null = null,
): Promise<TrafficRow[]> {
  const { rows } = await sql<TrafficRow>`
    select shields.id as shield_id, pricing_plans.limits as plan_limits, shields.traffic_used_up,
      coalesce(used.bytes, 0) as bytes, m.month, m.told, m.exceeded_at
    from shields
    join pricing_plans on pricing_plans.id = shields.pricing_plan_id
    left join (
      select shield_id, sum(coalesce(bytes_up, 0) + coalesce(bytes_down, 0)) as bytes
      from telemetry_daily
      where day >= ${month} and (${only}::uuid is null or shield_id = ${only}) group by shield_id
    ) used on used.shield_id = shields.id
    left join traffic_months m on m.shield_id = shields.id
    where shields.status = 'active' and (${only}::uuid is null or shields.id = ${only})
      and (used.bytes > 0 or shields.traffic_used_up)
    order by shields.id
  `.execute(db);
  return rows;
}

/** The shield and the mail address of its owner; it stays locked until `trx` ends. */
export function lockForTraffic(trx: Trx, shieldId: string) {
  return trx
    .selectFrom("shields")
    .innerJoin("users", "users.id", "shields.owner_id")
    .select(["shields.status", "shields.server_name", "users.email", "users.locale"])
    .where("shields.id", "=", shieldId)
    .forNoKeyUpdate("shields")
    .executeTakeFirst();
}

export async function saveMonth(
  trx: Trx,
  shieldId: string,
  month: string,
  { told, exceededAt: exceeded_at }: TrafficMonth,
): Promise<void> {
  await trx
    .insertInto("traffic_months")
    .values({ shield_id: shieldId, month, told, exceeded_at })
    .onConflict((conflict) =>
      conflict.column("shield_id").doUpdateSet({ month, told, exceeded_at }),
    )
    .execute();
}

export async function setUsedUp(db: Db | Trx, shieldId: string, isUsedUp: boolean): Promise<void> {
  await db
    .updateTable("shields")
    .set({ traffic_used_up: isUsedUp })
    .where("id", "=", shieldId)
    .execute();
}
