import { routes } from "@palisade/contract/http/routes";
import type { RouteDefinition } from "@palisade/contract/http/route";
import { locales } from "@palisade/contract/texts/locale";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { addPromoCode } from "#src/test-support/test-payments.ts";
import { call, createUser, type CallOptions } from "#src/test-support/test-users.ts";

/**
 * The words of the api about money, exactly, in both languages: one table for each part of the
 * billing pages. Screens show these texts as they are, at the place that `where` names.
 */
interface Row {
  /** The action of the caller. */
  readonly when: string;
  readonly where: string;
  readonly route: RouteDefinition;
  readonly sent: Pick<CallOptions, "body" | "query" | "params">;
  readonly status: number;
  /** Said about this field; left out where the text is the message of the answer. */
  readonly field?: string;
  readonly en: string;
  readonly ru: string;
}

const { billing, automaticPayments, invoices, planChanges, servers, supportPlans } = routes;
const someId = "0199a3f2-7c10-7000-8000-5f1a2b3c4d5e";

const amountTexts = {
  missing: { en: "Enter an amount", ru: "Введите сумму" },
  digits: { en: "Only whole euros, digits only", ru: "Только целые евро, только цифры" },
  minimum: { en: "Minimum amount is 1€", ru: "Минимальная сумма — 1€" },
  maximum: { en: "Maximum amount is 1000€", ru: "Максимальная сумма — 1000€" },
} as const;

const wrongAmounts = [
  [undefined, amountTexts.missing],
  [0, amountTexts.minimum],
  [-5, amountTexts.minimum],
  [1.5, amountTexts.digits],
  ["20", amountTexts.digits],
  [1_001, amountTexts.maximum],
] as const;

/** Every wrong amount in a field of a call. */
function amountRows(
  route: RouteDefinition,
  where: string,
  field: string,
  right: Readonly<Record<string, unknown>>,
): Row[] {
  return wrongAmounts.map(([value, texts]) => ({
    when: `${field} of ${route.id} is ${JSON.stringify(value)}`,
    where,
    route,
    sent: { body: { ...right, [field]: value } },
    status: 422,
    field,
    ...texts,
  }));
}

const wrong = (row: Omit<Row, "status">): Row => ({ ...row, status: 422 });

/** A value of a filter that a list does not know. */
const wrongFilter = (
  route: RouteDefinition,
  field: string,
  value: string,
  texts: Pick<Row, "en" | "ru">,
): Row =>
  wrong({
    when: `${route.id} is filtered by ${field} ${value}`,
    where: "api: the console drops such a value from the address",
    route,
    sent: { query: { year: "2026", [field]: value } },
    field,
    ...texts,
  });

const modal = "recharge modal, beside the amount";
const methodText = {
  en: "Payment method must be stripe or paypal",
  ru: "Способ оплаты: stripe или paypal",
};
const otherCall = {
  en: "This payment method belongs to another call",
  ru: "Этот способ оплаты относится к другому вызову",
};

const recharge: readonly Row[] = [
  ...amountRows(billing.createStripeIntent, modal, "amount", { payment_method: "stripe" }),
  ...amountRows(billing.createPaypalOrder, modal, "amount", { payment_method: "paypal" }),
  wrong({
    when: "a method is unknown",
    where: "api: the modal offers known methods only",
    route: billing.createStripeIntent,
    sent: { body: { amount: 20, payment_method: "cash" } },
    field: "payment_method",
    ...methodText,
  }),
  wrong({
    when: "a method is sent to the call of the other",
    where: "api: the modal chooses the call by the method",
    route: billing.createPaypalOrder,
    sent: { body: { amount: 20, payment_method: "stripe" } },
    field: "payment_method",
    ...otherCall,
  }),
];

const invalidCode = { en: "Invalid promo code", ru: "Неверный промокод" };
const beside = "recharge modal, beside the promo code";

const promoCodes: readonly Row[] = [
  ...amountRows(billing.validatePromoCode, beside, "amount", { code: "WELCOME" }),
  ...[undefined, "", "   "].map((code) =>
    wrong({
      when: `${JSON.stringify(code)} is applied`,
      where: beside,
      route: billing.validatePromoCode,
      sent: { body: { code, amount: 20 } },
      field: "code",
      en: "Enter a promo code",
      ru: "Введите промокод",
    }),
  ),
  wrong({
    when: "a code is too long to be one",
    where: beside,
    route: billing.validatePromoCode,
    sent: { body: { code: "A".repeat(65), amount: 20 } },
    field: "code",
    ...invalidCode,
  }),
  wrong({
    when: "a code does not exist",
    where: beside,
    route: billing.validatePromoCode,
    sent: { body: { code: "NOSUCHCODE", amount: 20 } },
    ...invalidCode,
  }),
  wrong({
    when: "a top-up begins with a code that does not exist",
    where: beside,
    route: billing.createStripeIntent,
    sent: { body: { amount: 20, payment_method: "stripe", promo_code: "NOSUCHCODE" } },
    ...invalidCode,
  }),
  {
    when: "a code counts",
    where: "recharge modal, below the promo code",
    route: billing.validatePromoCode,
    sent: { body: { code: "TABLE10", amount: 20 } },
    status: 200,
    en: "Promo code applied!",
    ru: "Промокод применён!",
  },
];

const documentKind = {
  en: "Kind must be receipt, invoice or credit_note",
  ru: "Вид документа: receipt, invoice или credit_note",
};
const documentMethod = {
  en: "Payment method must be stripe, paypal or balance",
  ru: "Способ оплаты: stripe, paypal или balance",
};
const year = {
  en: "Year must be a whole number from 2000 to 9999",
  ru: "Год — целое число от 2000 до 9999",
};

const invoicesAndTransactions: readonly Row[] = [
  ...[billing.listTransactions, invoices.listInvoices].flatMap((route) => [
    wrongFilter(route, "page", "0", {
      en: "Page must be a whole number from 1",
      ru: "Номер страницы — целое число от 1",
    }),
    wrongFilter(route, "per_page", "101", {
      en: "Per page must be a whole number from 1 to 100",
      ru: "Размер страницы — целое число от 1 до 100",
    }),
  ]),
  wrongFilter(billing.listTransactions, "status", "x", {
    en: "Unknown status",
    ru: "Неизвестный статус",
  }),
  wrongFilter(billing.listTransactions, "type", "x", {
    en: "Unknown type",
    ru: "Неизвестный тип",
  }),
  wrongFilter(billing.listTransactions, "payment_method", "cash", {
    en: "Payment method must be stripe, paypal, balance, promo or operator",
    ru: "Способ оплаты: stripe, paypal, balance, promo или operator",
  }),
  ...[invoices.listInvoices, invoices.exportInvoices].flatMap((route) => [
    wrongFilter(route, "kind", "bill", documentKind),
    wrongFilter(route, "payment_method", "promo", documentMethod),
    wrongFilter(route, "year", "1999", year),
    wrongFilter(route, "number", "x".repeat(33), {
      en: "At most 32 characters",
      ru: "Не больше 32 символов",
    }),
  ]),
  wrongFilter(invoices.archiveInvoices, "year", "x", year),
  wrongFilter(invoices.archiveInvoices, "language", "de", {
    en: "Language must be en or ru",
    ru: "Язык: en или ru",
  }),
];

const settings = { enabled: true, threshold: 10, amount: 20 };
const form = "billing page, beside the field of the automatic top-up";

const cards: readonly Row[] = [
  ...amountRows(automaticPayments.updateAutomaticTopUp, form, "threshold", settings),
  ...amountRows(automaticPayments.updateAutomaticTopUp, form, "amount", settings),
];

const planMissing = { en: "Pricing plan ID is required", ru: "Выберите тариф" };
const planWrong = {
  en: "Pricing plan ID must be valid",
  ru: "Недопустимый идентификатор тарифа",
};

const plans: readonly Row[] = [
  ...(
    [
      [servers.createServer, "pricing_plan_id", "wizard, first step"],
      [planChanges.quotePlanChange, "pricing_plan_id", "api: the dialog offers plans only"],
      [planChanges.changePlan, "pricing_plan_id", "api: the dialog offers plans only"],
      [supportPlans.quoteSupportPlan, "support_plan_id", "api: the page offers plans only"],
      [supportPlans.purchaseSupportPlan, "support_plan_id", "api: the page offers plans only"],
    ] as const
  ).flatMap(([route, field, where]) =>
    (
      [
        [undefined, planMissing],
        ["", planMissing],
        ["7", planWrong],
      ] as const
    ).map(([value, texts]) =>
      wrong({
        when: `${field} of ${route.id} is ${JSON.stringify(value)}`,
        where,
        route,
        sent: { params: { id: someId }, body: { [field]: value } },
        field,
        ...texts,
      }),
    ),
  ),
  {
    when: "a support plan is not on offer",
    where: "page of support plans",
    route: supportPlans.purchaseSupportPlan,
    sent: { body: { support_plan_id: someId } },
    status: 409,
    en: "This plan is not available",
    ru: "Этот тариф недоступен",
  },
];

const boolean = { en: "Must be true or false", ru: "Допустимо только true или false" };

const renewals: readonly Row[] = [
  wrong({
    when: "neither toggle is sent",
    where: "api: the overview sends the toggle that was pressed",
    route: servers.updateOverview,
    sent: { params: { id: someId }, body: {} },
    field: "automatic_renewal",
    en: "Send at least one setting",
    ru: "Передайте хотя бы одну настройку",
  }),
  ...["automatic_renewal", "include_balance"].map((field) =>
    wrong({
      when: `${field} is no boolean`,
      where: "api: the overview sends the toggle that was pressed",
      route: servers.updateOverview,
      sent: { params: { id: someId }, body: { [field]: "yes" } },
      field,
      ...boolean,
    }),
  ),
];

const tables: Readonly<Record<string, readonly Row[]>> = {
  "recharging the balance": recharge,
  "promo codes": promoCodes,
  "invoices and transactions": invoicesAndTransactions,
  "saved cards and automatic top-ups": cards,
  plans,
  renewals,
};

interface Answer {
  readonly message: string;
  readonly issues?: readonly { readonly path: string; readonly message: string }[];
}

let testApp: TestApp;
let token: string;
beforeAll(async () => {
  testApp = await createTestApp();
  await addPromoCode(testApp, { name: "TABLE10", percentage: 10 });
});
afterAll(() => testApp?.close());

describe.each(locales)("in %s", (locale) => {
  describe.each(Object.keys(tables))("the texts of %s", (section) => {
    beforeAll(async () => {
      // Each call counts towards its caller's limit.
      ({ token } = await createUser(testApp));
    });
    test.each(tables[section] ?? [])("when $when: $where", async (row) => {
      const headers = { "accept-language": locale };
      const answer = await call(testApp, row.route, { token, headers, ...row.sent });
      const { message, issues = [] } = answer.json<Answer>();
      const said =
        row.field === undefined ? message : issues.find(({ path }) => path === row.field)?.message;
      expect({ status: answer.statusCode, said }).toEqual({
        status: row.status,
        said: row[locale],
      });
    });
  });
});

test.each([
  ["en", "You can top up 0 € more today"],
  ["ru", "Сегодня можно пополнить ещё на 0 €"],
])("more than a day's amount is refused in %s with what is left", async (language, text) => {
  const user = await createUser(testApp);
  const order = (amount: number) =>
    call(testApp, billing.createStripeIntent, {
      token: user.token,
      body: { amount, payment_method: "stripe" },
      headers: { "accept-language": language },
    });
  expect((await order(1_000)).statusCode).toBe(201);
  const refused = await order(1);
  expect([refused.statusCode, refused.json<Answer>().message]).toEqual([422, text]);
});

test.each([
  ["en", "Insufficient funds"],
  ["ru", "Недостаточно средств"],
])("a plan that the balance does not cover is refused in %s", async (language, text) => {
  const user = await createUser(testApp);
  const headers = { "accept-language": language };
  const listed = await call(testApp, routes.plans.listSupportPlans, { token: user.token });
  const { plans: offered } = routes.plans.listSupportPlans.response.parse(listed.json());
  const paid = offered.find(({ price_cents: price }) => price > 0);
  const refused = await call(testApp, supportPlans.purchaseSupportPlan, {
    token: user.token,
    body: { support_plan_id: paid?.id },
    headers,
  });
  expect([refused.statusCode, refused.json<Answer>().message]).toEqual([402, text]);
});
