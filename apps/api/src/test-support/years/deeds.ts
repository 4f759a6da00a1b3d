import { routes } from "@palisade/contract/http/routes";
import type { RouteDefinition } from "@palisade/contract/http/route";
import { sql } from "kysely";
import { createShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { totalCents } from "#src/features/ledger/money.service.ts";
import { blockShield, unblockShield } from "#src/features/renewals/operator-plans.service.ts";
import { placeOrder } from "#src/features/staff-orders/staff-orders.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import { attack } from "../test-renewals.ts";
import { call, openSession } from "../test-users.ts";
import { dayMs } from "./calendar.ts";
import { setToggles, topUp, type Owner } from "./owners.ts";
import type { Plan, YearsWorld } from "./years-world.ts";

/** The state of a simulation that the product does not know. */
export interface Life {
  readonly owners: Map<string, Owner>;
  /** Shields that an attack, a block or a deletion kept from ending or renewing in time. */
  readonly excused: Set<string>;
  /** Once each: `attack` leaves the end of its report to the product. */
  readonly attacked: Set<string>;
  /** Accounts whose payments were taken back from outside. */
  readonly indebted: Set<string>;
  readonly appointments: { readonly atMs: number; readonly keep: () => Promise<void> }[];
  /** Answers that no owner should get. */
  readonly broken: string[];
}

/** Whether it happened: many things are not possible for every owner at every time. */
type Deed = (world: YearsWorld, life: Life, owner: Owner) => Promise<boolean>;

/** Deeds of owners, payers and staff, and how often of a million owners one does it on a day. */
export const deeds: readonly (readonly [string, number, Deed])[] = [
  ["upgrade", 900, (world, life, owner) => changePlan(world, life, owner, "up")],
  ["planned downgrade", 900, (world, life, owner) => changePlan(world, life, owner, "down")],
  [
    "planned end of the paid plan",
    120,
    (world, life, owner) => changePlan(world, life, owner, "free"),
  ],
  ["cancelled plan change", 4_000, cancelPlanned],
  ["support plan bought", 250, (world, life, owner) => changeSupport(world, life, owner, "up")],
  ["support plan changed", 300, (world, life, owner) => changeSupport(world, life, owner, "any")],
  ["card fails", 500, (world, _, owner) => setCard(world, owner, "declined")],
  [
    "card asks for its holder",
    500,
    (world, _, owner) => setCard(world, owner, "wants authentication"),
  ],
  ["card works again", 1_500, (world, _, owner) => setCard(world, owner, "pays")],
  ["dispute", 200, dispute],
  ["refund by staff", 200, refundByStaff],
  ["refund at the provider", 100, refundAtProvider],
  ["shield deleted", 80, deleteShield],
  ["account deleted", 60, deleteAccount],
  ["shield blocked", 60, block],
  ["attack", 150, beginAttack],
  ["balance left alone", 100, leaveBalance],
];

/** Calls a route as the owner, just logged in. Refusals of these codes are no surprise. */
export async function ask(
  { testApp, count }: YearsWorld,
  life: Life,
  owner: Owner,
  definition: RouteDefinition,
  order: {
    readonly params?: Record<string, string>;
    readonly body?: unknown;
    readonly refusals?: readonly string[];
  } = {},
) {
  const token = await openSession(testApp, owner.user);
  const answer = await call(testApp, definition, { token, ...order });
  const body: { code?: string; quote?: { id: string | null; due_cents: number; kind: string } } =
    answer.json();
  if (answer.statusCode < 300) return body;
  if (order.refusals?.includes(body.code ?? "") !== true) {
    life.broken.push(`${definition.id} answered ${answer.statusCode}: ${answer.body}`);
  }
  count(`refused: ${body.code}`);
  return null;
}

const planRefusals = ["renewal_due", "plan_unavailable", "server_not_active", "plan_exceeded"];

async function changePlan(
  world: YearsWorld,
  life: Life,
  owner: Owner,
  direction: "up" | "down" | "free",
): Promise<boolean> {
  const { rows } = await sql<{ id: string; plan: string }>`
    select id, pricing_plan_id as plan from shields
    where owner_id = ${owner.user.id} and status = 'active' limit 1
  `.execute(world.testApp.platform.db);
  const [shield] = rows;
  const at = world.plans.findIndex(({ id }) => id === shield?.plan);
  const target: Plan | undefined =
    direction === "free" ? world.plans[0] : world.plans[at + (direction === "up" ? 1 : -1)];
  if (shield === undefined || target === undefined || target.id === shield.plan) return false;
  if (direction === "down" && target.cents === 0) return false;
  const params = { id: shield.id };
  const body = { pricing_plan_id: target.id };
  const order = { params, body, refusals: planRefusals };
  const quoted = await ask(world, life, owner, routes.planChanges.quotePlanChange, order);
  if (quoted?.quote === undefined) return false;
  const { id: quote_id, due_cents: due } = quoted.quote;
  if (due > 0) await topUp(world, owner, due);
  const done = await ask(world, life, owner, routes.planChanges.changePlan, {
    ...order,
    body: { ...body, ...(quote_id !== null && { quote_id }) },
    // A debt from a dispute is paid first.
    refusals: [...planRefusals, "insufficient_funds"],
  });
  return done !== null;
}

async function cancelPlanned(world: YearsWorld, life: Life, owner: Owner): Promise<boolean> {
  const { db } = world.testApp.platform;
  const { rows } = await sql<{ id: string }>`
    select shields.id from subscriptions s join shields on shields.id = s.shield_id
    where shields.owner_id = ${owner.user.id} and shields.status = 'active'
      and s.planned_plan_id is not null
  `.execute(db);
  const [shield] = rows;
  if (shield === undefined) return false;
  const order = { params: { id: shield.id } };
  return (await ask(world, life, owner, routes.planChanges.cancelPlanChange, order)) !== null;
}

async function changeSupport(
  world: YearsWorld,
  life: Life,
  owner: Owner,
  direction: "up" | "any",
): Promise<boolean> {
  const { db } = world.testApp.platform;
  const held = await db
    .selectFrom("support_subscriptions")
    .select("support_plan_id")
    .where("user_id", "=", owner.user.id)
    .executeTakeFirst();
  if ((held === undefined) !== (direction === "up")) return false;
  const choice = held === undefined ? 1 + world.random(2) : world.random(3);
  const target = world.supportPlans[choice];
  if (target === undefined || target.id === held?.support_plan_id) return false;
  const body = { support_plan_id: target.id };
  const quoted = await ask(world, life, owner, routes.supportPlans.quoteSupportPlan, { body });
  if (quoted?.quote === undefined) return false;
  const { id: quote_id, due_cents: due, kind } = quoted.quote;
  if (due > 0) await topUp(world, owner, due);
  const done = await ask(world, life, owner, routes.supportPlans.purchaseSupportPlan, {
    body: { ...body, ...(quote_id !== null && { quote_id }) },
    refusals: ["insufficient_funds"],
  });
  if (done === null) return false;
  if (kind === "at_period_end" && world.random(4) === 0) {
    await ask(world, life, owner, routes.supportPlans.cancelSupportChange);
    world.count("cancelled support plan change");
  }
  return true;
}

async function setCard(
  { stripe }: YearsWorld,
  owner: Owner,
  behaviour: Owner["behaviour"],
): Promise<boolean> {
  if (owner.cardId === null || owner.behaviour === behaviour) return false;
  owner.behaviour = behaviour;
  stripe.state.setBehaviour(owner.cardId, behaviour);
  return true;
}

/** A payment of the owner that has arrived, and has not been taken back. */
async function somePayment({ testApp, stripe, random }: YearsWorld, owner: Owner) {
  const intents = await testApp.platform.db
    .selectFrom("payment_intents")
    .select(["id", "reference", "amount_cents"])
    .where("user_id", "=", owner.user.id)
    .where("status", "=", "completed")
    .orderBy("created_at", "desc")
    .limit(6)
    .execute();
  const intent = intents[random(Math.max(1, intents.length))];
  if (intent?.reference == null) return undefined;
  const { payments } = stripe.state;
  const payment = intent.reference.startsWith("pi_")
    ? payments.get(intent.reference)
    : payments.get(stripe.state.session(intent.reference).payment_intent ?? "");
  const isWhole =
    payment !== undefined &&
    [...stripe.state.refunds.values()].every(({ payment_intent: id }) => id !== payment.id) &&
    [...stripe.state.disputes.values()].every(({ payment_intent: id }) => id !== payment.id);
  return isWhole ? { intent, payment } : undefined;
}

async function dispute(world: YearsWorld, life: Life, owner: Owner): Promise<boolean> {
  const found = await somePayment(world, owner);
  if (found === undefined) return false;
  const { state } = world.stripe;
  life.indebted.add(owner.user.id);
  await world.delivering(/^charge.dispute/, () => void state.dispute(found.payment));
  const isWon = world.random(2) === 0;
  const [opened] = [...state.disputes.values()].slice(-1);
  const atMs = world.testApp.clock.nowMs() + (5 + world.random(40)) * dayMs;
  life.appointments.push({
    atMs,
    async keep() {
      if (opened === undefined) return;
      const close = (): void => state.closeDispute(opened, isWon ? "won" : "lost");
      await world.delivering(/^charge.dispute/, close);
      world.count(isWon ? "dispute won" : "dispute lost");
    },
  });
  return true;
}

const orderDeps = ({ testApp: { platform } }: YearsWorld) => ({
  db: platform.db,
  audit: platform.audit,
  fourEyesCents: platform.config.fourEyesCents,
});

async function refundByStaff(world: YearsWorld, _: Life, owner: Owner): Promise<boolean> {
  const found = await somePayment(world, owner);
  if (found === undefined) return false;
  const { db } = world.testApp.platform;
  const { cashCents } = await balanceOf(db, owner.user.id);
  const cents = Math.min(cashCents, Number(found.intent.amount_cents));
  if (cents <= 0) return false;
  await placeOrder(orderDeps(world), {
    content: { kind: "refund", details: { intentId: found.intent.id, cents } },
    reason: "Asked for",
    by: world.staffId,
    requestKey: newId(),
    now: world.testApp.clock.now(),
  });
  return true;
}

async function refundAtProvider(world: YearsWorld, life: Life, owner: Owner): Promise<boolean> {
  const found = await somePayment(world, owner);
  if (found === undefined) return false;
  const cents = 1 + world.random(found.payment.amount);
  life.indebted.add(owner.user.id);
  await world.delivering(/^charge.refunded$/, () => {
    world.stripe.state.refund(found.payment, cents);
  });
  return true;
}

async function shieldOf({ testApp }: YearsWorld, owner: Owner) {
  return testApp.platform.db
    .selectFrom("shields")
    .select(["id", "cname_record", "server_name", "status"])
    .where("owner_id", "=", owner.user.id)
    .where("status", "in", ["active", "expired"])
    .limit(1)
    .executeTakeFirst();
}

async function remove(world: YearsWorld, life: Life, owner: Owner): Promise<string | null> {
  const shield = await shieldOf(world, owner);
  if (shield === undefined) return null;
  life.excused.add(shield.id);
  const order = { params: { id: shield.id }, body: { server_name: shield.server_name } };
  const done = await ask(world, life, owner, routes.serverLife.deleteServer, order);
  return done === null ? null : shield.id;
}

async function deleteShield(world: YearsWorld, life: Life, owner: Owner): Promise<boolean> {
  const id = await remove(world, life, owner);
  if (id === null) return false;
  if (world.random(2) === 0) return true;
  const atMs = world.testApp.clock.nowMs() + (1 + world.random(12)) * dayMs;
  life.appointments.push({
    atMs,
    async keep() {
      if (owner.isDeleted) return;
      await ask(world, life, owner, routes.serverLife.restoreServer, { params: { id } });
      world.count("shield restored");
    },
  });
  return true;
}

async function deleteAccount(world: YearsWorld, life: Life, owner: Owner): Promise<boolean> {
  const { db } = world.testApp.platform;
  const userId = owner.user.id;
  const cents = totalCents(await balanceOf(db, userId));
  if (cents < 0) return false;
  for (let id = ""; id !== "none";) id = (await remove(world, life, owner)) ?? "none";
  if (cents > 0) {
    await placeOrder(orderDeps(world), {
      content: { kind: "adjust", details: { userId, cents: -cents } },
      reason: "Paid out",
      by: world.staffId,
      requestKey: newId(),
      now: world.testApp.clock.now(),
    });
  }
  const order = { body: { email: owner.user.email }, refusals: ["conflict"] };
  if ((await ask(world, life, owner, routes.account.deleteAccount, order)) === null) return false;
  owner.isDeleted = true;
  life.owners.delete(userId);
  return true;
}

async function block(world: YearsWorld, life: Life, owner: Owner): Promise<boolean> {
  const shield = await shieldOf(world, owner);
  if (shield?.status !== "active") return false;
  const { clock, platform } = world.testApp;
  const { db, audit, bus } = platform;
  const failpoint = (): void => undefined;
  const cookieSecret = Buffer.alloc(32, 7);
  const writes = createShieldWrites({ bus, clock, failpoint, allowUnproven: true, cookieSecret });
  const order = () => ({ label: shield.cname_record, reason: "Abuse", now: clock.now() });
  life.excused.add(shield.id);
  await blockShield({ db, audit, writes }, order());
  const atMs = clock.nowMs() + (1 + world.random(10)) * dayMs;
  life.appointments.push({
    atMs,
    async keep() {
      await unblockShield({ db, audit, writes }, order());
      world.count("shield unblocked");
    },
  });
  return true;
}

async function beginAttack(world: YearsWorld, life: Life, owner: Owner): Promise<boolean> {
  const shield = await shieldOf(world, owner);
  if (shield?.status !== "active" || life.attacked.has(shield.id)) return false;
  life.attacked.add(shield.id);
  life.excused.add(shield.id);
  const end = await attack(world.testApp, shield.id);
  const atMs = world.testApp.clock.nowMs() + (1 + world.random(8)) * dayMs;
  life.appointments.push({ atMs, keep: end });
  return true;
}

async function leaveBalance(world: YearsWorld, _: Life, owner: Owner): Promise<boolean> {
  const shield = await shieldOf(world, owner);
  if (owner.habit !== "card" || shield?.status !== "active") return false;
  await setToggles(world, owner, shield.id, { include_balance: false });
  return true;
}
