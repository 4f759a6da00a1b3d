import type { Profile } from "@palisade/contract/http/account";
import type { CurrentUser } from "@palisade/contract/http/auth";
import type { Backends } from "@palisade/contract/http/backends";
import type { ShieldDomains } from "@palisade/contract/http/domains";
import type { Mitigation, TryAddress } from "@palisade/contract/http/mitigation";
import type { ServerMessages } from "@palisade/contract/http/server-messages";
import type { SubUser } from "@palisade/contract/http/sub-users";
import type { PricingPlan, SupportPlan } from "@palisade/contract/http/plans";
import type { AutomaticTopUp, BalanceForecast } from "@palisade/contract/http/automatic-payments";
import type { Transaction } from "@palisade/contract/http/billing";
import type { InvoiceDetail } from "@palisade/contract/http/invoices";
import type { CardList, SavedCard } from "@palisade/contract/http/payment-methods";
import type { Firewall } from "@palisade/contract/http/firewall";
import { routes } from "@palisade/contract/http/routes";
import type { Server, ServerListItem, ServerOverview } from "@palisade/contract/http/servers";
import type { z } from "zod";
import type { TicketDetail } from "@palisade/contract/http/tickets";
import { example } from "./example-answer.ts";
import { createTicket } from "./ticket-examples.ts";

type SupportSubscription = z.output<typeof routes.supportPlans.getSupportSubscription.response>;

/** The belongings of the signed-in account, which the handlers of the stub api read and change. */
export interface AccountState {
  user: CurrentUser;
  profile: Profile;
  shield: Server;
  overview: ServerOverview;
  /** The shields of the dashboard; empty for an account that has just registered. */
  shields: readonly ServerListItem[];
  backends: Backends;
  domains: ShieldDomains;
  mitigation: Mitigation;
  tryAddress: TryAddress | null;
  messages: ServerMessages;
  firewall: Firewall;
  subUsers: readonly SubUser[];
  plans: readonly PricingPlan[];
  supportPlans: readonly SupportPlan[];
  support: SupportSubscription;
  /** Newest first. */
  transactions: readonly Transaction[];
  /** Receipts, invoices and credit notes, newest first. */
  documents: readonly InvoiceDetail[];
  cards: CardList;
  automaticTopUp: AutomaticTopUp;
  forecast: BalanceForecast;
  /** Newest first. */
  tickets: readonly TicketDetail[];
  /** Per cent that each promo code adds to a top-up. */
  promoCodes: Readonly<Record<string, number>>;
}

export function createAccountState(): AccountState {
  const { plans } = example(routes.plans.listPricingPlans);
  const { plans: supportPlans } = example(routes.plans.listSupportPlans);
  return {
    user: example(routes.auth.user).user,
    profile: example(routes.account.getProfile).profile,
    shield: example(routes.servers.getServer).server,
    overview: { ...example(routes.servers.getOverview), planned_plan: null },
    shields: example(routes.servers.listServers).data,
    backends: example(routes.backends.getBackends),
    domains: example(routes.shieldDomains.listDomains),
    mitigation: example(routes.mitigation.getMitigation),
    tryAddress: null,
    messages: example(routes.serverMessages.getServerMessages),
    firewall: example(routes.firewall.getFirewall),
    subUsers: example(routes.subUsers.listSubUsers).sub_users,
    plans: plans.flatMap((plan) => [
      { ...plan, id: planIds.free, name: "Free", ...priceOf(0), renews_at: null },
      plan,
      {
        ...plan,
        id: planIds.unaffordable,
        name: "Plus",
        ...priceOf(4_999),
        is_available: false,
        balance_after: null,
        balance_after_cents: null,
      },
    ]),
    supportPlans: supportPlans.flatMap((plan) => [
      { ...plan, id: planIds.free, name: "Free", price: "0.00", price_cents: 0 },
      plan,
      { ...plan, id: planIds.unaffordable, name: "Business", price: "99.00", price_cents: 9_900 },
    ]),
    support: { ...example(routes.supportPlans.getSupportSubscription), planned: null },
    transactions: example(routes.billing.listTransactions).data,
    documents: [example(routes.invoices.getInvoice).invoice],
    cards: example(routes.paymentMethods.listCards),
    automaticTopUp: example(routes.automaticPayments.getAutomaticTopUp),
    forecast: example(routes.automaticPayments.getForecast),
    tickets: [createTicket()],
    promoCodes: { WELCOME10: 10 },
  };
}

/** Without VAT, as an operator who has not switched it on. */
function priceOf(cents: number) {
  const price = (cents / 100).toFixed(2);
  return { price, price_cents: cents, total: price, total_cents: cents };
}

/** An account that has just registered: nothing bought, paid or saved. */
export function becomeNewcomer(state: AccountState): void {
  state.shields = [];
  state.transactions = [];
  state.tickets = [];
  state.documents = [];
  state.cards = { ...state.cards, cards: [] };
  state.automaticTopUp = { ...state.automaticTopUp, enabled: false };
  state.forecast = { balance_lasts_until: null, monthly: "0.00", monthly_cents: 0, renewals: [] };
}

export const planIds = {
  free: "0199a3f2-7c10-7000-8000-5f1a2b3c4d11",
  unaffordable: "0199a3f2-7c10-7000-8000-5f1a2b3c4d12",
} as const;

let made = 0;

/** An id that nothing else has. */
export function newId(): string {
  made += 1;
  return `0199a3f2-7c10-7000-9000-${String(made).padStart(12, "0")}`;
}

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

/** As many documents as wanted, each with its own id and number; `change` says how one differs. */
export function createDocuments(
  count: number,
  change: (index: number) => Partial<InvoiceDetail>,
): readonly InvoiceDetail[] {
  const one = example(routes.invoices.getInvoice).invoice;
  return Array.from({ length: count }, (_, index) => ({
    ...one,
    id: one.id.slice(0, -4) + String(index).padStart(4, "0"),
    number: `INV-2026-${String(count - index).padStart(6, "0")}`,
    ...change(index),
  }));
}

/** A card of its own id; `change` says how it differs from the example, which is not the default. */
export function createCard(change: Partial<SavedCard> = {}): SavedCard {
  const [one] = example(routes.paymentMethods.listCards).cards;
  if (one === undefined) throw new Error("The contract has no example of a card");
  return { ...one, id: newId(), is_default: false, ...change };
}
