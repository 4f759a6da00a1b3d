import { sql } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";

/** Breaks shown per rule: an operator acts on the first ones, not on ten thousand. */
const shownMax = 20;

/** Credited intents without their one top-up, or with another amount or account. */
export async function selectWrongCredits(db: Executor) {
  const { rows } = await sql<{ id: string; amount: string; posted: string | null }>`
    select i.id, i.amount_cents as amount, sum(p.cents) as posted
    from payment_intents i
    left join ledger_txns t on t.business_key = 'top-up:' || i.id and t.kind = 'top_up'
    left join (
      ledger_postings p join ledger_accounts a on a.id = p.account_id and a.kind = 'cash'
    ) on p.txn_id = t.id and a.user_id = i.user_id
    where i.status = 'completed'
    group by i.id
    having sum(p.cents) is distinct from i.amount_cents
    order by i.id limit ${shownMax}
  `.execute(db);
  return rows;
}

/** Top-ups in the ledger whose intent is not credited, or does not exist. */
export async function selectStrayCredits(db: Executor) {
  const { rows } = await sql<{ business_key: string; status: string | null }>`
    select t.business_key, i.status
    from ledger_txns t
    left join payment_intents i on t.business_key = 'top-up:' || i.id
    where t.kind = 'top_up' and i.status is distinct from 'completed'
    order by t.id limit ${shownMax}
  `.execute(db);
  return rows;
}

/** Txns by the words of their business keys; `subject` is what the charge is for. */
function charges(...reasons: readonly string[]) {
  return sql`
    select id, created_at, split_part(business_key, ':', 1) as reason,
      split_part(business_key, ':', 2) as subject
    from ledger_txns where split_part(business_key, ':', 1) = any (${reasons})
  `;
}

/**
 * Paid subscriptions whose present period was not charged exactly once. A period is charged from a
 * day before its start on: by a purchase, a renewal or, where a free shield was upgraded, by the
 * upgrade at its start. A paid shield may be upgraded at that very moment as well, so an upgrade counts
 * only where nothing else was charged. The operator may give a first period away, which the shield's
 * history says.
 */
export async function selectPeriodsNotChargedOnce(db: Executor) {
  const { rows } = await sql<{ shield_id: string; starts_at: Date; charges: string }>`
    select shield_id, starts_at, charges from (
      select s.shield_id, s.period_starts_at as starts_at,
        coalesce(nullif(count(t.id) filter (where t.reason <> 'upgrade'), 0), count(t.id)) as charges
      from subscriptions s
      left join (${charges("purchase", "renewal", "upgrade")}) t
        on t.subject = s.shield_id::text
        and t.created_at >= s.period_starts_at - interval '24 hours'
        and (t.reason <> 'upgrade' or s.period = 1 and t.created_at = s.period_starts_at)
      where not exists (
        select from shield_changes c
        where c.shield_id = s.shield_id and c.created_at = s.period_starts_at
          and c.area = 'plan' and c.author_kind = 'operator' and s.period = 1
      )
      group by s.shield_id
    ) counted
    where charges <> 1
    order by shield_id limit ${shownMax}
  `.execute(db);
  return rows;
}

/**
 * Paid support plans whose present period was not charged exactly once. A dearer plan begins a new
 * first period, so the renewal of the plan before may be as recent. The operator may give a first
 * period away.
 */
export async function selectSupportNotChargedOnce(db: Executor) {
  const { rows } = await sql<{ user_id: string; starts_at: Date; charges: string }>`
    select s.user_id, s.period_starts_at as starts_at, count(t.id) as charges
    from support_subscriptions s
    left join (${charges("support", "support-renewal")}) t
      on t.subject = s.user_id::text
      and case when s.period = 1
        then t.reason = 'support' and t.created_at = s.period_starts_at
        else t.reason = 'support-renewal'
          and t.created_at >= s.period_starts_at - interval '24 hours'
      end
    where s.period > 1 or not s.first_is_given
    group by s.user_id
    having count(t.id) <> 1
    order by s.user_id limit ${shownMax}
  `.execute(db);
  return rows;
}

/**
 * Charges for shields that do not exist. The shields are compared as sets: for the first few of all
 * charges, PostgreSQL would look through all shields for each of them.
 */
export async function selectChargesWithoutShield(db: Executor) {
  const { rows } = await sql<{ business_key: string }>`
    with charges as materialized (${charges("purchase", "renewal", "upgrade")}),
    missing as materialized (select subject from charges except select id::text from shields)
    select t.business_key from charges join missing using (subject)
    join ledger_txns t on t.id = charges.id
    order by t.id limit ${shownMax}
  `.execute(db);
  return rows;
}

/** Days on which a provider's own list and the ledger differ. */
export async function selectDifferentDays(db: Executor) {
  const { rows } = await sql<{ provider: string; day: string; differences: string[] }>`
    select provider, to_char(day, 'YYYY-MM-DD') as day, differences
    from provider_days where jsonb_array_length(differences) > 0
    order by day, provider limit ${shownMax}
  `.execute(db);
  return rows;
}
