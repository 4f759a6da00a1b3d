import type { Client } from "@palisade/contract/http/client";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { Client as Database } from "pg";
import { clientOf, logInAs, signUp } from "../product/account.ts";
import { databaseOf, runCommand, type Palisade } from "../product/palisade.ts";
import type { Random } from "../restarts/random.ts";
import { addSingleUseCode } from "./ledger-checks.ts";
import type { ApiClient } from "./retry-across.ts";
import type { Purchase } from "./purchase.ts";
import { startSecondApi, type SecondApi } from "./second-api.ts";
import { endings, type BegunTopUp, type TopUp } from "./top-up.ts";

/** Steps at which the second api dies, nearly all of them inside a transaction. */
export const steps = [
  "purchase-paid",
  "purchase-placed",
  "shield-commit",
  "intent-stored",
  "checkout-created",
  "reference-stored",
  "event-stored",
  "credit-posted",
] as const;
export const priceCents = 900;

/** An account. It keeps the balance and shields of earlier seeds. */
export interface Buyer {
  readonly email: string;
  readonly token: string;
  givenCents: number;
  readonly shieldIds: Set<string>;
  /** Abandoned checkouts of the seed before, which have expired by now. */
  abandoned: readonly BegunTopUp[];
}

/** The state that all seeds share. */
export interface MoneyRun {
  readonly palisade: Palisade;
  readonly database: Database;
  /**
   * The first never has enough money for all its purchases. The second always does, so both compete
   * for the locks that accounts share: promo codes and the version of the configuration.
   */
  readonly buyers: readonly [Buyer, Buyer];
  readonly planId: string;
  second: SecondApi;
  step: (typeof steps)[number];
  serial: number;
}

/** More than a long run spends, and the most that one credit may be. */
const fortuneEuros = 10_000;

export async function openMoneyRun(home: string, palisade: Palisade): Promise<MoneyRun> {
  const poor = await createBuyer(palisade, "buyer@example.com");
  const rich = await createBuyer(palisade, "rival@example.com");
  const credit = ["ledger", "credit", rich.email, String(fortuneEuros), "--reason", "Soak"];
  await runCommand(home, credit);
  rich.givenCents = fortuneEuros * 100;
  const call = clientOf(palisade.consoleUrl, poor.token);
  await until(
    async () =>
      (await call(routes.plans.listLocations, { query: {} })).data.locations.some(
        ({ name, is_available }) => name === "local" && is_available,
      ),
    { what: "the location of this machine" },
  );
  const { plans } = (await call(routes.plans.listPricingPlans, {})).data;
  const plan = plans.find(({ price_cents }) => price_cents === priceCents);
  if (plan === undefined) throw new Error(`No plan costs ${priceCents} cents`);
  const database = new Database({ connectionString: (await databaseOf(home)).ownerUrl });
  await database.connect();
  return {
    palisade,
    database,
    buyers: [poor, rich],
    planId: plan.id,
    second: await startSecondApi(home, steps[0]),
    step: steps[0],
    serial: 0,
  };
}

async function createBuyer({ consoleUrl }: Palisade, email: string): Promise<Buyer> {
  await signUp(consoleUrl, email);
  const token = await logInAs(consoleUrl, email);
  return { email, token, givenCents: 0, shieldIds: new Set(), abandoned: [] };
}

export async function balanceOf({ call }: ApiClient): Promise<number> {
  return (await call(routes.auth.user, {})).data.user.balance_cents;
}

/** Moves the clock an hour, so that no hourly limit stops the run. */
export async function passAnHour(consoleUrl: string): Promise<void> {
  const answer = await fetch(`${consoleUrl}/dev/clock`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ advance_seconds: 3_600 }),
  });
  if (!answer.ok) throw new Error(`The clock did not move: ${answer.status}`);
}

export async function preparePurchase(run: MoneyRun, call: Client): Promise<Purchase> {
  run.serial += 1;
  const { cname_record } = (await call(routes.servers.generateCname, {})).data;
  return {
    key: `purchase-${run.serial}`,
    body: {
      pricing_plan_id: run.planId,
      server_name: `Shop ${run.serial}`,
      real_ip: "127.0.0.1",
      real_port: 25_565,
      location: "local",
      domain: `shop${run.serial}.example.com`,
      cname_record,
    },
  };
}

/** Adds a code for a single top-up of this seed, by either buyer. */
export async function prepareCode(run: MoneyRun, random: Random): Promise<string> {
  run.serial += 1;
  const promoCode = `SOAK-${run.serial}`;
  await addSingleUseCode(run.database, promoCode, random.pick([10, 33, 100]));
  return promoCode;
}

export function prepareTopUps(
  run: MoneyRun,
  random: Random,
  order: { readonly promoCode: string; readonly count: number },
): TopUp[] {
  run.serial += 1;
  return Array.from({ length: order.count }, (_, index) => ({
    key: `top-up-${run.serial}-${index}`,
    euros: random.pick([1, 5, 9]),
    promoCode: order.promoCode,
    ending: random.pick(endings),
  }));
}
