import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { clientOf } from "../product/account.ts";
import { runCommand } from "../product/palisade.ts";
import {
  checkBalance,
  checkRules,
  countUnsettled,
  lostBonuses,
  paidShields,
} from "./ledger-checks.ts";
import type { ApiClient } from "./retry-across.ts";
import type { Outcome } from "./purchase.ts";
import { balanceOf, priceCents, type Buyer, type MoneyRun } from "./buyers.ts";
import { begin, confirm, type BegunTopUp } from "./top-up.ts";

/** Compares the answers that callers got with the database: one line for each difference. */

/** The poller runs every minute and takes over from a job that died with its api. */
const settledCapMs = 180_000;

/** The number sold lies between what the balance paid for and what it paid for with the credits. */
export function checkSales(sale: {
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

export function checkReplays(outcomes: readonly Outcome[], again: readonly Outcome[]): string[] {
  return outcomes.flatMap((outcome, index) =>
    outcome === again[index] ? [] : [`repeated, ${outcome} became ${again[index]}`],
  );
}

/** A repeated order gets the same checkout as before. */
export async function checkRepeatedCheckouts(
  begun: readonly BegunTopUp[],
  api: ApiClient,
): Promise<string[]> {
  const again = await Promise.all(begun.map((each) => begin(each, [api])));
  return begun.flatMap(({ intentId, url }, index) =>
    again[index]?.intentId === intentId && again[index].url === url
      ? []
      : [`repeated, checkout ${intentId} became ${again[index]?.intentId}`],
  );
}

export async function checkAbandoned(
  begun: readonly BegunTopUp[],
  apis: readonly ApiClient[],
): Promise<string[]> {
  const statuses = await Promise.all(begun.map((each) => confirm(each, apis)));
  return statuses.flatMap((status) =>
    status === "expired" ? [] : [`an abandoned checkout is ${status} an hour later`],
  );
}

/** Compares the accounts, their shields and the ledger with the answers that callers got. */
export async function checkAccounts(run: MoneyRun): Promise<string[]> {
  const { database } = run;
  const broken = await checkRules(database);
  for (const { email, givenCents, shieldIds } of run.buyers) {
    const spentCents = shieldIds.size * priceCents;
    broken.push(...(await checkBalance(database, { email, givenCents, spentCents })));
    const paid = await paidShields(database, email);
    if (paid.length !== shieldIds.size || paid.some((id) => !shieldIds.has(id))) {
      broken.push(`${email} pays for ${paid.length} shields, ${shieldIds.size} were answered`);
    }
  }
  await runCommand(run.palisade.home, ["ledger", "verify"]).catch((error: unknown) =>
    broken.push(String(error)),
  );
  return broken;
}

/** At the end, every payment is credited and the lists of transactions add up. */
export async function checkEnd(run: MoneyRun): Promise<string[]> {
  const broken: string[] = [];
  const isSettled = async (): Promise<boolean> => (await countUnsettled(run.database)) === 0;
  await until(isSettled, { capMs: settledCapMs, everyMs: 500 }).catch(async () =>
    broken.push(`${await countUnsettled(run.database)} closed checkouts are not settled`),
  );
  for (const buyer of run.buyers) broken.push(...(await checkTransactionList(run, buyer)));
  return [...broken, ...(await lostBonuses(run.database)), ...(await checkAccounts(run))];
}

async function checkTransactionList(
  { palisade }: MoneyRun,
  { email, token }: Buyer,
): Promise<string[]> {
  const call = clientOf(palisade.consoleUrl, token);
  let listed = 0;
  for (let page = 1, last = 1; page <= last; page += 1) {
    const query = { page, per_page: 100, status: "completed" as const };
    const { data } = await call(routes.billing.listTransactions, { query });
    last = data.last_page;
    listed += data.data.reduce((cents, { amount_cents }) => cents + amount_cents, 0);
  }
  const balance = await balanceOf({ url: palisade.consoleUrl, call });
  return listed === balance
    ? []
    : [`transactions of ${email} add up to ${listed}, the balance is ${balance}`];
}
