import { metadataOf, numberOf, textOf, type Form } from "./form.ts";
import { refuse, type Card, type Payment, type Session } from "./objects.ts";
import { missing, type StripeState } from "./state.ts";

export interface ApiCall {
  readonly method: string;
  /** Below /v1, without the query. */
  readonly path: string;
  /** The query and the body together. */
  readonly form: Form;
}

const minuteSeconds = 60;

/** Answers a call of Stripe's API by its documentation. @throws StripeRefusal */
export function answerApi(state: StripeState, account: string, call: ApiCall): object {
  const [what = "", second = "", third, fourth] = call.path
    .split("/")
    .filter((part) => part !== "");
  const { form } = call;
  const key = `${call.method} ${what}`;
  switch (key) {
    case "GET account":
      return { id: account, object: "account", charges_enabled: true, default_currency: "eur" };
    case "POST checkout":
      if (third === undefined) return createSession(state, form);
      if (fourth === "expire") return shown(state, state.expireSession(third), form);
      break;
    case "GET checkout":
      if (third !== undefined) return shown(state, state.session(third), form);
      return list(
        [...state.sessions.values()].filter(
          ({ payment_intent }) => payment_intent === textOf(form, "payment_intent"),
        ),
        form,
      );
    case "POST customers":
      return state.createCustomer(metadataOf(form));
    case "DELETE customers":
      return state.deleteCustomer(second);
    case "GET payment_methods":
      return list(
        [...state.cards.values()].filter(({ customer }) => customer === textOf(form, "customer")),
        form,
      );
    case "POST payment_methods":
      if (third === "detach") return state.detach(cardOf(state, second));
      break;
    case "POST payment_intents":
      if (second === "") return createPayment(state, form);
      if (third === "confirm") {
        return state.confirm(paymentOf(state, second), textOf(form, "off_session") === "true");
      }
      if (third === "cancel") return state.cancel(paymentOf(state, second));
      break;
    case "GET events":
      return list(listedEvents(state, form), form);
    case "GET payment_intents":
      return shownPayment(state, paymentOf(state, second), expanded(form));
    case "POST refunds":
      return state.refund(
        paymentOf(state, textOf(form, "payment_intent") ?? ""),
        numberOf(form, "amount"),
        metadataOf(form),
      );
    case "GET balance_transactions":
      return list(listedMovements(state, form), form);
    case "GET refunds":
    case "GET disputes": {
      const all = what === "refunds" ? state.refunds : state.disputes;
      const payment = textOf(form, "payment_intent");
      return list(
        [...all.values()].filter(({ payment_intent }) => payment_intent === payment),
        form,
      );
    }
  }
  throw refuse(`Unrecognized request URL (${call.method}: /v1${call.path}).`);
}

/** The rules of Checkout that orders have broken: amounts, addresses and the length of a session. */
function createSession(state: StripeState, form: Form): object {
  const mode = textOf(form, "mode") === "setup" ? "setup" : "payment";
  const expiresAt = numberOf(form, "expires_at") ?? state.seconds() + 24 * 60 * minuteSeconds;
  const life = expiresAt - state.seconds();
  if (life < 30 * minuteSeconds || life > 24 * 60 * minuteSeconds) {
    throw refuse(
      "The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.",
      { param: "expires_at" },
    );
  }
  const price = ["line_items", "0", "price_data"] as const;
  const amount = numberOf(form, ...price, "unit_amount");
  if (
    mode === "payment" &&
    (amount === undefined || !Number.isSafeInteger(amount) || amount < 50)
  ) {
    throw refuse("The Checkout Session's total amount due must add up to at least €0.50 eur", {
      code: "amount_too_small",
    });
  }
  const customer = textOf(form, "customer") ?? null;
  if (customer !== null && !state.customers.has(customer)) throw missing("customer", customer);
  for (const name of ["success_url", "cancel_url"]) {
    if (!URL.canParse(textOf(form, name) ?? "")) throw refuse("Not a valid URL", { param: name });
  }
  return state.createSession({
    mode,
    amount_total: mode === "payment" ? (amount ?? null) : null,
    currency: textOf(form, ...price, "currency") ?? textOf(form, "currency") ?? null,
    cancel_url: textOf(form, "cancel_url") ?? null,
    success_url: textOf(form, "success_url") ?? null,
    client_reference_id: textOf(form, "client_reference_id") ?? null,
    customer,
    expires_at: expiresAt,
    metadata: metadataOf(form),
    payment_metadata: metadataOf(form, "payment_intent_data"),
  });
}

function createPayment(state: StripeState, form: Form): Payment {
  const amount = numberOf(form, "amount") ?? 0;
  if (!Number.isSafeInteger(amount) || amount < 50) {
    throw refuse("Amount must be at least €0.50 eur", { code: "amount_too_small" });
  }
  if (textOf(form, "confirm") === "true") {
    throw refuse("The stand-in confirms payments in a call of their own");
  }
  const card = textOf(form, "payment_method");
  const customer = textOf(form, "customer") ?? null;
  if (card !== undefined && state.cards.get(card)?.customer !== customer) {
    throw refuse(`The customer does not have a payment method with the ID ${card}.`, {
      code: "resource_missing",
    });
  }
  return state.newPayment({
    amount,
    currency: textOf(form, "currency") ?? "",
    customer,
    payment_method: card ?? null,
    metadata: metadataOf(form),
  });
}

function listedEvents({ events }: StripeState, form: Form) {
  const since = numberOf(form, "created", "gte") ?? 0;
  const types = form["types"];
  const wanted = new Set<string | Form | undefined>(
    Object.values(typeof types === "object" ? types : {}),
  );
  return events.filter(
    ({ created, type }) => created >= since && (wanted.size === 0 || wanted.has(type)),
  );
}

function paymentOf(state: StripeState, id: string): Payment {
  const found = state.payments.get(id);
  if (found === undefined) throw missing("payment_intent", id);
  return found;
}

function cardOf(state: StripeState, id: string): Card {
  const found = state.cards.get(id);
  if (found === undefined) throw missing("payment_method", id);
  return found;
}

/** The fields that the caller wants as objects, not as ids. */
function expanded(form: Form): readonly string[] {
  const expand = form["expand"];
  return Object.values(typeof expand === "object" ? expand : {}).filter(
    (name): name is string => typeof name === "string",
  );
}

function shown(state: StripeState, session: Session, form: Form): object {
  const prefix = "payment_intent";
  const wanted = expanded(form).filter((name) => name.startsWith(prefix));
  if (wanted.length === 0 || session.payment_intent === null) return session;
  const payment = paymentOf(state, session.payment_intent);
  const inner = wanted.map((name) => name.slice(prefix.length + 1));
  return { ...session, payment_intent: shownPayment(state, payment, inner) };
}

function shownPayment(state: StripeState, payment: Payment, expand: readonly string[]): object {
  if (!expand.includes("latest_charge") || payment.latest_charge === null) return payment;
  return { ...payment, latest_charge: state.charges.get(payment.latest_charge) };
}

function listedMovements(state: StripeState, form: Form) {
  const from = numberOf(form, "created", "gte") ?? 0;
  const to = numberOf(form, "created", "lt") ?? Number.MAX_SAFE_INTEGER;
  const sourceOf = (id: string) =>
    state.charges.get(id) ?? state.refunds.get(id) ?? state.disputes.get(id) ?? id;
  const isExpanded = expanded(form).includes("data.source");
  return state.balanceTransactions
    .filter(({ created }) => created >= from && created < to)
    .map((line) => (isExpanded ? { ...line, source: sourceOf(line.source) } : line));
}

/** Newest first, in pages, as Stripe lists. */
function list(all: readonly { readonly id: string }[], form: Form): object {
  const newest = all.toReversed();
  const limit = numberOf(form, "limit") ?? 10;
  const after = textOf(form, "starting_after");
  const from = after === undefined ? 0 : newest.findIndex(({ id }) => id === after) + 1;
  const data = newest.slice(from, from + limit);
  return { object: "list", data, has_more: from + limit < newest.length, url: "/v1" };
}
