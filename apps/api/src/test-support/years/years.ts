import { sql } from "kysely";
import { routes } from "@palisade/contract/http/routes";
import { dayMs, hourMs } from "./calendar.ts";
import { ask, deeds, type Life } from "./deeds.ts";
import { buyShieldFor, createOwner, topUp, type Owner, type Told } from "./owners.ts";
import { createYearsWorld, type YearsWorld } from "./years-world.ts";
import { checkMoment, checkYears, settleAll } from "./years-checks.ts";

export interface YearsOptions {
  readonly seed: number;
  readonly subscriptions: number;
  readonly months: number;
  /** How much more often than usual things happen, for runs that are short. */
  readonly haste: number;
  readonly say: (line: string) => void;
}

export interface YearsResult {
  readonly counts: ReadonlyMap<string, number>;
  /** One line for each break. */
  readonly broken: readonly string[];
}

/** Without these, a run of three years has shown nothing about them. */
export const expectedKinds: readonly string[] = [
  ...deeds.map(([name]) => name),
  "purchase",
  "top-up, told by return page",
  "top-up, told by webhook",
  "top-up, told by poller",
  "renewal",
  "renewal by hand",
  "renewal of an expired shield",
  "support renewal",
  "cancelled support plan change",
  "automatic top-up",
  "card renewal",
  "authentication paid",
  "provider unavailable",
  "dispute won",
  "dispute lost",
  "shield restored",
  "shield unblocked",
  "expired shield",
  "end on 28 February",
  "end on 29 February",
  "end on the 30th or 31st",
  "credit note",
];

const stepsAtOnce = 4;
/** Enough for the days that the product looks back. */
const eventsKept = 4_000;

/**
 * Years of subscriptions, with the clock moved from one due moment to the next. Only the clock and
 * the payment provider are replaced; every job that renews and credits is the product's own.
 */
export async function runYears(options: YearsOptions): Promise<YearsResult> {
  const { seed, months, say } = options;
  const world = await createYearsWorld(seed);
  const life: Life = {
    owners: new Map(),
    excused: new Set(),
    attacked: new Set(),
    indebted: new Set(),
    appointments: [],
    broken: [],
  };
  const { broken } = life;
  const report = (found: readonly string[]): void => {
    broken.push(...found);
    for (const line of found) say(`BROKEN ${line}`);
  };
  try {
    const { clock } = world.testApp;
    const startMs = clock.nowMs();
    const endMs = startMs + months * 30.4375 * dayMs;
    const purchases = planPurchases(world, options, startMs);
    let dayAt = startMs + 12 * hourMs;
    let month = "";
    while (clock.nowMs() < endMs && broken.length < 20) {
      const due = await nextDue(world);
      const nextMs = Math.min(due, dayAt, purchases[0]?.atMs ?? endMs, endMs);
      clock.set(new Date(Math.max(nextMs, clock.nowMs() + (nextMs > clock.nowMs() ? 0 : 60_000))));
      for (; purchases[0] !== undefined && purchases[0].atMs <= clock.nowMs(); purchases.shift()) {
        await buy(world, life, purchases[0].count);
      }
      await renew(world);
      if (clock.nowMs() < dayAt) continue;
      dayAt += dayMs;
      await liveADay(world, life, options.haste);
      report(await checkMoment(world));
      const now = clock.now().toISOString().slice(0, 7);
      if (now === month) continue;
      month = now;
      await endMonth(world);
      report(await checkYears(world, life.excused, life.indebted));
      say(
        `${month}: ${await summary(world)}${broken.length > 0 ? `, ${broken.length} BROKEN` : ""}`,
      );
    }
    await settleAll(world);
    report(await checkYears(world, life.excused, life.indebted));
    await countRows(world);
  } catch (error) {
    broken.push(String((error as Error).stack));
  } finally {
    await world.close();
  }
  return { counts: world.counts, broken };
}

/** Moments of purchases, most of them at the ends of months and at hours when summer time changes. */
function planPurchases({ random }: YearsWorld, options: YearsOptions, startMs: number) {
  const atOnce = Math.max(stepsAtOnce, Math.round(options.subscriptions / 100));
  const days = Array.from({ length: 98 }, (_, day) => startMs + day * dayMs).flatMap((ms) => {
    const day = new Date(ms).getUTCDate();
    return Array.from({ length: day >= 28 ? 6 : day >= 25 ? 2 : 1 }, () => ms);
  });
  const times = [30, 60, 90, 150, 1_439].map((minute) => minute * 60_000);
  const left = [];
  for (let count = options.subscriptions; count > 0; count -= atOnce) {
    const day = days[random(days.length)] ?? startMs;
    const time = random(3) === 0 ? random(86_400) * 1_000 : (times[random(times.length)] ?? 0);
    left.push({ atMs: day + time + 1_000, count: Math.min(atOnce, count) });
  }
  return left.toSorted((a, b) => a.atMs - b.atMs);
}

/** One owner in eight has several shields. */
async function buy(world: YearsWorld, life: Life, count: number): Promise<void> {
  // A debt has to be paid before anything is bought.
  const known = [...life.owners.values()].filter(({ user }) => !life.indebted.has(user.id));
  const tasks = Array.from({ length: count }, () => ({
    owner:
      known.length > 0 && world.random(8) === 0 ? known[world.random(known.length)] : undefined,
    plan: world.plans[[1, 1, 1, 1, 1, 2, 2, 3][world.random(8)] ?? 1],
  }));
  const owners: Owner[] = [];
  for (const { owner } of tasks) owners.push(owner ?? (await createOwner(world)));
  for (const owner of owners) life.owners.set(owner.user.id, owner);
  const byOwner = Map.groupBy(tasks.entries(), ([index]) => owners[index]);
  await inParallel([...byOwner], async ([owner, orders]) => {
    for (const [, { plan }] of orders) {
      if (owner !== undefined && plan !== undefined) await buyShieldFor(world, owner, plan);
    }
  });
}

async function renew(world: YearsWorld): Promise<void> {
  const { stripe, testApp, random } = world;
  stripe.isAway = random(200) === 0;
  const before = stripe.calls.length;
  await testApp.runJob("subscriptions.renew");
  if (stripe.isAway && stripe.calls.length > before) world.count("provider unavailable");
  stripe.isAway = false;
}

async function nextDue({ testApp }: YearsWorld): Promise<number> {
  const { rows } = await sql<{ at: Date | null }>`
    select least(
      (select min(s.next_renewal_at) from subscriptions s
        join shields on shields.id = s.shield_id and shields.status = 'active'),
      (select min(next_renewal_at) from support_subscriptions)) as at
  `.execute(testApp.platform.db);
  return rows[0]?.at?.getTime() ?? Number.POSITIVE_INFINITY;
}

const dailyJobs = [
  "payments.poll",
  "payments.refund-retry",
  "subscriptions.top-up",
  "subscriptions.warn",
  "documents.issue",
  "shields.purge",
  "accounts.clean",
] as const;

async function liveADay(world: YearsWorld, life: Life, haste: number): Promise<void> {
  const { testApp, random } = world;
  const kept = life.appointments.filter(({ atMs }) => atMs <= testApp.clock.nowMs());
  for (const appointment of kept) {
    life.appointments.splice(life.appointments.indexOf(appointment), 1);
    await appointment.keep();
  }
  await authenticate(world);
  await payWhatIsDue(world, life);
  for (const owner of life.owners.values()) {
    let left = random(1_000_000);
    for (const [name, often, deed] of deeds) {
      left -= often * haste;
      if (left >= 0) continue;
      if (await deed(world, life, owner)) world.count(name);
      break;
    }
  }
  await Promise.all(dailyJobs.map((job) => testApp.runJob(job)));
  if (world.underWay.size > 0) await settleAll(world);
}

/** Payers who were sent a checkout, because their bank wants to see them. */
async function authenticate(world: YearsWorld): Promise<void> {
  const { testApp, stripe, random } = world;
  const rows = await testApp.platform.db
    .selectFrom("payment_intents")
    .select("reference")
    .where("origin", "=", "authentication")
    .where("status", "=", "pending")
    .where("reference", "is not", null)
    .orderBy("created_at")
    .execute();
  for (const { reference } of rows) {
    if (random(10) < 4) continue;
    const pay = (): void => void stripe.state.pay(reference ?? "", "card");
    await world.delivering(/^checkout.session.completed$/, pay);
    world.count("authentication paid");
  }
}

interface Due {
  readonly shield_id: string;
  readonly owner_id: string;
  readonly status: string;
  readonly ends_at: Date;
  readonly cents: number;
  readonly balance: number;
}

/** Owners act according to their habit; what they decide is drawn before any of it is done. */
async function payWhatIsDue(world: YearsWorld, life: Life): Promise<void> {
  const now = world.testApp.clock.now();
  const { rows } = await sql<Due>`
    select s.shield_id, shields.owner_id, shields.status, s.period_ends_at as ends_at,
      coalesce(s.planned_price_cents, s.price_cents)::int as cents,
      coalesce((select sum(b.cents) from ledger_accounts a
        join ledger_balances b on b.account_id = a.id where a.user_id = shields.owner_id), 0)::int
        as balance
    from subscriptions s join shields on shields.id = s.shield_id
    where shields.status in ('active', 'expired')
      and s.period_ends_at < ${now}::timestamptz + interval '4 days'
    order by s.period_ends_at, shields.owner_id
  `.execute(world.testApp.platform.db);
  const tasks = rows.flatMap((due) => {
    const owner = life.owners.get(due.owner_id);
    const pays = owner && decide(world, owner, due, now.getTime());
    return owner === undefined || pays === undefined ? [] : [{ owner, due, pays }];
  });
  const byOwner = [...Map.groupBy(tasks, ({ owner }) => owner).values()];
  await inParallel(byOwner, async (own) => {
    for (const { owner, due, pays } of own) await pay(world, life, owner, due, pays);
  });
}

interface Decision {
  readonly cents: number;
  readonly told: Told;
  readonly isByHand: boolean;
}

function decide(world: YearsWorld, owner: Owner, due: Due, nowMs: number): Decision | undefined {
  const { random } = world;
  const isExpired = due.status === "expired";
  const isOver = due.ends_at.getTime() <= nowMs;
  const lacks = Math.max(0, due.cents - due.balance);
  const draw = random(100);
  const months = [1, 1, 2, 3, 6][random(5)] ?? 1;
  const told = (["return page", "return page", "webhook", "poller"] as const)[random(4)];
  const late = (): Decision => ({ cents: lacks, told: "return page", isByHand: isExpired });
  switch (owner.habit) {
    case "never":
      return isExpired && draw < 1 ? late() : undefined;
    case "late":
      return isOver && draw < 40 ? late() : undefined;
    case "by hand":
      if (due.ends_at.getTime() - dayMs > nowMs || draw >= 85) return undefined;
      return { ...late(), isByHand: true };
    case "balance":
      if (isExpired) return draw < 50 ? late() : undefined;
      if (lacks === 0 || draw >= 60) return undefined;
      return { cents: lacks + (months - 1) * due.cents, told: told ?? "webhook", isByHand: false };
    case "card":
    case "automatic":
      return isOver && draw < 50 ? late() : undefined;
  }
}

async function pay(
  world: YearsWorld,
  life: Life,
  owner: Owner,
  { shield_id: id, status }: Due,
  { cents, told, isByHand }: Decision,
): Promise<void> {
  // Accounts may top up 1,000 euros a day.
  if (cents > 90_000) return;
  if (cents > 0) await topUp(world, owner, cents, told);
  if (!isByHand) return;
  const done = await ask(world, life, owner, routes.planChanges.renewServer, {
    params: { id },
    refusals: ["renewal_not_due", "insufficient_funds"],
  });
  if (done === null) return;
  world.count(status === "expired" ? "renewal of an expired shield" : "renewal by hand");
}

async function endMonth({ testApp, stripe }: YearsWorld): Promise<void> {
  await testApp.runJob("payments.missed-events");
  await testApp.runJob("payments.books");
  for (const job of ["platform.clean", "payments.clean"]) await testApp.runJob(job);
  const { events } = stripe.state;
  events.splice(0, Math.max(0, events.length - eventsKept));
}

async function summary({ testApp }: YearsWorld): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    select (select count(*) from shields where status = 'active') || ' active, '
      || (select count(*) from shields where status = 'expired') || ' expired, '
      || (select count(*) from ledger_txns) || ' txns' as line
  `.execute(testApp.platform.db);
  return rows[0]?.line ?? "";
}

/** Kinds that the database tells. */
async function countRows({ testApp, count }: YearsWorld): Promise<void> {
  const { rows } = await sql<{ kind: string; times: number }>`
    select 'renewal' as kind, count(*)::int as times from ledger_txns
      where business_key like 'renewal:%'
    union all select 'support renewal', count(*)::int from ledger_txns
      where business_key like 'support-renewal:%'
    union all select 'card renewal', count(*)::int from payment_intents
      where status = 'completed' and business_key like 'card:%'
    union all select 'automatic top-up', count(*)::int from payment_intents
      where status = 'completed' and business_key like 'automatic-top-up:%'
    union all select 'expired shield', count(*)::int from shield_changes
      where changes like '%"after":"expired"%'
    union all select 'credit note', count(*)::int from documents where kind = 'credit_note'
    union all select 'mail', count(*)::int from development_mails
    union all
    select case to_char(ends_at, 'MM-DD')
        when '02-28' then 'end on 28 February' when '02-29' then 'end on 29 February'
        else 'end on the 30th or 31st' end, count(*)::int
      from (select (subject -> 'period' ->> 'ends_at')::timestamptz at time zone 'UTC' as ends_at
        from documents) ends
      where to_char(ends_at, 'MM-DD') in ('02-28', '02-29') or extract(day from ends_at) > 29
      group by 1
  `.execute(testApp.platform.db);
  for (const { kind, times } of rows) count(kind, times);
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: stepsAtOnce }, worker));
}
