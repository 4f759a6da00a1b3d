import { sql, type Updateable } from "kysely";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

export async function updateSubscription(
  trx: Trx,
  shieldId: string,
  changes: Updateable<Database["subscriptions"]>,
): Promise<void> {
  await trx.updateTable("subscriptions").set(changes).where("shield_id", "=", shieldId).execute();
}

export async function deleteSubscription(trx: Trx, shieldId: string): Promise<void> {
  await trx.deleteFrom("subscriptions").where("shield_id", "=", shieldId).execute();
}

/**
 * Active shields whose renewal, or whose end, is due: the longest waiting first. A row of an api of
 * the version before has no time of its own.
 */
export async function selectDueShields(
  db: Db,
  now: Date,
  { limit, but }: { readonly limit: number; readonly but: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ shield_id: string }>`
    select s.shield_id from subscriptions s
    join shields on shields.id = s.shield_id and shields.status = 'active'
    where (s.next_renewal_at <= ${now}
        or s.next_renewal_at is null
          and s.period_ends_at <= ${now}::timestamptz + interval '24 hours')
      and s.shield_id <> all(${but}::uuid[])
    order by coalesce(s.next_renewal_at, s.period_ends_at - interval '24 hours'), s.shield_id
    limit ${limit}
  `.execute(db);
  return rows.map(({ shield_id }) => shield_id);
}

/** Shield and subscription, locked against other changes until `trx` ends. */
export function lockSubscription(trx: Trx, shieldId: string) {
  return trx
    .selectFrom("shields")
    .innerJoin("subscriptions", "subscriptions.shield_id", "shields.id")
    .innerJoin("users", "users.id", "shields.owner_id")
    .select((eb) => [
      "shields.id as shield_id",
      "shields.owner_id",
      "shields.server_name",
      "shields.status",
      "shields.automatic_renewal",
      "shields.include_balance",
      "users.email",
      "users.locale",
      // Not joined: a change of the plan while this waits would leave no row.
      eb
        .selectFrom("pricing_plans")
        .select("pricing_plans.name")
        .whereRef("pricing_plans.id", "=", "subscriptions.pricing_plan_id")
        .$asScalar()
        .$notNull()
        .as("plan_name"),
      "subscriptions.pricing_plan_id",
      "subscriptions.price_cents",
      "subscriptions.anchor_at",
      "subscriptions.period",
      "subscriptions.period_starts_at",
      "subscriptions.period_ends_at",
      "subscriptions.next_renewal_at",
      "subscriptions.failed_renewals",
      "subscriptions.told",
      "subscriptions.planned_plan_id",
      "subscriptions.planned_price_cents",
    ])
    .where("shields.id", "=", shieldId)
    .forNoKeyUpdate(["shields", "subscriptions"])
    .executeTakeFirst();
}

export type SubscriptionRow = NonNullable<Awaited<ReturnType<typeof lockSubscription>>>;

/** The plan a shield is on, which it keeps until `trx` ends. */
export function lockPlan(trx: Trx, shieldId: string) {
  return trx
    .selectFrom("shields")
    .innerJoin("pricing_plans", "pricing_plans.id", "shields.pricing_plan_id")
    .select(["pricing_plans.id", "pricing_plans.name", "shields.owner_id"])
    .where("shields.id", "=", shieldId)
    .forNoKeyUpdate("shields")
    .executeTakeFirstOrThrow();
}

export async function isUnderAttack(db: Executor, shieldId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from attacks where shield_id = ${shieldId} and ended_at is null and not is_over
    ) as found
  `.execute(db);
  return rows[0]?.found ?? false;
}

export async function setShieldStatus(
  trx: Trx,
  shieldId: string,
  status: "active" | "expired",
): Promise<void> {
  await trx.updateTable("shields").set({ status }).where("id", "=", shieldId).execute();
}

export async function setShieldPlan(trx: Trx, shieldId: string, planId: string): Promise<void> {
  await trx
    .updateTable("shields")
    .set({ pricing_plan_id: planId })
    .where("id", "=", shieldId)
    .execute();
}

export interface RenewalOfAccount {
  readonly shield_id: string | null;
  readonly name: string;
  readonly price_cents: string;
  readonly anchor_at: Date;
  readonly period: number;
  readonly period_ends_at: Date;
  /** Whether the balance is used for it. */
  readonly from_balance: boolean;
  /** Another plan begins with the next period, so it is charged at its start. */
  readonly at_end: boolean;
}

/** The next renewals of an account: of its shields, and of its support plan. */
export async function selectRenewalsOf(db: Executor, userId: string): Promise<RenewalOfAccount[]> {
  const { rows } = await sql<RenewalOfAccount>`
    select shields.id as shield_id, shields.server_name as name,
      coalesce(s.planned_price_cents, s.price_cents) as price_cents,
      s.anchor_at, s.period, s.period_ends_at,
      shields.automatic_renewal and shields.include_balance as from_balance,
      s.planned_plan_id is not null as at_end
    from subscriptions s join shields on shields.id = s.shield_id
    where shields.owner_id = ${userId} and shields.status = 'active'
    union all
    select null, plans.name, coalesce(s.planned_price_cents, s.price_cents), s.anchor_at, s.period,
      s.period_ends_at, true, s.planned_plan_id is not null
    from support_subscriptions s
    join support_plans plans on plans.id = coalesce(s.planned_plan_id, s.support_plan_id)
    where s.user_id = ${userId}
    order by period_ends_at, name
  `.execute(db);
  return rows;
}

/** Shields whose next renewal is some days away and about which no mail was sent. */
export async function selectToWarn(
  db: Db,
  window: { readonly after: Date; readonly until: Date; readonly limit: number },
): Promise<{ shield_id: string; owner_id: string }[]> {
  const { rows } = await sql<{ shield_id: string; owner_id: string }>`
    select s.shield_id, shields.owner_id from subscriptions s
    join shields on shields.id = s.shield_id and shields.status = 'active'
    where s.period_ends_at > ${window.after} and s.period_ends_at <= ${window.until}
      and s.told is null and shields.automatic_renewal and shields.include_balance
    order by s.period_ends_at, s.shield_id limit ${window.limit}
  `.execute(db);
  return rows;
}
