import { sql } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";
import { attackColumns } from "./attacks.repository.ts";

export function selectAttack(db: Executor, shieldId: string, attackId: string) {
  return db
    .selectFrom("attacks")
    .select(attackColumns)
    .where("shield_id", "=", shieldId)
    .where("id", "=", attackId)
    .executeTakeFirst();
}

export interface PlayerPoint {
  /** Unix time in seconds. */
  readonly at: number;
  readonly playerSeconds: number;
}

/** Player seconds by steps of whole minutes; steps without a report are left out. */
export async function selectPlayers(
  db: Executor,
  shieldId: string,
  span: { readonly from: Date; readonly to: Date; readonly stepSeconds: number },
): Promise<PlayerPoint[]> {
  const step = sql.lit(span.stepSeconds);
  const { rows } = await sql<PlayerPoint>`
    select (floor(date_part('epoch', minute) / ${step}) * ${step})::float8 as at,
      sum(player_seconds)::float8 as "playerSeconds"
    from traffic_minutes
    where shield_id = ${shieldId} and minute >= ${span.from} and minute < ${span.to}
    group by 1 order by 1
  `.execute(db);
  return rows;
}

/** Logins of the attack's time, the newest first. */
export function selectSample(
  db: Executor,
  shieldId: string,
  span: { readonly from: Date; readonly to: Date; readonly days: number; readonly limit: number },
) {
  return db
    .selectFrom("login_entries")
    .leftJoin("edges", "edges.id", "login_entries.edge_id")
    .select([
      "login_entries.id",
      "login_entries.at",
      "verdict",
      "shadow",
      "player",
      sql<string>`host(ip)`.as("ip"),
      "host",
      "trace",
      "edges.name as edge",
    ])
    .where("login_entries.shield_id", "=", shieldId)
    .where("at", ">=", span.from)
    .where("at", "<=", span.to)
    .where(sql<boolean>`"at" >= now() - make_interval(days => ${span.days})`)
    .orderBy("at", "desc")
    .orderBy("login_entries.id", "desc")
    .limit(span.limit)
    .execute();
}

export function selectPlanAndName(db: Executor, shieldId: string) {
  return db
    .selectFrom("shields")
    .innerJoin("pricing_plans", "pricing_plans.id", "shields.pricing_plan_id")
    .select(["pricing_plans.limits as plan_limits", "shields.server_name"])
    .where("shields.id", "=", shieldId)
    .executeTakeFirstOrThrow();
}
