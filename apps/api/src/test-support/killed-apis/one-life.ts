import type { Client } from "@palisade/contract/http/client";
import { routes } from "@palisade/contract/http/routes";
import { shuffled, seededRandom } from "@palisade/testing/seeded-random";
import type { CardBehaviour } from "@palisade/testing/stripe/state";
import { until } from "@palisade/testing/until";
import { sql } from "kysely";
import { placeOrder } from "#src/features/staff-orders/staff-orders.service.ts";
import { openAuditLog } from "#src/features/audit/audit.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { ApiProcess } from "../api-process.ts";
import { testConfig } from "../test-app.ts";
import { createUser, openSession, type TestUser } from "../test-users.ts";
import { clientOf, insist, type KilledWorld } from "./killed-world.ts";

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

type Random = (below: number) => number;

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

/** The owner's clients, the api that dies mostly before the others; just logged in. */
async function clientsOf(world: KilledWorld, user: TestUser, random: Random): Promise<Client[]> {
  const token = await openSession(world.asStore, user);
  const { dying, first, other } = world;
  const lasting = random(2) === 0 ? [first, other] : [other, first];
  const apis = dying === undefined || random(4) === 0 ? lasting : [dying, ...lasting];
  return apis.map((api) => clientOf(api, token));
}

async function saveCard(
  { stripe }: KilledWorld,
  clients: readonly Client[],
  behaviour: CardBehaviour,
): Promise<void> {
  const { data } = await insist(clients, (call) => call(routes.paymentMethods.setupCard, {}));
  stripe.state.saveCard(data.checkout_url.split("/").at(-1) ?? "", { exp_year: 2_099 }, behaviour);
  const params = { setupId: data.setup.id };
  await insist(clients, (call) => call(routes.paymentMethods.confirmCardSetup, { params }));
}

function injectFaults({ stripe, paypal }: KilledWorld, random: Random): void {
  const calls = [
    /POST .*\/checkout\/sessions$/,
    /GET .*\/checkout\/sessions/,
    /POST .*\/payment_intents$/,
    /POST .*\/confirm$/,
    /GET .*\/payment_intents/,
    /POST .*\/refunds$/,
    /GET .*\/refunds/,
    /GET .*\/disputes/,
  ];
  for (const call of calls) {
    if (random(3) === 0) stripe.inject(random(2) === 0 ? "500" : "lost", call, 1 + random(2));
  }
  for (const on of [/^POST .*orders$/, /^POST .*capture$/, /^GET .*orders/]) {
    const kinds = ["500", "503", "lost-answer", "no-answer", "in-progress"] as const;
    if (random(3) === 0) paypal.addFaults({ on, kind: kinds[random(kinds.length)] ?? "500" });
  }
}

interface Paid {
  readonly intentId: string;
  readonly reference: string;
}

/** A submit that is sent to both, and the return page, opened twice. */
async function topUp(
  { stripe, paypal }: KilledWorld,
  clients: readonly Client[],
  random: Random,
  { amount, method }: { readonly amount: number; readonly method: "stripe" | "paypal" },
): Promise<Paid> {
  const headers = { "idempotency-key": newId() };
  const begin = () =>
    insist(clients, async (call) => {
      if (method === "stripe") {
        const body = { amount, payment_method: "stripe" as const };
        const { data } = await call(routes.billing.createStripeIntent, { body, headers });
        return { id: data.intent.id, url: data.checkout_url };
      }
      const body = { amount, payment_method: "paypal" as const };
      const { data } = await call(routes.billing.createPaypalOrder, { body, headers });
      return { id: data.intent.id, url: data.approval_url };
    });
  const [{ id, url }, again] = await Promise.all([begin(), begin()]);
  if (again.id !== id) throw new Error(`One submit became the intents ${id} and ${again.id}`);
  const reference =
    method === "stripe"
      ? (url.split("/").at(-1) ?? "")
      : (new URL(url).searchParams.get("token") ?? "");
  if (method === "stripe") stripe.state.pay(reference, "card");
  else paypal.orders.approve(reference);
  if (random(3) > 0) {
    const opened = [...clients, ...clients].slice(0, 1 + random(3));
    await Promise.all(
      opened.map((call) =>
        call(routes.billing.confirmIntent, { params: { id } }).catch(() => undefined),
      ),
    );
  }
  return { intentId: id, reference };
}

/** Events of Stripe get lost, those of PayPal come at last: it has no list of them to read. */
async function deliverEvents(world: KilledWorld, random: Random): Promise<void> {
  const { stripe, paypal, queued } = world;
  const sent = queued.splice(0).filter(({ type }) => type !== "payment_intent.created");
  const deliveries = sent.flatMap((event) =>
    Array.from({ length: [0, 1, 1, 1, 2, 3][random(6)] ?? 1 }, () => ({
      path: "stripe",
      ...stripe.delivery(event),
    })),
  );
  const ofPaypal = paypal.webhooks.events.slice(world.paypalDelivered);
  world.paypalDelivered += ofPaypal.length;
  for (const event of ofPaypal) {
    const { body, headers } = paypal.webhooks.deliveryOf(event);
    for (let time = 1 + random(2); time > 0; time -= 1) {
      deliveries.push({ path: "paypal", body, headers } as never);
    }
  }
  const apis = [world.dying ?? world.other, world.first];
  await Promise.all(
    shuffled(deliveries, random).map(async ({ path, body, headers }, index) => {
      const accepted = await post(apis[index % 2], path, body, headers);
      if (!accepted && path === "paypal") await post(world.first, path, body, headers);
    }),
  );
}

async function post(
  api: ApiProcess | undefined,
  path: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<boolean> {
  const answer = await fetch(`${api?.url}/api/v1/webhooks/${path}`, {
    method: "POST",
    headers,
    body,
  }).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.ok === true;
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

async function buy(
  world: KilledWorld,
  user: TestUser,
  clients: readonly Client[],
): Promise<string> {
  const { data } = await insist(clients, (call) => call(routes.servers.generateCname, {}));
  const body = {
    pricing_plan_id: await planOf(world, "pricing_plans", "plus"),
    server_name: "My server",
    real_ip: "127.0.0.1",
    real_port: 25_565,
    location: "local",
    domain: `play-${user.id}.example.com`,
    cname_record: data.cname_record,
  };
  const headers = { "idempotency-key": newId() };
  const order = () =>
    insist(clients, async (call) => {
      const bought = await call(routes.servers.createServer, { body, headers });
      return bought.data.server.id;
    });
  const [id, again] = await Promise.all([order(), order()]);
  if (id !== again) throw new Error(`One submit bought ${id} and ${again}`);
  return id;
}

async function planOf(
  { db }: KilledWorld,
  table: "pricing_plans" | "support_plans",
  slug: string,
): Promise<string> {
  const query = db.selectFrom(table).select("id").where("slug", "=", slug);
  return (await query.executeTakeFirstOrThrow()).id;
}

/** @returns the business key of its charge */
async function upgrade(
  world: KilledWorld,
  clients: readonly Client[],
  shieldId: string,
): Promise<string> {
  const params = { id: shieldId };
  const body = { pricing_plan_id: await planOf(world, "pricing_plans", "pro") };
  const quoted = await insist(clients, (call) =>
    call(routes.planChanges.quotePlanChange, { params, body }),
  );
  const quote_id = quoted.data.quote.id ?? "";
  const headers = { "idempotency-key": newId() };
  const order = () =>
    insist(clients, (call) =>
      call(routes.planChanges.changePlan, { params, body: { ...body, quote_id }, headers }),
    );
  await Promise.all([order(), order()]);
  return `upgrade:${shieldId}:${quote_id}`;
}

/** @returns the business key of its charge */
async function buySupport(
  world: KilledWorld,
  user: TestUser,
  clients: readonly Client[],
): Promise<string> {
  const body = { support_plan_id: await planOf(world, "support_plans", "priority") };
  const quoted = await insist(clients, (call) =>
    call(routes.supportPlans.quoteSupportPlan, { body }),
  );
  const quote_id = quoted.data.quote.id ?? "";
  const headers = { "idempotency-key": newId() };
  const order = () =>
    insist(clients, (call) =>
      call(routes.supportPlans.purchaseSupportPlan, { body: { ...body, quote_id }, headers }),
    );
  await Promise.all([order(), order()]);
  return `support:${user.id}:${quote_id}`;
}

/** Staff send a part back; the command line orders it, an api carries it out. */
async function refund(world: KilledWorld, { intentId }: Paid, cents: number): Promise<void> {
  const audit = openAuditLog(world.db, testConfig(""));
  await placeOrder(
    { db: world.db, audit, fourEyesCents: 100_000 },
    {
      content: { kind: "refund", details: { intentId, cents } },
      reason: "Asked for",
      by: world.staffId,
      requestKey: newId(),
      now: world.now(),
    },
  );
  await world.send("payments.refund-retry", 3);
}

function dispute({ stripe }: KilledWorld, { reference }: Paid, random: Random): void {
  const { state } = stripe;
  const payment = state.payments.get(state.session(reference).payment_intent ?? "");
  if (payment === undefined) throw new Error(`${reference} was not paid`);
  const outcome = (["open", "won", "lost", "refund"] as const)[random(4)];
  if (outcome === "refund") return void state.refund(payment, 1 + random(700));
  const opened = state.dispute(payment);
  if (outcome === "won" || outcome === "lost") state.closeDispute(opened, outcome);
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
