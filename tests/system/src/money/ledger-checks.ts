import type { Client } from "pg";

/** Invariants of the money in the database, which hold whatever process was killed. */

/**
 * Compares a balance with its parts, in one statement and so in one snapshot, because top-ups may be
 * credited during the check.
 */
export async function checkBalance(
  database: Client,
  known: { readonly email: string; readonly givenCents: number; readonly spentCents: number },
): Promise<string[]> {
  const { rows } = await database.query<{ balance: string; credited: string }>(
    `select
      (select coalesce(sum(b.cents), 0) from ledger_balances b
        join ledger_accounts a on a.id = b.account_id where a.user_id = u.id) as balance,
      (select coalesce(sum(amount_cents + bonus_cents), 0) from payment_intents
        where status = 'completed' and user_id = u.id) as credited
    from users u where u.email = $1`,
    [known.email],
  );
  const balance = Number(rows[0]?.balance);
  const expected = Number(rows[0]?.credited) + known.givenCents - known.spentCents;
  return balance === expected
    ? []
    : [`the balance of ${known.email} is ${balance}, ${expected} was expected`];
}

/** The account's shields on paid plans. */
export async function paidShields(database: Client, email: string): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `select p.shield_id as id from subscriptions p join shields s on s.id = p.shield_id
      join users u on u.id = s.owner_id where u.email = $1`,
    [email],
  );
  return rows.map(({ id }) => id);
}

const rules: Readonly<Record<string, string>> = {
  "a subscription or a purchase stands alone": `
    select coalesce(s.shield_id::text, t.business_key) as what from subscriptions s
    full join (select * from ledger_txns where kind = 'purchase') t
      on t.business_key = 'purchase:' || s.shield_id
    where s.shield_id is null or t.id is null`,
  "a top-up and its credit do not agree": `
    select coalesce(i.id::text, t.business_key) as what from payment_intents i
    full join (
      select t.business_key, sum(p.cents) as cents from ledger_txns t
      join ledger_postings p on p.txn_id = t.id
      join ledger_accounts a on a.id = p.account_id and a.kind = 'cash'
      where t.kind = 'top_up' group by t.business_key
    ) t on t.business_key = 'top-up:' || i.id
    where i.id is null or (i.status = 'completed') <> (t.business_key is not null)
      or t.cents <> i.amount_cents`,
  "a bonus, its claim and its intent do not agree": `
    select coalesce(i.id::text, t.business_key) as what from payment_intents i
    full join (
      select t.business_key, sum(p.cents) as cents from ledger_txns t
      join ledger_postings p on p.txn_id = t.id
      join ledger_accounts a on a.id = p.account_id and a.kind = 'bonus'
      where t.kind = 'promo_bonus' group by t.business_key
    ) t on t.business_key = 'promo-bonus:' || i.id
    left join promo_claims c on c.intent_id = i.id
    where i.id is null
      or coalesce(i.promo_state = 'applied', false) <> (t.business_key is not null)
      or (t.business_key is not null) <> (c.intent_id is not null)
      or t.cents <> i.bonus_cents or c.bonus_cents <> t.cents`,
  "a code was used more often than it may be": `
    select p.code as what from promo_codes p join promo_claims c on c.promo_code_id = p.id
    group by p.id having count(*) > p.total_max`,
  "a code does not say how often it was used": `
    select p.code as what from promo_codes p left join promo_claims c on c.promo_code_id = p.id
    group by p.id having count(c.intent_id) <> p.claims`,
  "a credited top-up was not paid, or a payment has no order": `
    select s.reference as what from sandbox_checkouts s
    left join payment_intents i on i.reference = s.reference
    where (i.status = 'completed' and s.status <> 'paid') or (i.id is null and s.status <> 'open')`,
  "a top-up waits for staff": `
    select id::text as what from payment_intents where status = 'review'`,
};

export async function checkRules(database: Client): Promise<string[]> {
  const broken: string[] = [];
  for (const [rule, query] of Object.entries(rules)) {
    const { rows } = await database.query<{ what: string }>(query);
    broken.push(...rows.map(({ what }) => `${rule}: ${what}`));
  }
  return broken;
}

/** The most that the account's pending top-ups may bring. */
export async function outstandingCents(database: Client, email: string): Promise<number> {
  const { rows } = await database.query<{ cents: string }>(
    `select coalesce(sum(i.amount_cents + i.bonus_cents), 0) as cents
      from payment_intents i join users u on u.id = i.user_id
      where i.status = 'pending' and u.email = $1`,
    [email],
  );
  return Number(rows[0]?.cents);
}

/** Counts checkouts that the sandbox has closed and whose intents are still pending. */
export async function countUnsettled(database: Client): Promise<number> {
  const { rows } = await database.query<{ count: string }>(`
    select count(*) as count from sandbox_checkouts s
    join payment_intents i on i.reference = s.reference
    where i.status = 'pending' and s.status <> 'open'
  `);
  return Number(rows[0]?.count);
}

/** Codes with paid checkouts that gave no bonus. */
export async function lostBonuses(database: Client): Promise<string[]> {
  const { rows } = await database.query<{ code: string }>(`
    select p.code from promo_codes p join payment_intents i on i.promo_code_id = p.id
    group by p.id
    having count(*) filter (where i.status = 'completed') > 0
      and count(*) filter (where i.promo_state = 'applied') = 0
  `);
  return rows.map(
    ({ code }) => `${code} was promised and its top-up paid, but no bonus was credited`,
  );
}

/** Adds a code for one top-up. It is valid since 2020, so that it is valid at any test clock. */
export async function addSingleUseCode(
  database: Client,
  code: string,
  percentage: number,
): Promise<void> {
  await database.query(
    `insert into promo_codes (id, code, percentage, starts_at, total_max, created_at)
      values (gen_random_uuid(), $1, $2, '2020-01-01', 1, '2020-01-01')`,
    [code, percentage],
  );
}
