import { CallError, createClient, type Client } from "@palisade/contract/http/client";
import type { RouteDefinition } from "@palisade/contract/http/route";
import { routes } from "@palisade/contract/http/routes";
import { locales, type Locale } from "@palisade/contract/texts/render";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createShield, logInAs, signUp, type CreatedShield } from "../product/account.ts";
import { databaseOf, removeHome, startPalisade, type Palisade } from "../product/palisade.ts";
import { createPreparedHome } from "../product/prepared-home.ts";
import { expectAnswers } from "./account-answers.ts";
import { profileBounds } from "./account-rules.ts";
import { families, label, rightCheckout, rightProfile, rightShield } from "./route-families.ts";
import { advanceClock } from "./clock.ts";
import { expectMitigationAnswers } from "./mitigation-answers.ts";
import { amountOddities } from "./recharge-rules.ts";
import { bodyWith, type Texts } from "./rules.ts";
import { expectShieldAnswers } from "./shield-answers.ts";
import { sectionBounds, sectionForms } from "./section-rules.ts";
import { wizardBounds } from "./wizard-rules.ts";

/** Every rule and refusal of wizard, overview, recharge modal and account, as the API answers it. */

let home: string;
let palisade: Palisade;
const callers = new Map<Locale, Client>();
const created: Texts = { en: "GameShield created!", ru: "GameShield создан!" };

beforeAll(async () => {
  home = await createPreparedHome();
  palisade = await startPalisade(home);
  for (const locale of locales) {
    const email = `${locale}@example.com`;
    await signUp(palisade.consoleUrl, email);
    const token = await logInAs(palisade.consoleUrl, email);
    const headers = () => ({ authorization: `Bearer ${token}`, "accept-language": locale });
    callers.set(locale, createClient({ baseUrl: palisade.consoleUrl, headers }));
  }
  // However late the tests make it, no call asks for a step-up.
  await queryDatabase("update sessions set authenticated_at = '2100-01-01'");
});

afterAll(async () => {
  await palisade?.stop();
  if (home !== undefined) await removeHome(home);
});

function callerOf(locale: Locale): Client {
  const call = callers.get(locale);
  if (call === undefined) throw new Error(`No client calls in ${locale}`);
  return call;
}

/** States that only money or time would bring about otherwise. */
async function changeShield(change: string, id: string): Promise<void> {
  await queryDatabase(`update shields set ${change} where id = $1`, [id]);
}

async function queryDatabase(statement: string, values: readonly string[] = []): Promise<void> {
  const { ownerUrl } = await databaseOf(home);
  const database = new pg.Client(ownerUrl);
  await database.connect();
  await database.query(statement, [...values]);
  await database.end();
}

/** The refusal of a call with this body; null where it was taken. */
async function refusal(
  locale: Locale,
  route: RouteDefinition,
  body: unknown,
  params: Readonly<Record<string, string>> = {},
) {
  try {
    await callerOf(locale)(route, { body, params });
    return null;
  } catch (error) {
    if (error instanceof CallError && error.problem !== null) return error.problem;
    throw error;
  }
}

const cases = families.flatMap(({ route, right, rules }) =>
  rules.flatMap((rule) =>
    locales.map((locale) => ({
      name: `${route.id}, ${locale}: ${rule.field} ${describeValue(rule.value)}`,
      route,
      right,
      rule,
      locale,
    })),
  ),
);

const sectionCases = Object.entries(sectionForms).flatMap(([name, form]) =>
  form.rules.map((rule) => ({
    name: `${name}: ${rule.field} ${describeValue(rule.value)}`,
    form,
    rule,
  })),
);

function describeValue(value: unknown): string {
  const text = typeof value === "symbol" ? value.description : JSON.stringify(value);
  return (text ?? "").slice(0, 24);
}

test.each(locales)(
  "the account area says every message as the table has it, %s",
  async (locale) => {
    await expectAnswers(palisade.consoleUrl, locale);
  },
);

test.each(cases)("$name is refused with the text of its rule", async (each) => {
  const { route, right, rule, locale } = each;
  const body = bodyWith(right, rule);
  let problem = await refusal(locale, route, body);
  // Refused calls count, too: the caller has to wait.
  if (problem?.code === "rate_limited") {
    await advanceClock(palisade.consoleUrl, problem.retry_after ?? 0);
    problem = await refusal(locale, route, body);
  }
  expect(problem?.status).toBe(422);
  expect(problem?.code).toBe("validation_failed");
  expect(problem?.issues.find(({ path }) => path === rule.field)?.message).toBe(rule[locale]);
});

test.each(wizardBounds)("$field at its bound is no reason to refuse", async (bound) => {
  const problem = await refusal("en", routes.servers.createServer, bodyWith(rightShield, bound));
  // No plan has the id in the body: the api looks for the plan after it has checked the fields.
  expect(problem?.code).toBe("plan_unavailable");
});

test.each(profileBounds)("$field of a profile may be $value", async (bound) => {
  const body = bodyWith(rightProfile, bound);
  expect(await refusal("en", routes.account.updateProfile, body)).toBeNull();
});

test.each(amountOddities.map((value) => ({ value })))(
  "the amount $value is refused, never rounded or read",
  async ({ value }) => {
    const body = bodyWith(rightCheckout, { field: "amount", value });
    const problem = await refusal("en", routes.billing.createStripeIntent, body);
    expect(problem?.status).toBe(422);
    expect(new Set(problem?.issues.map(({ path }) => path))).toEqual(new Set(["amount"]));
  },
);

describe.each(locales)("the sections of a shield, %s", (locale) => {
  const call = () => callerOf(locale);
  let params: Readonly<Record<string, string>>;

  async function newShield(domain: string): Promise<CreatedShield> {
    const shield = await createShield(call(), { host: "127.0.0.1", port: 25_565 }, domain);
    // Only a larger plan has more than one group and domain, and caching.
    await changeShield(
      "pricing_plan_id = (select id from pricing_plans where slug = 'network')",
      shield.id,
    );
    // The shield of the language before has the default port of the location.
    await queryDatabase("delete from bedrock_ports", []);
    await queryDatabase(
      "insert into shield_bedrock (shield_id, default_granted) values ($1, true)",
      [shield.id],
    );
    return shield;
  }

  beforeAll(async () => {
    const { id } = await newShield(`sections-${locale}.example.com`);
    const { data } = await call()(routes.backends.getBackends, { params: { id } });
    params = { id, backendId: data.backends[0]?.id ?? "" };
  });

  test.each(sectionCases)("$name is refused with the text of its rule", async (each) => {
    const { route, right } = each.form;
    const problem = await refusal(locale, route, bodyWith(right, each.rule), params);
    expect(problem?.status).toBe(422);
    const said = problem?.issues.find(({ path }) => path.split(".")[0] === each.rule.field);
    expect(said?.message).toBe(each.rule[locale]);
  });

  test.each(sectionBounds)("$form: $field may be $value", async ({ form, ...bound }) => {
    const { route, right } = sectionForms[form];
    expect(await refusal(locale, route, bodyWith(right, bound), params)).toBeNull();
  });

  test("say every message as the table has it", async () => {
    const shield = await newShield(`messages-${locale}.example.com`);
    expect(shield.message).toBe(created[locale]);
    await expectShieldAnswers(call(), locale, shield);
  });
});

test.each(locales)("the rules of mitigation hold for a new shield, in %s", async (locale) => {
  const call = callerOf(locale);
  const backend = { host: "127.0.0.1", port: 25_565 };
  const { id } = await createShield(call, backend, `mitigation-${locale}.example.com`);
  await expectMitigationAnswers(call, locale, id, (what, to) =>
    changeShield(
      what === "status"
        ? `status = '${to}'`
        : `pricing_plan_id = (select id from pricing_plans where slug = '${to}')`,
      id,
    ),
  );
});

const refusals: readonly (Texts & {
  readonly name: string;
  readonly route: RouteDefinition;
  readonly body: unknown;
  readonly status: number;
})[] = [
  {
    name: "a plan that is not on offer",
    route: routes.servers.createServer,
    body: rightShield,
    status: 409,
    en: "This plan is not available",
    ru: "Этот тариф недоступен",
  },
  {
    name: "a promo code that does not exist",
    route: routes.billing.validatePromoCode,
    body: { code: "NOSUCHCODE", amount: 20 },
    status: 422,
    en: "Invalid promo code",
    ru: "Неверный промокод",
  },
  {
    name: "a name of our own zone",
    route: routes.domains.checkDomain,
    body: { domain: label },
    status: 422,
    en: "This domain is already in use",
    ru: "Этот домен уже используется",
  },
];

describe.each(refusals)("$name", ({ route, body, status, ...texts }) => {
  test.each(locales)("is refused in %s", async (locale) => {
    const problem = await refusal(locale, route, body);
    expect(problem?.status).toBe(status);
    expect(problem?.message).toBe(texts[locale]);
  });
});

const toggles: readonly (Texts & { readonly setting: string; readonly locked: Texts })[] = [
  {
    setting: "automatic_renewal",
    en: "Automatic renewal changed",
    ru: "Автоматическое продление изменено",
    locked: {
      en: "Server must be active to change renewal settings",
      ru: "Чтобы менять настройки продления, сервер должен быть активен",
    },
  },
  {
    setting: "include_balance",
    en: "Include account balance changed",
    ru: "Использование баланса изменено",
    locked: {
      en: "Server must be active to change balance settings",
      ru: "Чтобы менять настройки баланса, сервер должен быть активен",
    },
  },
];

describe.each(locales)("the toggles of the overview, %s", (locale) => {
  let id: string;
  let serial = 0;

  beforeEach(async () => {
    const backend = { host: "127.0.0.1", port: 25_565 };
    const domain = `toggles${(serial += 1)}-${locale}.example.com`;
    ({ id } = await createShield(callerOf(locale), backend, domain));
  });

  test.each(toggles)("$setting says that it changed, and is locked for 5 s", async (toggle) => {
    const { data } = await callerOf(locale)(routes.servers.updateOverview, {
      params: { id },
      body: { [toggle.setting]: false },
    });
    expect(data.message).toBe(toggle[locale]);
    const body = { [toggle.setting]: true };
    const problem = await refusal(locale, routes.servers.updateOverview, body, { id });
    expect(problem?.status).toBe(429);
    expect(problem?.retry_after).toBeLessThanOrEqual(5);
  });

  test.each(toggles)("$setting of an expired server says why it stays", async (toggle) => {
    await changeShield("status = 'expired'", id);
    const body = { [toggle.setting]: true };
    const problem = await refusal(locale, routes.servers.updateOverview, body, { id });
    expect(problem?.status).toBe(409);
    expect(problem?.message).toBe(toggle.locked[locale]);
  });
});
