import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@palisade/contract/http/client";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { Client as Database } from "pg";
import { clientOf, logInAs, signUp } from "../product/account.ts";
import {
  createHome,
  databaseOf,
  logTails,
  removeHome,
  runCommand,
  startPalisade,
  type Palisade,
} from "../product/palisade.ts";
import { createRandom, type Random } from "../restarts/random.ts";
import { buy, type Outcome, type Purchase } from "./purchase.ts";
import { creditInSpiteOfKill, startSecondApi, type SecondApi } from "./second-api.ts";

export interface MoneyOptions {
  readonly seeds: number;
  readonly firstSeed: number;
  readonly say: (line: string) => void;
}

export interface MoneyResult {
  readonly bought: number;
  readonly refused: number;
  readonly credits: number;
  readonly kills: number;
  /** What does not hold; none where all is well. */
  readonly broken: readonly string[];
}

/** Steps of a purchase at which the second api dies, inside its transaction. */
const steps = ["purchase-paid", "purchase-placed", "shield-commit"] as const;
const email = "buyer@example.com";
const priceCents = 900;

/** What all seeds share; the account keeps what earlier seeds left on it. */
interface Shop {
  readonly palisade: Palisade;
  readonly database: Database;
  readonly token: string;
  readonly planId: string;
  second: SecondApi;
  balanceCents: number;
  readonly shieldIds: Set<string>;
  serial: number;
}

/**
 * Lets purchases and credits race over two api processes, one of which dies at a step of a
 * purchase, and compares what they answered with the ledger.
 *
 * @throws where the product itself does not come up or answers what nobody expects
 */
export async function runMoney({ seeds, firstSeed, say }: MoneyOptions): Promise<MoneyResult> {
  const home = await createHome();
  const palisade = await startPalisade(home);
  const result = { bought: 0, refused: 0, credits: 0, kills: 0, broken: [] as string[] };
  let shop: Shop | undefined;
  try {
    shop = await openShop(home, palisade);
    for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
      const round = await runSeed(shop, createRandom(seed));
      result.bought += round.bought;
      result.refused += round.refused;
      result.credits += round.credits;
      result.kills += round.kills;
      result.broken.push(...round.broken.map((line) => `seed ${seed}: ${line}`));
      say(`seed ${seed}: ${round.bought} bought, ${round.refused} refused, ${round.kills} killed`);
    }
    say((await runCommand(home, ["audit", "verify"])).trim());
    return result;
  } catch (error) {
    say(await logTails(home));
    throw error;
  } finally {
    await shop?.second.stop();
    await shop?.database.end();
    await palisade.stop();
    await removeHome(home);
  }
}

async function openShop(home: string, palisade: Palisade): Promise<Shop> {
  const call = await signUp(palisade.consoleUrl, email);
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
    token: await logInAs(palisade.consoleUrl, email),
    planId: plan.id,
    second: await startSecondApi(home, steps[0]),
    balanceCents: 0,
    shieldIds: new Set(),
    serial: 0,
  };
}

async function runSeed(shop: Shop, random: Random) {
  const { palisade } = shop;
  await passAnHour(palisade.consoleUrl);
  const first = clientOf(palisade.consoleUrl, shop.token);
  const second = clientOf(shop.second.url, shop.token);
  const purchases: Purchase[] = [];
  for (let count = random.pick([2, 3, 4]); count > 0; count -= 1) {
    purchases.push(await preparePurchase(shop, first));
  }
  // Less than is wanted, on the whole, so that purchases compete for it.
  const euros = shop.balanceCents < 2 * priceCents ? random.pick([9, 18, 27]) : 0;
  const spreadMs = random.pick([0, 50, 2_000]);
  const isFirstKilled = random.next() < 0.4;
  const before = shop.balanceCents;

  const buying = purchases.map(async (purchase, index) => {
    const startMs = random.next() * spreadMs;
    // One process may be gone for long: whoever is repeated is repeated at the other.
    const clients = index % 2 === 0 ? [first] : [second, first];
    await delay(startMs);
    return buy(purchase, clients);
  });
  const credit = { email, euros, key: `seed-${shop.serial}` };
  const [outcomes] = await Promise.all([
    Promise.all(buying),
    euros === 0 ? undefined : creditInSpiteOfKill(palisade.home, credit, random.next() * 1_500),
    isFirstKilled ? killFirst(palisade, random.next() * (spreadMs + 100)) : undefined,
  ]);
  const isSecondKilled = shop.second.hasEnded();
  await until(async () => (await fetch(`${palisade.consoleUrl}/readyz`)).ok, { capMs: 60_000 });
  if (isSecondKilled) shop.second = await startSecondApi(palisade.home, random.pick(steps));

  const bought = outcomes.filter((outcome) => outcome !== null);
  for (const id of bought) shop.shieldIds.add(id);
  shop.balanceCents += euros * 100 - bought.length * priceCents;
  const sold = { before, creditCents: euros * 100, wanted: purchases.length, sold: bought.length };
  const again = await Promise.all(
    purchases.map(async (purchase, index) =>
      outcomes[index] === null ? null : buy(purchase, [first]),
    ),
  );
  return {
    bought: bought.length,
    refused: outcomes.length - bought.length,
    credits: euros === 0 ? 0 : 1,
    kills: Number(isFirstKilled) + Number(isSecondKilled),
    broken: [
      ...brokenSales(sold),
      ...brokenReplays(outcomes, again),
      ...(await brokenBooks(shop, first)),
    ],
  };
}

/** So that no limit by the hour is what is tested. */
async function passAnHour(consoleUrl: string): Promise<void> {
  const answer = await fetch(`${consoleUrl}/dev/clock`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ advance_seconds: 3_600 }),
  });
  if (!answer.ok) throw new Error(`The clock did not move: ${answer.status}`);
}

async function preparePurchase(shop: Shop, call: Client): Promise<Purchase> {
  shop.serial += 1;
  const { cname_record } = (await call(routes.servers.generateCname, {})).data;
  return {
    key: `purchase-${shop.serial}`,
    body: {
      pricing_plan_id: shop.planId,
      server_name: `Shop ${shop.serial}`,
      real_ip: "127.0.0.1",
      real_port: 25_565,
      location: "local",
      domain: `shop${shop.serial}.example.com`,
      cname_record,
    },
  };
}

/** At any moment, those between COMMIT and answer included; the supervisor starts it again. */
async function killFirst(palisade: Palisade, afterMs: number): Promise<void> {
  const pid = await palisade.pidOf("api");
  await delay(afterMs);
  process.kill(pid, "SIGKILL");
}

/** As many were sold as there was money for: surely with what was there, at most with the credit. */
function brokenSales(sale: {
  readonly before: number;
  readonly creditCents: number;
  readonly wanted: number;
  readonly sold: number;
}): string[] {
  const affordable = (cents: number): number =>
    Math.min(sale.wanted, Math.floor(cents / priceCents));
  const least = affordable(sale.before);
  const most = affordable(sale.before + sale.creditCents);
  if (sale.sold >= least && sale.sold <= most) return [];
  return [`${sale.sold} were sold with money for ${least} to ${most}`];
}

function brokenReplays(outcomes: readonly Outcome[], again: readonly Outcome[]): string[] {
  return outcomes.flatMap((outcome, index) =>
    outcome === again[index] ? [] : [`repeated, ${outcome} became ${again[index]}`],
  );
}

/** The account, its shields and the ledger, against what the callers were told. */
async function brokenBooks(shop: Shop, call: Client): Promise<string[]> {
  const broken: string[] = [];
  const { user } = (await call(routes.auth.user, {})).data;
  if (user.balance_cents !== shop.balanceCents) {
    broken.push(`the balance is ${user.balance_cents}, ${shop.balanceCents} was expected`);
  }
  const { rows } = await shop.database.query<{ id: string | null; key: string | null }>(`
    select s.shield_id as id, t.business_key as key
    from subscriptions s
    full join (select * from ledger_txns where kind = 'purchase') t
      on t.business_key = 'purchase:' || s.shield_id
  `);
  const paid = rows.flatMap(({ id, key }) => (id === null || key === null ? [] : id));
  if (paid.length < rows.length) broken.push("a subscription or a purchase stands alone");
  if (paid.length !== shop.shieldIds.size || paid.some((id) => !shop.shieldIds.has(id))) {
    broken.push(`${paid.length} shields are paid, ${shop.shieldIds.size} were answered`);
  }
  await runCommand(shop.palisade.home, ["ledger", "verify"]).catch((error: unknown) =>
    broken.push(String(error)),
  );
  return broken;
}
