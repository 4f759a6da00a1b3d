import { toPage } from "@palisade/contract/http/paging";
import { routes } from "@palisade/contract/http/routes";
import type { AccountState } from "./account-state.ts";
import { example } from "./example-answer.ts";
import { Refusal } from "./problems.ts";
import type { StubApi } from "./stub-api.ts";

const { servers, firewall, plans, billing } = routes;
const fullList = { page: 1, per_page: 100 };

/** Routes whose answers depend on what the account owns, or on the request. */
export function handleAccountRoutes(api: StubApi, state: () => AccountState): void {
  api.handle(servers.listServers, () => {
    const { shields } = state();
    return toPage([...shields], fullList.page, fullList.per_page, shields.length);
  });
  api.handle(servers.getServer, ({ params }) => {
    const { shield } = state();
    if (params.id !== shield.id) throw new Refusal("not_found");
    return { server: shield };
  });
  api.handle(servers.getOverview, () => ({
    ...example(servers.getOverview),
    server_name: state().shield.server_name,
    status: state().shield.status,
  }));

  api.handle(firewall.getFirewall, () => state().firewall);
  api.handle(firewall.addFirewallEntry, ({ body }) => {
    const list = `${body.type}_ips` as const;
    const known = state().firewall[list];
    if (known.some(({ ip }) => ip === body.ip)) throw new Refusal("entry_exists");
    const { entry, ...answer } = example(firewall.addFirewallEntry);
    const added = { ...entry, id: entry.id.slice(0, -2) + String(10 + known.length), ip: body.ip };
    state().firewall = { ...state().firewall, [list]: [...known, added] };
    return { ...answer, entry: added, message: `${body.ip} added successfully` };
  });

  api.handle(plans.listPricingPlans, () => ({ plans: [...state().plans] }));

  api.handle(billing.listTransactions, ({ query }) => {
    const matching = state().transactions.filter(
      ({ status, type, payment_method: method }) =>
        status === (query.status ?? status) &&
        type === (query.type ?? type) &&
        method === (query.payment_method ?? method),
    );
    const start = (query.page - 1) * query.per_page;
    const rows = matching.slice(start, start + query.per_page);
    return toPage(rows, query.page, query.per_page, matching.length);
  });
  api.handle(billing.validatePromoCode, ({ body }) => {
    const percentage = state().promoCodes[body.code];
    if (percentage === undefined) throw new Refusal("promo_invalid");
    const bonusCents = Math.floor(body.amount * percentage);
    const totalCents = body.amount * 100 + bonusCents;
    return {
      code: body.code,
      percentage,
      bonus_cents: bonusCents,
      bonus_amount: (bonusCents / 100).toFixed(2),
      total_cents: totalCents,
      total: (totalCents / 100).toFixed(2),
      message: example(billing.validatePromoCode).message,
    };
  });
}
