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
