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
import { buy, type Outcome, type Purchase } from "./purchase.ts";
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
  openShop,
  passAnHour,
  prepareCode,
  preparePurchase,
  prepareTopUps,
  priceCents,
  steps,
  type Buyer,
  type Shop,
} from "./shop.ts";
import { topUp, type BegunTopUp, type TopUp } from "./top-up.ts";

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
 * Lets purchases, credits and top-ups of two accounts race over two api processes, one of which
 * dies at some step, and compares what they answered with the ledger.
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

/** What one of the accounts does in a seed, and what it had before. */
interface Side {
  readonly buyer: Buyer;
  readonly first: Place;
  readonly second: Place;
  readonly purchases: readonly Purchase[];
  readonly topUps: readonly TopUp[];
  readonly before: number;
  readonly outstanding: number;
  /** Credited by command meanwhile. */
  readonly euros: number;
}

interface Played {
  readonly outcomes: readonly Outcome[];
  readonly begun: readonly BegunTopUp[];
}

/** Runs one of a side's calls in the race, beginning with the api its index says. */
type Racing = <T>(
  side: Side,
  index: number,
  work: (places: readonly Place[]) => Promise<T>,
) => Promise<T>;

async function runSeed(shop: Shop, random: Random) {
  const { palisade } = shop;
  await passAnHour(palisade.consoleUrl);
  const promoCode = await prepareCode(shop, random);
  const [poor, rich] = shop.buyers;
  const abandoned = await Promise.all(
    shop.buyers.map((buyer) =>
      brokenAbandoned(buyer.abandoned, [placeOf(buyer, palisade.consoleUrl)]),
    ),
  );
  const sides = [
    await prepareSide(shop, random, {
      buyer: poor,
      purchases: random.pick([2, 3, 4]),
      topUps: { promoCode, count: random.pick([2, 3]) },
    }),
    await prepareSide(shop, random, {
      buyer: rich,
      purchases: random.pick([1, 2]),
      topUps: { promoCode, count: 1 },
    }),
  ];
  const spreadMs = random.pick([0, 50, 2_000]);
  const isFirstKilled = random.next() < 0.4;

  // One process may be gone for long: whoever is repeated is repeated at the other.
  const racing: Racing = async ({ first, second }, index, work) => {
    await delay(random.next() * spreadMs);
    return work(index % 2 === 0 ? [first] : [second, first]);
  };
  const [played] = await Promise.all([
    Promise.all(sides.map((side, index) => play(side, index, racing))),
    Promise.all(
      sides.map(async ({ buyer: { email }, euros }) => {
        if (euros === 0) return;
        const credit = { email, euros, key: `seed-${shop.serial}` };
        await creditInSpiteOfKill(palisade.home, credit, random.next() * 1_500);
      }),
    ),
    isFirstKilled ? killFirst(palisade, random.next() * (spreadMs + 100)) : undefined,
  ]);
  const killedAt = shop.second.hasEnded() ? shop.step : null;
  await until(async () => (await fetch(`${palisade.consoleUrl}/readyz`)).ok, { capMs: 60_000 });

  const counts = { bought: 0, refused: 0, credits: 0, topUps: 0 };
  for (const [index, side] of sides.entries()) {
    const { outcomes, begun } = played[index] ?? { outcomes: [], begun: [] };
    const bought = outcomes.filter((outcome) => outcome !== null);
    for (const id of bought) side.buyer.shieldIds.add(id);
    side.buyer.givenCents += side.euros * 100;
    side.buyer.abandoned = begun.filter(({ ending }) => ending === "abandon");
    counts.bought += bought.length;
    counts.refused += outcomes.length - bought.length;
    counts.credits += side.euros === 0 ? 0 : 1;
    counts.topUps += begun.length;
  }
  const [ofSides, books] = await Promise.all([
    Promise.all(sides.map((side, index) => brokenSide(side, played[index]))),
    brokenBooks(shop),
    killedAt === null ? undefined : replaceSecond(shop, random.pick(steps)),
  ]);
  return {
    ...counts,
    kills: Number(isFirstKilled) + Number(killedAt !== null),
    killedAt,
    broken: [...abandoned.flat(), ...ofSides.flat(), ...books],
  };
}

const placeOf = ({ token }: Buyer, url: string): Place => ({ url, call: clientOf(url, token) });

async function prepareSide(
  shop: Shop,
  random: Random,
  wants: {
    readonly buyer: Buyer;
    readonly purchases: number;
    readonly topUps: Parameters<typeof prepareTopUps>[2];
  },
): Promise<Side> {
  const { buyer } = wants;
  const first = placeOf(buyer, shop.palisade.consoleUrl);
  const purchases: Purchase[] = [];
  for (let count = wants.purchases; count > 0; count -= 1) {
    purchases.push(await preparePurchase(shop, first.call));
  }
  // Before the balance: what is credited between the two is then counted twice, not missed.
  const outstanding = await outstandingCents(shop.database, buyer.email);
  const before = await balanceOf(first);
  return {
    buyer,
    first,
    second: placeOf(buyer, shop.second.url),
    purchases,
    topUps: prepareTopUps(shop, random, wants.topUps),
    outstanding,
    before,
    // Less than is wanted, on the whole, so that purchases compete for it.
    euros: before < priceCents ? random.pick([0, 9, 18]) : 0,
  };
}

/** @param turn so that the accounts do not all begin at the same api */
async function play(side: Side, turn: number, racing: Racing): Promise<Played> {
  const [outcomes, begun] = await Promise.all([
    Promise.all(
      side.purchases.map((each, index) =>
        racing(side, index + turn, (places) => buy(each, places)),
      ),
    ),
    Promise.all(
      side.topUps.map((each, index) =>
        racing(side, index + turn + 1, (places) => topUp(each, places)),
      ),
    ),
  ]);
  return { outcomes, begun };
}

/** What was sold against the money for it, and whether all that is repeated gets its answer again. */
async function brokenSide(side: Side, played: Played | undefined): Promise<string[]> {
  if (played === undefined) throw new Error("Each account has played");
  const { purchases, first, before, outstanding, euros } = side;
  const { outcomes, begun } = played;
  const creditCents = side.topUps.reduce(
    (cents, each) => cents + mostCents(each),
    outstanding + euros * 100,
  );
  const sold = outcomes.filter((outcome) => outcome !== null).length;
  const again = await Promise.all(
    purchases.map(async (purchase, index) =>
      outcomes[index] === null ? null : buy(purchase, [first]),
    ),
  );
  return [
    ...brokenSales({ before, creditCents, wanted: purchases.length, sold }),
    ...brokenReplays(outcomes, again),
    ...(await brokenCheckouts(begun, first)),
  ];
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
