import { sql } from "kysely";
import { verifyDocuments } from "#src/features/documents/documents-check.service.ts";
import { verifyBooks } from "#src/features/ledger/ledger-check.service.ts";
import type { Life } from "./one-life.ts";
import type { KilledWorld } from "./killed-world.ts";

/** @returns one line for each guarantee that does not hold after these lives */
export async function checkLives(world: KilledWorld, lives: readonly Life[]): Promise<string[]> {
  const { db } = world;
  const broken = [
    ...(await verifyBooks(db)).breaks,
    ...(await verifyDocuments(db, world.now())),
    ...(await checkRows(world)),
  ];
  for (const life of lives) {
    broken.push(...(await checkCharges(world, life)), ...(await checkMoney(world, life)));
  }
  return broken;
}

/** Every order was charged once, and nothing else was. */
async function checkCharges({ db }: KilledWorld, { userId, keys }: Life): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct t.business_key as key from ledger_txns t
    join ledger_postings p on p.txn_id = t.id join ledger_accounts a on a.id = p.account_id
    where a.user_id = ${userId} and t.kind in ('purchase', 'renewal')
  `.execute(db);
  const found = new Set(rows.map(({ key }) => key));
  return [
    ...keys.filter((key) => !found.has(key)).map((key) => `${key} was not charged`),
    ...[...found].filter((key) => !keys.includes(key)).map((key) => `${key} was charged as well`),
  ];
}

/** The ledger has what the providers have: their own records are the truth. */
async function checkMoney(world: KilledWorld, { userId }: Life): Promise<string[]> {
  const { db, stripe, paypal } = world;
  const intents = await db
    .selectFrom("payment_intents")
    .select(["id", "status", "amount_cents"])
    .where("user_id", "=", userId)
    .execute();
  const own = new Set(intents.map(({ id }) => id));
  const { state } = stripe;
  const broken: string[] = [];
  const paid = new Map<string, number>();
  let cents = 0;
  for (const payment of state.payments.values()) {
    const intentId = payment.metadata["intent_id"] ?? "";
    if (payment.status !== "succeeded" || !own.has(intentId)) continue;
    paid.set(intentId, (paid.get(intentId) ?? 0) + payment.amount);
    cents += payment.amount;
    for (const refund of state.refunds.values()) {
      if (refund.payment_intent === payment.id && refund.status !== "failed")
        cents -= refund.amount;
    }
    for (const opened of state.disputes.values()) {
      if (opened.payment_intent !== payment.id) continue;
      cents += opened.balance_transactions.reduce((sum, { amount }) => sum + amount, 0);
    }
  }
  for (const order of paypal.orders.all()) {
    if (order.customId === undefined || !own.has(order.customId) || !order.capture) continue;
    paid.set(order.customId, (paid.get(order.customId) ?? 0) + order.cents);
    cents += order.cents - order.refunds.reduce((sum, refund) => sum + refund.cents, 0);
  }
  for (const { id, status, amount_cents } of intents) {
    const credited = status === "completed" ? Number(amount_cents) : 0;
    if ((paid.get(id) ?? 0) !== credited) {
      broken.push(`intent ${id} is ${status}, its provider took ${paid.get(id) ?? 0}`);
    }
  }
  const { rows } = await sql<{ net: string }>`
    select coalesce(sum(p.cents), 0) as net from ledger_postings p
    join ledger_accounts a on a.id = p.account_id
    join ledger_txns t on t.id = p.txn_id
    where a.user_id = ${userId} and t.kind in ('top_up', 'refund', 'dispute')
  `.execute(db);
  if (Number(rows[0]?.net) !== cents) {
    broken.push(`${userId} has ${rows[0]?.net} from providers, who have ${cents} of theirs`);
  }
  return broken;
}

async function checkRows({ db }: KilledWorld): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    select 'event ' || event_id || ' is stored ' || count(*) || ' times' as what
    from provider_events group by provider, event_id having count(*) > 1
    union all
    select 'charge ' || business_key || ' was carried out more than once' from payment_intents
    where status = 'completed' and business_key is not null
    group by business_key having count(*) > 1
    union all
    select 'intent ' || id || ' waits for staff' from payment_intents where status = 'review'
    union all
    select 'txn ' || t.business_key || ' has ' || count(*) || ' documents'
    from documents d join ledger_txns t on t.id = d.txn_id
    group by t.business_key having count(*) > 1
    union all
    select 'purchases are frozen: ' || reason from purchase_freezes where lifted_at is null
  `.execute(db);
  return rows.map(({ what }) => what);
}
