import type { PlanQuote } from "@palisade/contract/http/plan-changes";
import { routes } from "@palisade/contract/http/routes";
import type { AccountState } from "./account-state.ts";
import { example } from "./example-answer.ts";
import { Refusal } from "./problems.ts";
import type { StubApi } from "./stub-api.ts";

const { planChanges, plans, supportPlans } = routes;

/** Changes of plans: a dearer one begins at once, a cheaper one with the next period. */
export function handlePlanChanges(api: StubApi, state: () => AccountState): void {
  handleShieldPlan(api, state);
  handleSupportPlan(api, state);
}

interface Offer {
  readonly id: string;
  readonly name: string;
  readonly price: string;
  readonly price_cents: number;
}

function offered<T extends Offer>(offers: readonly T[], id: string): T {
  const plan = offers.find((each) => each.id === id);
  if (plan === undefined) throw new Refusal("plan_unavailable");
  return plan;
}

function quoteOf(
  usual: PlanQuote,
  { id, name, price, price_cents }: Offer,
  now: number,
): PlanQuote {
  const target = { ...usual, plan: { id, name }, price, price_cents };
  if (price_cents > now) return { ...target, kind: "now", vat: "0.00", vat_cents: 0 };
  const free = price_cents === 0 ? { period_ends_at: null } : {};
  const sums = { due: "0.00", due_cents: 0, vat: "0.00", vat_cents: 0 };
  return { ...target, ...free, ...sums, id: null, kind: "at_period_end" };
}

function handleShieldPlan(api: StubApi, state: () => AccountState): void {
  const priceNow = () =>
    state().plans.find(({ id }) => id === state().overview.pricing_plan.id)?.price_cents ?? 0;
  api.handle(planChanges.quotePlanChange, ({ body }) => {
    const { quote } = example(planChanges.quotePlanChange);
    const plan = offered(state().plans, body.pricing_plan_id);
    return { quote: quoteOf(quote, plan, priceNow()) };
  });
  api.handle(planChanges.changePlan, ({ body }) => {
    const usual = example(planChanges.changePlan);
    const { id, name, price_cents } = offered(state().plans, body.pricing_plan_id);
    const plan = { id, name };
    if (price_cents > priceNow()) {
      state().overview = { ...state().overview, pricing_plan: plan, planned_plan: null };
      state().shield = { ...state().shield, pricing_plan: plan };
      return { ...usual, kind: "now" as const, message: "Plan changed successfully" };
    }
    const { effective_at } = usual;
    state().overview = { ...state().overview, planned_plan: { plan, effective_at } };
    const message = "The plan changes at the end of the paid period";
    return { ...usual, kind: "at_period_end" as const, revision: null, message };
  });
  api.handle(planChanges.cancelPlanChange, () => {
    state().overview = { ...state().overview, planned_plan: null };
    return { message: "The planned change is cancelled" };
  });
  api.handle(planChanges.renewServer, () => {
    const { renewal } = state().overview;
    state().shield = { ...state().shield, status: "active" };
    state().overview = {
      ...state().overview,
      status: "active",
      grace_ends_at: null,
      renewal: renewal && { ...renewal, is_due: false },
    };
    return { ...example(planChanges.renewServer), message: "Game Shield renewed" };
  });
}

function handleSupportPlan(api: StubApi, state: () => AccountState): void {
  api.handle(plans.listSupportPlans, () => ({ plans: [...state().supportPlans] }));
  api.handle(supportPlans.getSupportSubscription, () => state().support);
  api.handle(supportPlans.quoteSupportPlan, ({ body }) => {
    const { quote } = example(supportPlans.quoteSupportPlan);
    const plan = offered(state().supportPlans, body.support_plan_id);
    return { quote: quoteOf(quote, plan, state().support.price_cents) };
  });
  api.handle(supportPlans.purchaseSupportPlan, ({ body }) => {
    const usual = example(supportPlans.purchaseSupportPlan);
    const { id, name, price, price_cents } = offered(state().supportPlans, body.support_plan_id);
    if (price_cents > state().support.price_cents) {
      state().support = { ...state().support, plan: { id, name }, price, price_cents };
      return { ...usual, kind: "now" as const, message: "Support plan changed successfully" };
    }
    const planned = { plan: { id, name }, effective_at: usual.effective_at };
    state().support = { ...state().support, planned };
    const message = "The plan changes at the end of the paid period";
    return { ...usual, kind: "at_period_end" as const, message };
  });
  api.handle(supportPlans.cancelSupportChange, () => {
    state().support = { ...state().support, planned: null };
    return { message: "The planned change is cancelled" };
  });
}
