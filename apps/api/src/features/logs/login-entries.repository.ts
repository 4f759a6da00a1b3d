import type { LoggedAttempt, LoginVerdict } from "@palisade/contract/edge/telemetry";
import { sql, type RawBuilder } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";

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
  readonly country: string | null;
  readonly asn: number | null;
  readonly network: string | null;
  readonly attempt?: LoggedAttempt | undefined;
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
      host, trace, facts, country, asn, network, attempt)
    select id, shield_id, date_trunc('milliseconds', "at"), ${edgeId}::uuid, verdict, shadow,
      player, ip, protocol, host, trace, facts, country, asn, network, attempt
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as told (
      id uuid, shield_id uuid, "at" timestamptz, verdict text, shadow boolean, player text, ip inet,
      protocol integer, host text, trace text, facts jsonb, country text, asn bigint,
      network text, attempt jsonb)
    where "at" between clock_timestamp() - make_interval(hours => ${sql.lit(ageHoursMax)})
        and clock_timestamp() + interval '5 minutes'
      and to_regclass(
        'public.login_entries_' || to_char("at" at time zone 'UTC', 'YYYYMMDD')) is not null
  `.execute(trx);
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
  return deleteOldest(db, isOld, limit);
}

/**
 * Deletes the oldest entries of a player, about `limit` of them; entries of one millisecond go
 * together. No join: right after many writes its plan would compare each entry with each.
 *
 * @returns how many were deleted
 */
export async function deleteLoginsOfPlayer(
  db: Executor,
  of: { readonly shieldId: string; readonly player: string; readonly limit: number },
): Promise<number> {
  const isTheirs = sql`shield_id = ${of.shieldId} and lower(player) = ${of.player.toLowerCase()}`;
  return deleteOldest(db, isTheirs, of.limit);
}

async function deleteOldest(
  db: Executor,
  condition: RawBuilder<unknown>,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from login_entries where ${condition} and "at" <= coalesce((
      select "at" from login_entries where ${condition} order by "at" offset ${limit - 1} limit 1
    ), 'infinity')
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
}

export async function selectInterval(
  db: Executor,
  userId: string,
  shieldId: string,
): Promise<number | undefined> {
  const row = await db
    .selectFrom("log_intervals")
    .select("seconds")
    .where("user_id", "=", userId)
    .where("shield_id", "=", shieldId)
    .executeTakeFirst();
  return row?.seconds;
}

export async function saveInterval(
  trx: Trx,
  row: { readonly user_id: string; readonly shield_id: string; readonly seconds: number },
): Promise<void> {
  await trx
    .insertInto("log_intervals")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["user_id", "shield_id"]).doUpdateSet({ seconds: row.seconds }),
    )
    .execute();
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
