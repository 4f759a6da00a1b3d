import type { PricingPlan } from "@palisade/contract/http/plans";
import type { Transaction } from "@palisade/contract/http/billing";
import type { Firewall } from "@palisade/contract/http/firewall";
import { routes } from "@palisade/contract/http/routes";
import type { Server, ServerListItem } from "@palisade/contract/http/servers";
import { example } from "./example-answer.ts";

/** The belongings of the signed-in account, which the handlers of the stub api read and change. */
export interface AccountState {
  shield: Server;
  /** The shields of the dashboard; empty for an account that has just registered. */
  shields: readonly ServerListItem[];
  firewall: Firewall;
  plans: readonly PricingPlan[];
  /** Newest first. */
  transactions: readonly Transaction[];
  /** Per cent that each promo code adds to a top-up. */
  promoCodes: Readonly<Record<string, number>>;
}

export function createAccountState(): AccountState {
  const { plans } = example(routes.plans.listPricingPlans);
  return {
    shield: example(routes.servers.getServer).server,
    shields: example(routes.servers.listServers).data,
    firewall: example(routes.firewall.getFirewall),
    plans: plans.flatMap((plan) => [
      { ...plan, id: planIds.free, name: "Free", price: "0.00", price_cents: 0, renews_at: null },
      plan,
      {
        ...plan,
        id: planIds.unaffordable,
        name: "Plus",
        price: "49.99",
        price_cents: 4_999,
        is_available: false,
        balance_after: null,
        balance_after_cents: null,
      },
    ]),
    transactions: example(routes.billing.listTransactions).data,
    promoCodes: { WELCOME10: 10 },
  };
}

export const planIds = {
  free: "0199a3f2-7c10-7000-8000-5f1a2b3c4d11",
  unaffordable: "0199a3f2-7c10-7000-8000-5f1a2b3c4d12",
} as const;

/** As many transactions as wanted, each with its own ids; `change` says how one differs. */
export function createTransactions(
  count: number,
  change: (index: number) => Partial<Transaction>,
): readonly Transaction[] {
  const [one] = example(routes.billing.listTransactions).data;
  if (one === undefined) throw new Error("The contract has no example of a transaction");
  return Array.from({ length: count }, (_, index) => ({
    ...one,
    id: one.id.slice(0, -4) + String(index).padStart(4, "0"),
    transaction_id: `TX-${String(index).padStart(8, "0")}`,
    ...change(index),
  }));
}
