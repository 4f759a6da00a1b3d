import { toPage } from "@palisade/contract/http/paging";
import { routes } from "@palisade/contract/http/routes";
import { renderText } from "@palisade/contract/texts/render";
import type { AccountState } from "./account-state.ts";
import { handleAnalytics } from "./analytics-handlers.ts";
import { example } from "./example-answer.ts";
import { Refusal } from "./problems.ts";
import { handlePlanChanges } from "./plan-handlers.ts";
import { handleShield } from "./shield-handlers.ts";
import { handleTickets } from "./ticket-handlers.ts";
import { accessToken, type StubApi } from "./stub-api.ts";

const { auth, account, twoFactor, servers, plans, billing, invoices } = routes;
const { paymentMethods, automaticPayments } = routes;

/** Routes whose answers depend on what the account owns, or on the request. */
export function handleAccountRoutes(api: StubApi, state: () => AccountState): void {
  handleProfile(api, state);
  handleShield(api, state);
  handleTickets(api, state);
  handleAnalytics(api);
  handlePlanChanges(api, state);
  handleCards(api, state);
  api.handle(servers.listServers, ({ query }) => {
    const isDeleted = query.status === "deleted";
    const shields = state().shields.filter(({ status }) => (status === "deleted") === isDeleted);
    const start = (query.page - 1) * query.per_page;
    const rows = shields.slice(start, start + query.per_page);
    return toPage(rows, query.page, query.per_page, shields.length);
  });

  // Nothing is announced: a banner would be in the way on every page.
  api.handle(routes.announcements.listAnnouncements, () => ({ announcements: [] }));

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
  handleDocuments(api, state);
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

function handleDocuments(api: StubApi, state: () => AccountState): void {
  const yearOf = ({ issued_at: at }: { readonly issued_at: string }) =>
    new Date(at).getUTCFullYear();
  api.handle(invoices.listInvoices, ({ query }) => {
    const matching = state().documents.filter(
      (document) =>
        document.kind === (query.kind ?? document.kind) &&
        document.payment_method === (query.payment_method ?? document.payment_method) &&
        yearOf(document) === (query.year ?? yearOf(document)) &&
        document.number.includes((query.number ?? "").toUpperCase()),
    );
    const last = Math.max(1, Math.ceil(matching.length / query.per_page));
    const page = Math.min(query.page, last);
    const rows = matching.slice((page - 1) * query.per_page, page * query.per_page);
    const years = [...new Set(state().documents.map(yearOf))].sort((a, b) => b - a);
    return { ...toPage(rows, page, query.per_page, matching.length), years };
  });
  api.handle(invoices.getInvoice, ({ params }) => {
    const found = state().documents.find(({ id }) => id === params.id);
    if (found === undefined) throw new Refusal("not_found");
    return { invoice: found };
  });
}

function handleProfile(api: StubApi, state: () => AccountState): void {
  api.handle(auth.user, () => ({ user: state().user }));
  api.handle(auth.login, ({ body }) => {
    const { user } = state();
    if (user.two_factor_enabled && body.two_factor_code === undefined) {
      return { requires_two_factor: true as const, requires_2fa: true as const, message: "" };
    }
    return { ...example(auth.login), user };
  });
  api.handle(account.getProfile, () => ({ profile: state().profile }));
  api.handle(account.updateProfile, ({ body }) => {
    const { username = state().profile.username, ...fields } = body;
    state().profile = { ...state().profile, ...fields, username };
    return { ...example(account.updateProfile), profile: state().profile };
  });
  api.handle(account.regenerateApiKey, () => {
    const masked = example(account.getProfile).profile.api_key;
    state().profile = { ...state().profile, api_key: masked };
    return example(account.regenerateApiKey);
  });
  api.handle(twoFactor.beginStepUp, () => ({
    factor: state().user.two_factor_enabled ? ("code" as const) : ("password" as const),
    passkey_options: null,
  }));
  api.handle(twoFactor.stepUp, () => ({
    ...example(twoFactor.stepUp),
    access_token: accessToken,
  }));
  const switchTwoFactor = (isOn: boolean): void => {
    state().profile = { ...state().profile, two_factor_enabled: isOn };
    state().user = { ...state().user, two_factor_enabled: isOn };
  };
  api.handle(twoFactor.enableTwoFactor, () => {
    switchTwoFactor(true);
    return example(twoFactor.enableTwoFactor);
  });
  api.handle(twoFactor.disableTwoFactor, () => {
    switchTwoFactor(false);
    return example(twoFactor.disableTwoFactor);
  });
}

function handleCards(api: StubApi, state: () => AccountState): void {
  const answer = (cards: AccountState["cards"]["cards"], message: string) => {
    state().cards = { ...state().cards, cards };
    return { ...state().cards, message };
  };
  api.handle(paymentMethods.listCards, () => state().cards);
  api.handle(paymentMethods.confirmCardSetup, ({ params }) => ({
    ...state().cards,
    setup: { id: params.setupId, status: "completed" as const },
  }));
  api.handle(paymentMethods.setDefaultCard, ({ params, locale }) =>
    answer(
      state()
        .cards.cards.map((card) => ({ ...card, is_default: card.id === params.cardId }))
        .toSorted((a, b) => Number(b.is_default) - Number(a.is_default)),
      renderText(locale, "ok.card_default"),
    ),
  );
  api.handle(paymentMethods.removeCard, ({ params, locale }) =>
    answer(
      state()
        .cards.cards.filter(({ id }) => id !== params.cardId)
        .map((card, index) => ({ ...card, is_default: index === 0 })),
      renderText(locale, "ok.card_removed"),
    ),
  );
  api.handle(automaticPayments.getForecast, () => state().forecast);
  api.handle(automaticPayments.getAutomaticTopUp, () => state().automaticTopUp);
  api.handle(automaticPayments.updateAutomaticTopUp, ({ body, locale }) => {
    state().automaticTopUp = body;
    return { settings: body, message: renderText(locale, "ok.automatic_top_up") };
  });
}
