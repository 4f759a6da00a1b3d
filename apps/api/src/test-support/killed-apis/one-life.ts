import { routes } from "@palisade/contract/http/routes";
import { seededRandom } from "@palisade/testing/seeded-random";
import { until } from "@palisade/testing/until";
import { sql } from "kysely";
import { newId } from "#src/platform/database/ids.ts";
import { createUser, type TestUser } from "../test-users.ts";
import { insist, type KilledWorld } from "./killed-world.ts";
import {
  buy,
  buySupport,
  clientsOf,
  dispute,
  planOf,
  refund,
  saveCard,
  topUp,
  upgrade,
  type Paid,
} from "./owner-orders.ts";
import { deliverEvents, injectFaults, type Random } from "./provider-faults.ts";

/** How saved cards answer, most of them well. */
const behaviours = ["pays", "pays", "pays", "pays", "declined", "wants authentication"] as const;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The orders of one owner: in the end each of them has happened once. */
export interface Life {
  readonly userId: string;
  /** The business keys of everything that was charged. */
  readonly keys: readonly string[];
}

/** An owner in the middle of it. */
interface Begun {
  readonly user: TestUser;
  readonly random: Random;
  readonly big: Paid;
  readonly small: Paid;
}

interface Ordered extends Begun {
  readonly shieldId: string;
  readonly upgradeKey: string;
  readonly supportKey: string;
}

/**
 * Owners, one for each seed, from their first top-up to their second period, over api processes of
 * which one dies at a step, with calls sent twice, lost answers of the providers, and events that are
 * lost, late, repeated and out of order. They live at the same time, because they share a clock.
 */
export async function liveTogether(world: KilledWorld, seeds: readonly number[]): Promise<Life[]> {
  const random = seededRandom(seeds[0] ?? 0);
  const all = <T, R>(things: readonly T[], work: (thing: T) => Promise<R>) =>
    Promise.all(things.map(work));
  const begun = await all(seeds, (seed) => begin(world, seed));
  await deliverEvents(world, random);
  await untilCredited(world, begun);
  const ordered = await all(begun, (life) => order(world, life));
  await all(ordered, (life) => setTopUp(world, life, true));
  await all(ordered, (life) => refund(world, life.big, 500));
  for (const { small, random: own } of ordered) dispute(world, small, own);
  await untilToppedUp(world, ordered);
  await deliverEvents(world, random);
  await all(ordered, (life) => setTopUp(world, life, false));
  // Within days, as each hour does: providers' lists of events do not go back for ever.
  await settle(world, random);
  const ends = await all(ordered, (life) => periodsOf(world, life));
  const first = Math.min(
    ...ends.flatMap(({ shield, support }) => [shield.getTime(), support.getTime()]),
  );
  await world.advance(first - 23 * hourMs - world.now().getTime());
  await untilRenewed(world, ordered);
  await settle(world, random);
  await all(ordered, (life) => leave(world, life));
  return ordered.map(({ user, shieldId, upgradeKey, supportKey }, index) => ({
    userId: user.id,
    keys: [
      `purchase:${shieldId}`,
      upgradeKey,
      supportKey,
      `renewal:${shieldId}:${ends[index]?.shield.toISOString()}`,
      `support-renewal:${user.id}:${ends[index]?.support.toISOString()}`,
    ],
  }));
}

async function begin(world: KilledWorld, seed: number): Promise<Begun> {
  const random = seededRandom(seed);
  const user = await createUser(world.asStore, `life${seed}-${newId()}@example.com`);
  const clients = await clientsOf(world, user, random);
  await saveCard(world, clients, behaviours[random(behaviours.length)] ?? "pays");
  injectFaults(world, random);
  const [big, , small] = await Promise.all([
    topUp(world, clients, random, { amount: 70, method: "stripe" }),
    topUp(world, clients, random, { amount: 70, method: "paypal" }),
    topUp(world, clients, random, { amount: 7, method: "stripe" }),
  ]);
  return { user, random, big, small };
}

async function order(world: KilledWorld, life: Begun): Promise<Ordered> {
  const { user, random } = life;
  const clients = await clientsOf(world, user, random);
  const shieldId = await buy(world, user, clients);
  const [upgradeKey, supportKey] = await Promise.all([
    upgrade(world, clients, shieldId),
    buySupport(world, user, clients),
  ]);
  return { ...life, shieldId, upgradeKey, supportKey };
}

async function setTopUp(world: KilledWorld, { user, random }: Begun, enabled: boolean) {
  const body = { enabled, threshold: 500, amount: 30 };
  await insist(await clientsOf(world, user, random), (call) =>
    call(routes.automaticPayments.updateAutomaticTopUp, { body }),
  );
}

/** Some cards refuse: then it is enough that the charge was tried. */
async function untilToppedUp(world: KilledWorld, lives: readonly Begun[]): Promise<void> {
  const isTried = async (): Promise<boolean> => {
    const { rows } = await sql`
      select from automatic_top_ups
      where user_id = any(${lives.map(({ user }) => user.id)}::uuid[])
        and next_try_at <= ${world.now()}
    `.execute(world.db);
    return rows.length === 0;
  };
  await until(
    async () => {
      await world.send("subscriptions.top-up", 4);
      return until(isTried, { capMs: 3_000, everyMs: 50 }).catch(() => false);
    },
    { what: "the automatic top-ups", everyMs: 10 },
  );
}

/** The poller asks about payments that no other way has reported. */
async function untilCredited(world: KilledWorld, lives: readonly Begun[]): Promise<void> {
  await until(
    async () => {
      const balances = await Promise.all(lives.map(({ user }) => balanceOf(world, user.id)));
      if (balances.every((cents) => cents >= 14_700)) return true;
      await world.advance(3 * minuteMs);
      await world.send("payments.poll", 3);
      return false;
    },
    { what: "the credit of every top-up", everyMs: 400, capMs: 120_000 },
  );
}

async function balanceOf({ db }: KilledWorld, userId: string): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(b.cents), 0)::int as cents from ledger_balances b
    join ledger_accounts a on a.id = b.account_id where a.user_id = ${userId}
  `.execute(db);
  return rows[0]?.cents ?? 0;
}

async function periodsOf({ db }: KilledWorld, { user, shieldId }: Ordered) {
  const shield = await db
    .selectFrom("subscriptions")
    .select(["period", "period_ends_at"])
    .where("shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
  const support = await db
    .selectFrom("support_subscriptions")
    .select(["period", "period_ends_at"])
    .where("user_id", "=", user.id)
    .executeTakeFirstOrThrow();
  return {
    shield: shield.period_ends_at,
    support: support.period_ends_at,
    isRenewed: shield.period === 2 && support.period === 2,
  };
}

/** A renewal that was interrupted is begun again five minutes later. */
async function untilRenewed(world: KilledWorld, lives: readonly Ordered[]): Promise<void> {
  const areRenewed = async (): Promise<boolean> => {
    const periods = await Promise.all(lives.map((life) => periodsOf(world, life)));
    return periods.every(({ isRenewed }) => isRenewed);
  };
  await until(
    async () => {
      await world.send("subscriptions.renew", 4);
      const isDone = await until(areRenewed, { capMs: 4_000, everyMs: 100 }).catch(() => false);
      if (!isDone) await world.advance(20 * minuteMs);
      return isDone;
    },
    { what: "the renewal of shields and support plans", everyMs: 10, capMs: 180_000 },
  );
}

/** Until nothing is under way: events that were lost, refunds, documents, charges without an answer. */
async function settle(world: KilledWorld, random: Random): Promise<void> {
  await deliverEvents(world, random);
  await world.send("payments.missed-events");
  await until(
    async () => {
      const { rows } = await sql<{ open: number }>`
        select (select count(*) from provider_events where worked_at is null)
          + (select count(*) from payment_refunds where status = 'requested')
          + (select count(*) from documents_due)
          + (select count(*) from payment_intents
            where status = 'pending' and origin <> 'authentication')
          + (select count(*) from jobs.job where name = 'payments.missed-events'
            and state < 'completed') as open
      `.execute(world.db);
      if (Number(rows[0]?.open) === 0) return true;
      await world.advance(20 * minuteMs);
      for (const job of ["payments.poll", "payments.refund-retry", "documents.issue"]) {
        await world.send(job, 2);
      }
      return false;
    },
    { what: "the end of events, refunds, charges and documents", everyMs: 400, capMs: 180_000 },
  );
}

/** Nothing of this owner is due in the next life. */
async function leave(world: KilledWorld, { user, random, shieldId }: Ordered): Promise<void> {
  const clients = await clientsOf(world, user, random);
  const params = { id: shieldId };
  const body = { server_name: "My server" };
  await insist(clients, (call) => call(routes.serverLife.deleteServer, { params, body }));
  const free = { support_plan_id: await planOf(world, "support_plans", "free") };
  await insist(clients, (call) => call(routes.supportPlans.purchaseSupportPlan, { body: free }));
}
