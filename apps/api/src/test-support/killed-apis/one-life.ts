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

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** What one owner ordered; every bit of it has to have happened once in the end. */
export interface Life {
  readonly userId: string;
  readonly shieldId: string;
  /** The business keys of everything that was charged. */
  readonly keys: readonly string[];
}

/**
 * One owner from the first top-up to the second period, over two api processes of which one dies at
 * a step, with calls sent twice, lost answers of the providers, and events that are lost, late,
 * repeated and out of order.
 */
export async function liveOnce(world: KilledWorld, seed: number): Promise<Life> {
  const random = seededRandom(seed);
  const user = await createUser(world.asStore, `life${seed}-${newId()}@example.com`);
  const behaviours = ["pays", "pays", "pays", "pays", "declined", "wants authentication"] as const;
  const clients = () => clientsOf(world, user, random);
  await saveCard(world, await clients(), behaviours[random(behaviours.length)] ?? "pays");
  injectFaults(world, random);

  const [big, , small] = await Promise.all([
    topUp(world, await clients(), random, { amount: 70, method: "stripe" }),
    topUp(world, await clients(), random, { amount: 70, method: "paypal" }),
    topUp(world, await clients(), random, { amount: 7, method: "stripe" }),
  ]);
  await deliverEvents(world, random);
  await untilCredited(world, user, 14_700);

  const shieldId = await buy(world, user, await clients());
  const [upgradeKey, supportKey] = await Promise.all([
    upgrade(world, user, await clients(), shieldId),
    buySupport(world, user, await clients()),
  ]);
  const settings = { enabled: true, threshold: 500, amount: 30 };
  await insist(await clients(), (call) =>
    call(routes.automaticPayments.updateAutomaticTopUp, { body: settings }),
  );
  await refund(world, big, 500);
  dispute(world, small, random);
  await world.send("subscriptions.top-up", 3);
  await deliverEvents(world, random);
  await insist(await clients(), (call) =>
    call(routes.automaticPayments.updateAutomaticTopUp, { body: { ...settings, enabled: false } }),
  );

  const ends = await periodsOf(world, user.id, shieldId);
  await world.advance(ends.shield.getTime() - 23 * hourMs - world.now().getTime());
  await untilRenewed(world, user.id, shieldId);
  await settle(world, random, user.id);
  await leave(world, await clientsOf(world, user, random), shieldId);
  return {
    userId: user.id,
    shieldId,
    keys: [
      `purchase:${shieldId}`,
      upgradeKey,
      supportKey,
      `renewal:${shieldId}:${ends.shield.toISOString()}`,
      `support-renewal:${user.id}:${ends.support.toISOString()}`,
    ],
  };
}

/** The owner's clients, the api that dies mostly before the other; just logged in. */
async function clientsOf(
  world: KilledWorld,
  user: TestUser,
  random: (below: number) => number,
): Promise<Client[]> {
  const token = await openSession(world.asStore, user);
  const second = clientOf(world.second, token);
  const first = clientOf(world.first, token);
  return random(4) === 0 ? [first, second] : [second, first];
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

function injectFaults({ stripe, paypal }: KilledWorld, random: (below: number) => number): void {
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
  random: (below: number) => number,
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
async function deliverEvents(world: KilledWorld, random: (below: number) => number): Promise<void> {
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
  const apis = [world.second, world.first];
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
async function untilCredited(world: KilledWorld, user: TestUser, cents: number): Promise<void> {
  await until(
    async () => {
      if ((await balanceOf(world, user.id)) >= cents) return true;
      await world.advance(3 * minuteMs);
      await world.send("payments.poll", 2);
      return false;
    },
    { what: "the credit of every top-up", everyMs: 250 },
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
  _: TestUser,
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

function dispute(
  { stripe }: KilledWorld,
  { reference }: Paid,
  random: (n: number) => number,
): void {
  const { state } = stripe;
  const payment = state.payments.get(state.session(reference).payment_intent ?? "");
  if (payment === undefined) throw new Error(`${reference} was not paid`);
  const outcome = (["open", "won", "lost", "refund"] as const)[random(4)];
  if (outcome === "refund") return void state.refund(payment, 1 + random(700));
  const opened = state.dispute(payment);
  if (outcome === "won" || outcome === "lost") state.closeDispute(opened, outcome);
}

async function periodsOf({ db }: KilledWorld, userId: string, shieldId: string) {
  const shield = await db
    .selectFrom("subscriptions")
    .select(["period", "period_ends_at"])
    .where("shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
  const support = await db
    .selectFrom("support_subscriptions")
    .select(["period", "period_ends_at"])
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return {
    shield: shield.period_ends_at,
    support: support.period_ends_at,
    isRenewed: shield.period === 2 && support.period === 2,
  };
}

/** A renewal that was interrupted is begun again five minutes later. */
async function untilRenewed(world: KilledWorld, userId: string, shieldId: string): Promise<void> {
  await until(
    async () => {
      await world.send("subscriptions.renew", 3);
      const isRenewed = async () => (await periodsOf(world, userId, shieldId)).isRenewed;
      const isDone = await until(isRenewed, { capMs: 3_000, everyMs: 50 }).catch(() => false);
      if (!isDone) await world.advance(20 * minuteMs);
      return isDone;
    },
    { what: "the renewal of shield and support plan", everyMs: 10, capMs: 90_000 },
  );
}

/** Until nothing is under way: events that were lost, refunds, documents, charges without an answer. */
async function settle(
  world: KilledWorld,
  random: (below: number) => number,
  userId: string,
): Promise<void> {
  await deliverEvents(world, random);
  await world.send("payments.missed-events");
  await until(
    async () => {
      const { rows } = await sql<{ open: number }>`
        select (select count(*) from provider_events where worked_at is null)
          + (select count(*) from payment_refunds where status = 'requested')
          + (select count(*) from documents_due)
          + (select count(*) from payment_intents where user_id = ${userId} and status = 'pending'
            and origin <> 'authentication')
          + (select count(*) from jobs.job where name = 'payments.missed-events'
            and state < 'completed') as open
      `.execute(world.db);
      if (Number(rows[0]?.open) === 0) return true;
      await world.advance(20 * minuteMs);
      for (const job of ["payments.poll", "payments.refund-retry", "documents.issue"]) {
        await world.send(job);
      }
      return false;
    },
    { what: "the end of events, refunds, charges and documents", everyMs: 300, capMs: 90_000 },
  );
}

/** Nothing of this owner is due in the next life. */
async function leave(
  world: KilledWorld,
  clients: readonly Client[],
  shieldId: string,
): Promise<void> {
  const params = { id: shieldId };
  const body = { server_name: "My server" };
  await insist(clients, (call) => call(routes.serverLife.deleteServer, { params, body }));
  const free = { support_plan_id: await planOf(world, "support_plans", "free") };
  await insist(clients, (call) => call(routes.supportPlans.purchaseSupportPlan, { body: free }));
}
