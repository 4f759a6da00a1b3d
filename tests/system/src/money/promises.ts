import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { clientOf } from "../product/account.ts";
import { runCommand } from "../product/palisade.ts";
import { brokenBalance, brokenRules, countUnsettled, lostBonuses, paidShields } from "./books.ts";
import type { Place } from "./insist.ts";
import type { Outcome } from "./purchase.ts";
import { balanceOf, priceCents, type Buyer, type Shop } from "./shop.ts";
import { begin, confirm, type BegunTopUp } from "./top-up.ts";

/** What callers were told, held against what became of it: one line for each promise not kept. */

/** The poller comes by the minute, and takes over from a job that died with its api. */
const settledCapMs = 180_000;

/** As many were sold as there was money for: surely with what was there, at most with the credit. */
export function brokenSales(sale: {
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

export function brokenReplays(outcomes: readonly Outcome[], again: readonly Outcome[]): string[] {
  return outcomes.flatMap((outcome, index) =>
    outcome === again[index] ? [] : [`repeated, ${outcome} became ${again[index]}`],
  );
}

/** A repeated order gets the checkout it got before. */
export async function brokenCheckouts(
  begun: readonly BegunTopUp[],
  place: Place,
): Promise<string[]> {
  const again = await Promise.all(begun.map((each) => begin(each, [place])));
  return begun.flatMap(({ intentId, url }, index) =>
    again[index]?.intentId === intentId && again[index].url === url
      ? []
      : [`repeated, checkout ${intentId} became ${again[index]?.intentId}`],
  );
}

export async function brokenAbandoned(
  begun: readonly BegunTopUp[],
  places: readonly Place[],
): Promise<string[]> {
  const statuses = await Promise.all(begun.map((each) => confirm(each, places)));
  return statuses.flatMap((status) =>
    status === "expired" ? [] : [`a checkout nobody came back to is ${status} an hour later`],
  );
}

/** The accounts, their shields and the ledger, against what the callers were told. */
export async function brokenBooks(shop: Shop): Promise<string[]> {
  const { database } = shop;
  const broken = await brokenRules(database);
  for (const { email, givenCents, shieldIds } of shop.buyers) {
    const spentCents = shieldIds.size * priceCents;
    broken.push(...(await brokenBalance(database, { email, givenCents, spentCents })));
    const paid = await paidShields(database, email);
    if (paid.length !== shieldIds.size || paid.some((id) => !shieldIds.has(id))) {
      broken.push(`${email} pays for ${paid.length} shields, ${shieldIds.size} were answered`);
    }
  }
  await runCommand(shop.palisade.home, ["ledger", "verify"]).catch((error: unknown) =>
    broken.push(String(error)),
  );
  return broken;
}

/** Once all is quiet: nothing paid is left uncredited, and the lists of transactions add up. */
export async function brokenEnd(shop: Shop): Promise<string[]> {
  const broken: string[] = [];
  const isSettled = async (): Promise<boolean> => (await countUnsettled(shop.database)) === 0;
  await until(isSettled, { capMs: settledCapMs, everyMs: 500 }).catch(async () =>
    broken.push(`${await countUnsettled(shop.database)} closed checkouts are not settled`),
  );
  for (const buyer of shop.buyers) broken.push(...(await brokenList(shop, buyer)));
  return [...broken, ...(await lostBonuses(shop.database)), ...(await brokenBooks(shop))];
}

async function brokenList({ palisade }: Shop, { email, token }: Buyer): Promise<string[]> {
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
