import type { ShieldStatus } from "#src/schema/shields.ts";
import { isRecent } from "#src/features/liveness/liveness.service.ts";
import type { Executor } from "#src/platform/database/db.ts";
import { sql } from "kysely";

export interface ShieldSearch {
  readonly q?: string | undefined;
  readonly status?: ShieldStatus | undefined;
  readonly ownerId?: string | undefined;
}

export type StaffShieldRow = Awaited<ReturnType<typeof selectShields>>[number];

function shieldsOf(db: Executor, { q = "", status, ownerId }: ShieldSearch) {
  let query = db.selectFrom("shields").where("shields.erased_at", "is", null);
  if (status !== undefined) query = query.where("shields.status", "=", status);
  if (ownerId !== undefined) query = query.where("shields.owner_id", "=", ownerId);
  if (q === "") return query;
  const part = q.toLowerCase();
  const within = `%${part.replace(/[\\%_]/g, String.raw`\$&`)}%`;
  return query.where(
    sql<boolean>`shields.id in (
      select id from shields
        where cname_record like ${within} or lower(server_name) like ${within} or id::text = ${part}
      union select shield_id from shield_domains where name like ${within} and removed_at is null
      union select backend_groups.shield_id from backends
        join backend_groups on backend_groups.id = backends.group_id
        where lower(backends.host) like ${within}
          or lower(backends.host) || ':' || backends.port = ${part}
      union select shields.id from users join shields on shields.owner_id = users.id
        where users.email_key like ${within}
    )`,
  );
}

export async function countShields(db: Executor, search: ShieldSearch): Promise<number> {
  const { rows } = await shieldsOf(db, search)
    .select((eb) => eb.fn.countAll<string>().as("rows"))
    .executeTakeFirstOrThrow();
  return Number(rows);
}

/** The newest first. */
export function selectShields(
  db: Executor,
  search: ShieldSearch,
  window: { readonly limit: number; readonly offset: number },
) {
  return listed(shieldsOf(db, search))
    .orderBy("shields.created_at", "desc")
    .orderBy("shields.id", "desc")
    .limit(window.limit)
    .offset(window.offset)
    .execute();
}

function listed(query: ReturnType<typeof shieldsOf>) {
  return query
    .innerJoin("users", "users.id", "shields.owner_id")
    .innerJoin("pricing_plans", "pricing_plans.id", "shields.pricing_plan_id")
    .select([
      "shields.id",
      "shields.server_name",
      "shields.cname_record",
      "shields.status",
      "shields.location",
      "shields.created_at",
      "users.id as owner_id",
      "users.email as owner_email",
      "pricing_plans.slug as plan_slug",
      "pricing_plans.name as plan_name",
      sql<string>`(select coalesce(sum(players), 0) from live_gauges
        where shield_id = shields.id and ${isRecent("live_gauges.at")})`.as("players"),
    ]);
}

export type ShieldDetailsRow = NonNullable<Awaited<ReturnType<typeof selectShield>>>;

export function selectShield(db: Executor, id: string) {
  return listed(db.selectFrom("shields").where("shields.id", "=", id))
    .leftJoin("subscriptions", "subscriptions.shield_id", "shields.id")
    .leftJoin("pricing_plans as planned", "planned.id", "subscriptions.planned_plan_id")
    .select([
      "shields.blocked_reason",
      "shields.deleted_at",
      "shields.traffic_used_up",
      "shields.revision",
      "shields.automatic_renewal",
      "subscriptions.price_cents",
      "subscriptions.period_ends_at",
      "planned.name as planned_plan",
    ])
    .executeTakeFirst();
}

export async function selectLabel(db: Executor, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("shields")
    .select("cname_record")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.cname_record;
}

export function selectDomains(db: Executor, shieldId: string) {
  return db
    .selectFrom("shield_domains")
    .select(["name", "verified_at"])
    .where("shield_id", "=", shieldId)
    .where("removed_at", "is", null)
    .orderBy("name")
    .execute();
}

/** Up where any edge that has reported of late says so. */
export function selectBackends(db: Executor, shieldId: string) {
  return db
    .selectFrom("backends")
    .innerJoin("backend_groups", "backend_groups.id", "backends.group_id")
    .select([
      "backend_groups.name as group",
      "backends.host",
      "backends.port",
      sql<boolean | null>`(select bool_or(state = 'up') from backend_health
        where backend_id = backends.id and state <> 'unknown'
          and ${isRecent("backend_health.reported_at")})`.as("is_up"),
    ])
    .where("backend_groups.shield_id", "=", shieldId)
    .orderBy("backend_groups.is_default", "desc")
    .orderBy("backend_groups.name")
    .orderBy("backends.host")
    .execute();
}

export function selectMembers(db: Executor, shieldId: string) {
  return db
    .selectFrom("shield_members")
    .innerJoin("users", "users.id", "shield_members.user_id")
    .select(["users.id", "users.email"])
    .where("shield_members.shield_id", "=", shieldId)
    .where("shield_members.role", "=", "member")
    .orderBy("users.email")
    .execute();
}

/** Actions of staff on the shield, the newest first; reads are left out. */
export function selectActions(db: Executor, shieldId: string, limit: number) {
  return db
    .selectFrom("staff_actions")
    .innerJoin("audit_log", "audit_log.id", "staff_actions.audit_id")
    .leftJoin("users", (join) =>
      join.onRef("users.id", "=", "staff_actions.staff_id").on("users.deleted_at", "is", null),
    )
    .select([
      "staff_actions.audit_id as id",
      "staff_actions.route",
      "staff_actions.reason",
      "staff_actions.created_at",
      "users.email",
    ])
    .where(sql<boolean>`staff_actions.subjects @> ${JSON.stringify({ shieldId })}::jsonb`)
    .where("audit_log.method", "!=", "GET")
    .where("staff_actions.response_status", "<", 300)
    .orderBy("staff_actions.created_at", "desc")
    .orderBy("staff_actions.audit_id", "desc")
    .limit(limit)
    .execute();
}
