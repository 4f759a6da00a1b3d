import { sql } from "kysely";
import { verifyDocuments } from "#src/features/documents/documents-check.service.ts";
import { verifyBooks } from "#src/features/ledger/ledger-check.service.ts";
import { untilIssued } from "../test-documents.ts";
import { processed } from "../test-stripe.ts";
import { checkPaidHistory, type Charge, type Expiry } from "./paid-history.ts";
import type { YearsWorld } from "./years-world.ts";

/** Waits until delivered events are processed and documents issued. */
export async function settleAll({ testApp, underWay }: YearsWorld): Promise<void> {
  if (underWay.size > 0)
    await processed(
      testApp,
      [...underWay].map((id) => ({ id })),
    );
  underWay.clear();
  await untilIssued(testApp);
}

/**
 * Checks everything that must hold at any moment, over all the time that has passed.
 *
 * @param excused as for `checkPaidHistory`
 * @param indebted accounts whose payments were taken back from outside
 */
export async function checkYears(
  world: YearsWorld,
  excused: ReadonlySet<string>,
  indebted: ReadonlySet<string>,
): Promise<string[]> {
  const { testApp } = world;
  const { db } = testApp.platform;
  const now = testApp.clock.now();
  await settleAll(world);
  const charges = await selectCharges(world);
  const negative = await selectNegative(world);
  return [
    ...(await verifyBooks(db)).breaks,
    ...(await verifyDocuments(db, now)),
    ...checkPaidHistory(charges, await selectExpiries(world), excused),
    ...(await checkMoment(world)),
    ...checkTaken(world, await selectCompleted(world)),
    ...negative.filter((id) => !indebted.has(id)).map((id) => `${id} is in debt without a dispute`),
  ];
}

/** Compares the shields that are served now with those that are paid. */
export async function checkMoment({ testApp }: YearsWorld): Promise<string[]> {
  const { db } = testApp.platform;
  const now = testApp.clock.now();
  const { rows } = await sql<{ what: string }>`
    select 'shield ' || shields.id || ' is served without being paid' as what
    from shields join pricing_plans plans on plans.id = shields.pricing_plan_id
    left join subscriptions s on s.shield_id = shields.id
    where shields.status = 'active' and plans.price_cents > 0
      and (s.shield_id is null
        or s.period_ends_at < ${now}::timestamptz - interval '72 hours 10 minutes')
      and not exists (
        select from attacks where shield_id = shields.id
          and coalesce(ended_at, ${now}) >= ${now}::timestamptz - interval '10 minutes'
      )
    union all
    select 'shield ' || shields.id || ' is paid and not served'
    from subscriptions s join shields on shields.id = s.shield_id
    where s.period_starts_at <= ${now} and s.period_ends_at > ${now}
      and (shields.status = 'expired' or shields.pricing_plan_id <> s.pricing_plan_id)
    union all
    select 'support of ' || user_id || ' goes on beyond its period' from support_subscriptions
    where period_ends_at < ${now}::timestamptz - interval '10 minutes'
    union all
    select 'charge ' || business_key || ' was carried out more than once' from payment_intents
    where status = 'completed' and business_key is not null
    group by business_key having count(*) > 1
    union all
    select 'purchases are frozen: ' || reason from purchase_freezes where lifted_at is null
    union all
    select 'intent ' || id || ' waits for staff' from payment_intents where status = 'review'
    limit 20
  `.execute(db);
  return rows.map(({ what }) => what);
}

async function selectCharges({ testApp, plans, supportPlans }: YearsWorld): Promise<Charge[]> {
  const { rows } = await sql<{
    key: string;
    at: Date;
    starts_at: string;
    ends_at: string;
    net: string;
    plan: string;
    support: boolean;
  }>`
    select t.business_key as key, t.created_at as at, d.net_cents as net,
      d.subject -> 'period' ->> 'starts_at' as starts_at,
      d.subject -> 'period' ->> 'ends_at' as ends_at,
      d.subject -> 'plan' ->> 'en' as plan, d.subject ? 'is_support' as support
    from ledger_txns t join documents d on d.txn_id = t.id
    where t.kind in ('purchase', 'renewal')
    -- Ids are in the order of time: of two charges at one moment the clock does not tell the first.
    order by t.created_at, t.id
  `.execute(testApp.platform.db);
  const priceOf = (isSupport: boolean, name: string): number =>
    (isSupport ? supportPlans : plans).find((plan) => plan.name === name)?.cents ?? Number.NaN;
  return rows.map((row) => ({
    key: row.key,
    atMs: row.at.getTime(),
    startsMs: Date.parse(row.starts_at),
    endsMs: Date.parse(row.ends_at),
    netCents: Number(row.net),
    priceCents: priceOf(row.support, row.plan),
  }));
}

async function selectExpiries({ testApp }: YearsWorld): Promise<Expiry[]> {
  const rows = await testApp.platform.db
    .selectFrom("shield_changes")
    .select(["shield_id", "created_at"])
    .where("area", "=", "plan")
    .where("changes", "like", '%"after":"expired"%')
    .where("changes", "like", '%"before":"active"%')
    .orderBy("position")
    .execute();
  return rows.map(({ shield_id, created_at }) => ({
    shieldId: shield_id,
    atMs: created_at.getTime(),
  }));
}

async function selectNegative({ testApp }: YearsWorld): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select distinct a.user_id from ledger_balances b join ledger_accounts a on a.id = b.account_id
    where b.cents < 0
  `.execute(testApp.platform.db);
  return rows.map(({ user_id }) => user_id);
}

async function selectCompleted({ testApp }: YearsWorld): Promise<Map<string, number>> {
  const rows = await testApp.platform.db
    .selectFrom("payment_intents")
    .select(["id", "amount_cents"])
    .where("status", "=", "completed")
    .execute();
  return new Map(rows.map(({ id, amount_cents }) => [id, Number(amount_cents)]));
}

/** Stripe has taken each credited amount once, and nothing else for longer than the poller takes. */
function checkTaken({ stripe, testApp }: YearsWorld, completed: Map<string, number>): string[] {
  const open = new Map(completed);
  const nowSeconds = testApp.clock.now().getTime() / 1_000;
  const broken: string[] = [];
  for (const { status, amount, created, metadata, id } of stripe.state.payments.values()) {
    if (status !== "succeeded") continue;
    const intentId = metadata["intent_id"] ?? "";
    if (open.get(intentId) === amount) open.delete(intentId);
    else if (completed.has(intentId)) broken.push(`${intentId} was paid twice, or a wrong amount`);
    else if (created < nowSeconds - 2 * 86_400) broken.push(`payment ${id} was never credited`);
  }
  return [...broken, ...[...open.keys()].map((id) => `${id} was credited and not paid`)];
}
