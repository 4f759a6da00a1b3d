import type { Client } from "@palisade/contract/http/client";
import { routes } from "@palisade/contract/http/routes";
import type { CardBehaviour } from "@palisade/testing/stripe/state";
import { openAuditLog } from "#src/features/audit/audit.service.ts";
import { placeOrder } from "#src/features/staff-orders/staff-orders.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import { testConfig } from "../test-app.ts";
import { openSession, type TestUser } from "../test-users.ts";
import { clientOf, insist, type KilledWorld } from "./killed-world.ts";
import type { Random } from "./provider-faults.ts";

/** The owner's clients, the api that dies mostly before the others; just logged in. */
export async function clientsOf(
  world: KilledWorld,
  user: TestUser,
  random: Random,
): Promise<Client[]> {
  const token = await openSession(world.asStore, user);
  const { dying, first, other } = world;
  const lasting = random(2) === 0 ? [first, other] : [other, first];
  const apis = dying === undefined || random(4) === 0 ? lasting : [dying, ...lasting];
  return apis.map((api) => clientOf(api, token));
}

export async function saveCard(
  { stripe }: KilledWorld,
  clients: readonly Client[],
  behaviour: CardBehaviour,
): Promise<void> {
  const { data } = await insist(clients, (call) => call(routes.paymentMethods.setupCard, {}));
  stripe.state.saveCard(data.checkout_url.split("/").at(-1) ?? "", { exp_year: 2_099 }, behaviour);
  const params = { setupId: data.setup.id };
  await insist(clients, (call) => call(routes.paymentMethods.confirmCardSetup, { params }));
}

export interface Paid {
  readonly intentId: string;
  readonly reference: string;
}

/** A submit that is sent to both, and the return page, opened twice. */
export async function topUp(
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

export async function buy(
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

export async function planOf(
  { db }: KilledWorld,
  table: "pricing_plans" | "support_plans",
  slug: string,
): Promise<string> {
  const query = db.selectFrom(table).select("id").where("slug", "=", slug);
  return (await query.executeTakeFirstOrThrow()).id;
}

/** @returns the business key of its charge */
export async function upgrade(
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
export async function buySupport(
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
export async function refund(world: KilledWorld, { intentId }: Paid, cents: number): Promise<void> {
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

export function dispute({ stripe }: KilledWorld, { reference }: Paid, random: Random): void {
  const { state } = stripe;
  const payment = state.payments.get(state.session(reference).payment_intent ?? "");
  if (payment === undefined) throw new Error(`${reference} was not paid`);
  const outcome = (["open", "won", "lost", "refund"] as const)[random(4)];
  if (outcome === "refund") return void state.refund(payment, 1 + random(700));
  const opened = state.dispute(payment);
  if (outcome === "won" || outcome === "lost") state.closeDispute(opened, outcome);
}
