import { setTimeout as delay } from "node:timers/promises";
import { until } from "@palisade/testing/until";
import { clientOf } from "../product/account.ts";
import {
  createHome,
  logTails,
  removeHome,
  runCommand,
  startPalisade,
  type Palisade,
} from "../product/palisade.ts";
import { createRandom, type Random } from "../restarts/random.ts";
import { outstandingCents } from "./books.ts";
import type { Place } from "./insist.ts";
import { buy, type Purchase } from "./purchase.ts";
import {
  brokenAbandoned,
  brokenBooks,
  brokenCheckouts,
  brokenEnd,
  brokenReplays,
  brokenSales,
} from "./promises.ts";
import { creditInSpiteOfKill, startSecondApi } from "./second-api.ts";
import {
  balanceOf,
  email,
  openShop,
  passAnHour,
  preparePurchase,
  prepareTopUps,
  priceCents,
  steps,
  type Shop,
} from "./shop.ts";
import { topUp, type TopUp } from "./top-up.ts";

export interface MoneyOptions {
  readonly seeds: number;
  readonly firstSeed: number;
  readonly say: (line: string) => void;
}

export interface MoneyResult {
  readonly bought: number;
  readonly refused: number;
  readonly credits: number;
  readonly topUps: number;
  readonly kills: number;
  /** How often the second api died at each step. */
  readonly killsAt: ReadonlyMap<string, number>;
  /** What does not hold; none where all is well. */
  readonly broken: readonly string[];
}

/**
 * Lets purchases, credits and top-ups race over two api processes, one of which dies at
 * some step, and compares what they answered with the ledger.
 *
 * @throws where the product itself does not come up or answers what nobody expects
 */
export async function runMoney({ seeds, firstSeed, say }: MoneyOptions): Promise<MoneyResult> {
  const home = await createHome();
  const palisade = await startPalisade(home);
  const killsAt = new Map<string, number>();
  const counts = { bought: 0, refused: 0, credits: 0, topUps: 0, kills: 0 };
  const result = { ...counts, killsAt, broken: [] as string[] };
  let shop: Shop | undefined;
  try {
    shop = await openShop(home, palisade);
    for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
      const round = await runSeed(shop, createRandom(seed));
      result.bought += round.bought;
      result.refused += round.refused;
      result.credits += round.credits;
      result.topUps += round.topUps;
      result.kills += round.kills;
      if (round.killedAt !== null) {
        killsAt.set(round.killedAt, (killsAt.get(round.killedAt) ?? 0) + 1);
      }
      result.broken.push(...round.broken.map((line) => `seed ${seed}: ${line}`));
      say(
        `seed ${seed}: ${round.bought} bought, ${round.refused} refused, ${round.topUps} top-ups, ${round.kills} killed`,
      );
    }
    result.broken.push(...(await brokenEnd(shop)));
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

async function runSeed(shop: Shop, random: Random) {
  const { palisade } = shop;
  await passAnHour(palisade.consoleUrl);
  const first = { url: palisade.consoleUrl, call: clientOf(palisade.consoleUrl, shop.token) };
  const second = { url: shop.second.url, call: clientOf(shop.second.url, shop.token) };
  const abandoned = await brokenAbandoned(shop.abandoned, [first]);
  const purchases: Purchase[] = [];
  for (let count = random.pick([2, 3, 4]); count > 0; count -= 1) {
    purchases.push(await preparePurchase(shop, first.call));
  }
  // Before the balance: what is credited between the two is then counted twice, not missed.
  const outstanding = await outstandingCents(shop.database);
  const before = await balanceOf(first);
  const topUps = await prepareTopUps(shop, random);
  // Less than is wanted, on the whole, so that purchases compete for it.
  const euros = before < priceCents ? random.pick([0, 9, 18]) : 0;
  const spreadMs = random.pick([0, 50, 2_000]);
  const isFirstKilled = random.next() < 0.4;

  // One process may be gone for long: whoever is repeated is repeated at the other.
  const racing = async <T>(index: number, work: (places: readonly Place[]) => Promise<T>) => {
    await delay(random.next() * spreadMs);
    return work(index % 2 === 0 ? [first] : [second, first]);
  };
  const credit = { email, euros, key: `seed-${shop.serial}` };
  const [outcomes, begun] = await Promise.all([
    Promise.all(purchases.map((each, index) => racing(index, (places) => buy(each, places)))),
    Promise.all(topUps.map((each, index) => racing(index + 1, (places) => topUp(each, places)))),
    euros === 0 ? undefined : creditInSpiteOfKill(palisade.home, credit, random.next() * 1_500),
    isFirstKilled ? killFirst(palisade, random.next() * (spreadMs + 100)) : undefined,
  ]);
  const killedAt = shop.second.hasEnded() ? shop.step : null;
  await until(async () => (await fetch(`${palisade.consoleUrl}/readyz`)).ok, { capMs: 60_000 });

  const bought = outcomes.filter((outcome) => outcome !== null);
  for (const id of bought) shop.shieldIds.add(id);
  shop.givenCents += euros * 100;
  shop.abandoned = begun.filter(({ ending }) => ending === "abandon");
  const creditCents = topUps.reduce(
    (cents, each) => cents + mostCents(each),
    outstanding + euros * 100,
  );
  const sale = { before, creditCents, wanted: purchases.length, sold: bought.length };
  const again = await Promise.all(
    purchases.map(async (purchase, index) =>
      outcomes[index] === null ? null : buy(purchase, [first]),
    ),
  );
  const [checkouts, books] = await Promise.all([
    brokenCheckouts(begun, first),
    brokenBooks(shop),
    killedAt === null ? undefined : replaceSecond(shop, random.pick(steps)),
  ]);
  return {
    bought: bought.length,
    refused: outcomes.length - bought.length,
    credits: euros === 0 ? 0 : 1,
    topUps: begun.length,
    kills: Number(isFirstKilled) + Number(killedAt !== null),
    killedAt,
    broken: [
      ...abandoned,
      ...brokenSales(sale),
      ...brokenReplays(outcomes, again),
      ...checkouts,
      ...books,
    ],
  };
}

async function replaceSecond(shop: Shop, step: Shop["step"]): Promise<void> {
  shop.second = await startSecondApi(shop.palisade.home, step);
  shop.step = step;
}

/** With the whole bonus, which is at most the amount again. */
function mostCents({ euros, ending }: TopUp): number {
  return ending === "return" || ending === "leave" ? euros * 200 : 0;
}

/** At any moment, those between COMMIT and answer included; the supervisor starts it again. */
async function killFirst(palisade: Palisade, afterMs: number): Promise<void> {
  const pid = await palisade.pidOf("api");
  await delay(afterMs);
  process.kill(pid, "SIGKILL");
}
