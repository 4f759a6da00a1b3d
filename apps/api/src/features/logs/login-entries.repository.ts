import type { LoginVerdict } from "@palisade/contract/edge/telemetry";
import { sql } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { TimeCursor } from "#src/platform/http/time-cursor.ts";

export interface LoginRow {
  readonly id: string;
  readonly shield_id: string;
  readonly at: string;
  readonly verdict: LoginVerdict;
  readonly shadow: boolean;
  readonly player: string;
  readonly ip: string;
  readonly protocol: number;
  readonly host: string;
  readonly trace: string;
  readonly facts: Readonly<Record<string, string>>;
}

/** Stores the logins of days that have a partition; the others are left out and stop none of these. */
export async function insertLogins(
  trx: Trx,
  edgeId: string,
  rows: readonly LoginRow[],
  ageHoursMax: number,
): Promise<void> {
  await sql`
    insert into login_entries (id, shield_id, at, edge_id, verdict, shadow, player, ip, protocol,
      host, trace, facts)
    select id, shield_id, date_trunc('milliseconds', "at"), ${edgeId}::uuid, verdict, shadow,
      player, ip, protocol, host, trace, facts
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as told (
      id uuid, shield_id uuid, "at" timestamptz, verdict text, shadow boolean, player text, ip inet,
      protocol integer, host text, trace text, facts jsonb)
    where "at" between clock_timestamp() - make_interval(hours => ${sql.lit(ageHoursMax)})
        and clock_timestamp() + interval '5 minutes'
      and to_regclass(
        'public.login_entries_' || to_char("at" at time zone 'UTC', 'YYYYMMDD')) is not null
  `.execute(trx);
}

export interface LoginFilter {
  readonly verdict?: LoginVerdict | undefined;
  readonly player?: string | undefined;
  readonly ip?: string | undefined;
  readonly trace?: string | undefined;
}

/** Newest first. The window of days ends now by the database's clock. */
export function selectLogins(
  db: Executor,
  shieldId: string,
  filter: LoginFilter,
  window: {
    readonly days: number;
    readonly before: TimeCursor | undefined;
    readonly limit: number;
  },
) {
  let query = db
    .selectFrom("login_entries")
    .leftJoin("edges", "edges.id", "login_entries.edge_id")
    .select([
      "login_entries.id",
      "login_entries.at",
      "verdict",
      "shadow",
      "player",
      sql<string>`host(ip)`.as("ip"),
      "protocol",
      "host",
      "trace",
      "facts",
      "edges.name as edge",
    ])
    .where("login_entries.shield_id", "=", shieldId)
    // now() is constant within the statement, so PostgreSQL does not open older partitions.
    .where(sql<boolean>`"at" >= now() - make_interval(days => ${window.days})`);
  const { verdict, player, ip, trace } = filter;
  if (verdict !== undefined) query = query.where("verdict", "=", verdict);
  if (player !== undefined) {
    query = query.where(sql<boolean>`lower(player) = ${player.toLowerCase()}`);
  }
  if (ip !== undefined) query = query.where(sql<boolean>`ip = ${ip}::inet`);
  if (trace !== undefined) query = query.where("trace", "=", trace);
  const { before } = window;
  if (before !== undefined) {
    query = query
      // A separate condition, because PostgreSQL does not choose partitions by a pair.
      .where("at", "<=", before.at)
      .where(
        sql<boolean>`("at", login_entries.id) < (${before.at}::timestamptz, ${before.id}::uuid)`,
      );
  }
  return query
    .orderBy("at", "desc")
    .orderBy("login_entries.id", "desc")
    .limit(window.limit)
    .execute();
}

export async function makePartitions(db: Executor, daysAhead: number): Promise<void> {
  await sql`select make_login_partitions(${daysAhead}::integer)`.execute(db);
}

/**
 * Drops the oldest day if it is older than `daysKept`. It waits only briefly for statements that use
 * the table, because every later statement waits behind it.
 *
 * @returns whether it dropped one
 */
export async function dropPartition(db: Executor, daysKept: number): Promise<boolean> {
  const { rows } = await sql<{ dropped: number }>`
    select drop_login_partitions(${daysKept}::integer) as dropped
  `.execute(db);
  return rows[0]?.dropped === 1;
}

/**
 * Deletes the oldest entries of a shield, about `limit` of them; entries of one millisecond go
 * together.
 *
 * @returns how many were deleted
 */
export async function deleteOldestLogins(
  db: Executor,
  old: { readonly shieldId: string; readonly daysKept: number; readonly limit: number },
): Promise<number> {
  const { shieldId, daysKept, limit } = old;
  const isOld = sql`shield_id = ${shieldId} and "at" < now() - make_interval(days => ${daysKept})`;
  const { numAffectedRows } = await sql`
    delete from login_entries where ${isOld} and "at" <= coalesce((
      select "at" from login_entries where ${isOld} order by "at" offset ${limit - 1} limit 1
    ), 'infinity')
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Ordered by id. */
export async function selectShieldsOnPlan(
  db: Executor,
  planId: string,
  window: { readonly afterId: string | null; readonly limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from shields where pricing_plan_id = ${planId}
      and (${window.afterId}::uuid is null or id > ${window.afterId}::uuid)
    order by id limit ${window.limit}
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** Which of the shields have entries older than `daysKept` days. */
export async function selectShieldsWithOldLogins(
  db: Executor,
  shieldIds: readonly string[],
  daysKept: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select asked.id from unnest(${shieldIds}::uuid[]) asked (id) cross join lateral (
      select from login_entries
      where shield_id = asked.id and "at" < now() - make_interval(days => ${daysKept})
      order by "at" limit 1
    ) old
  `.execute(db);
  return rows.map(({ id }) => id);
}

export function selectPlans(db: Executor) {
  return db.selectFrom("pricing_plans").select(["id", "limits as plan_limits"]).execute();
}

export function selectPlanOfShield(db: Executor, shieldId: string) {
  return db
    .selectFrom("shields")
    .innerJoin("pricing_plans", "pricing_plans.id", "shields.pricing_plan_id")
    .select("pricing_plans.limits as plan_limits")
    .where("shields.id", "=", shieldId)
    .executeTakeFirstOrThrow();
}
