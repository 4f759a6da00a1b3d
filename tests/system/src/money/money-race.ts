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
import { outstandingCents } from "./ledger-checks.ts";
import type { ApiClient } from "./retry-across.ts";
import { buy, type Outcome, type Purchase } from "./purchase.ts";
import {
  checkAbandoned,
  checkAccounts,
  checkRepeatedCheckouts,
  checkEnd,
  checkReplays,
  checkSales,
} from "./answer-checks.ts";
import { creditInSpiteOfKill, startSecondApi } from "./second-api.ts";
import {
  balanceOf,
  openMoneyRun,
  passAnHour,
  prepareCode,
  preparePurchase,
  prepareTopUps,
  priceCents,
  steps,
  type Buyer,
  type MoneyRun,
} from "./buyers.ts";
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
  /** Broken rules, one line each. */
  readonly broken: readonly string[];
}

/**
 * Lets purchases, credits and top-ups of two accounts race over two api processes, one of which
 * dies at some step, and compares what they answered with the ledger.
 *
 * @throws if the product does not start or gives an unexpected answer
 */
export async function runMoney({ seeds, firstSeed, say }: MoneyOptions): Promise<MoneyResult> {
  const home = await createHome();
  const palisade = await startPalisade(home);
  const killsAt = new Map<string, number>();
  const counts = { bought: 0, refused: 0, credits: 0, topUps: 0, kills: 0 };
  const result = { ...counts, killsAt, broken: [] as string[] };
  let run: MoneyRun | undefined;
  try {
    run = await openMoneyRun(home, palisade);
    for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
      const round = await runSeed(run, createRandom(seed));
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
    result.broken.push(...(await checkEnd(run)));
    say((await runCommand(home, ["audit", "verify"])).trim());
    return result;
  } catch (error) {
    say(await logTails(home));
    throw error;
  } finally {
    await run?.second.stop();
    await run?.database.end();
    await palisade.stop();
    await removeHome(home);
  }
}

/** The calls of one account in a seed, and its balance before. */
interface BuyerTurn {
  readonly buyer: Buyer;
  readonly first: ApiClient;
  readonly second: ApiClient;
  readonly purchases: readonly Purchase[];
  readonly topUps: readonly TopUp[];
  readonly before: number;
  readonly outstanding: number;
  /** Credited from the command line during the race. */
  readonly euros: number;
}

interface TurnResult {
  readonly outcomes: readonly Outcome[];
  readonly begun: readonly BegunTopUp[];
}

/** Runs one of a turn's calls in the race. Its index chooses the first api. */
type Racing = <T>(
  turn: BuyerTurn,
  index: number,
  work: (apis: readonly ApiClient[]) => Promise<T>,
) => Promise<T>;

async function runSeed(run: MoneyRun, random: Random) {
  const { palisade } = run;
  await passAnHour(palisade.consoleUrl);
  const promoCode = await prepareCode(run, random);
  const [poor, rich] = run.buyers;
  const abandoned = await Promise.all(
    run.buyers.map((buyer) =>
      checkAbandoned(buyer.abandoned, [apiClientOf(buyer, palisade.consoleUrl)]),
    ),
  );
  const turns = [
    await prepareTurn(run, random, {
      buyer: poor,
      purchases: random.pick([2, 3, 4]),
      topUps: { promoCode, count: random.pick([2, 3]) },
    }),
    await prepareTurn(run, random, {
      buyer: rich,
      purchases: random.pick([1, 2]),
      topUps: { promoCode, count: 1 },
    }),
  ];
  const spreadMs = random.pick([0, 50, 2_000]);
  const isFirstKilled = random.next() < 0.4;

  // A killed process may be down for long, so a call is repeated at the other one.
  const racing: Racing = async ({ first, second }, index, work) => {
    await delay(random.next() * spreadMs);
    return work(index % 2 === 0 ? [first] : [second, first]);
  };
  const [played] = await Promise.all([
    Promise.all(turns.map((turn, index) => playTurn(turn, index, racing))),
    Promise.all(
      turns.map(async ({ buyer: { email }, euros }) => {
        if (euros === 0) return;
        const credit = { email, euros, key: `seed-${run.serial}` };
        await creditInSpiteOfKill(palisade.home, credit, random.next() * 1_500);
      }),
    ),
    isFirstKilled ? killFirst(palisade, random.next() * (spreadMs + 100)) : undefined,
  ]);
  const killedAt = run.second.hasEnded() ? run.step : null;
  await until(async () => (await fetch(`${palisade.consoleUrl}/readyz`)).ok, { capMs: 60_000 });

  const counts = { bought: 0, refused: 0, credits: 0, topUps: 0 };
  for (const [index, turn] of turns.entries()) {
    const { outcomes, begun } = played[index] ?? { outcomes: [], begun: [] };
    const bought = outcomes.filter((outcome) => outcome !== null);
    for (const id of bought) turn.buyer.shieldIds.add(id);
    turn.buyer.givenCents += turn.euros * 100;
    turn.buyer.abandoned = begun.filter(({ ending }) => ending === "abandon");
    counts.bought += bought.length;
    counts.refused += outcomes.length - bought.length;
    counts.credits += turn.euros === 0 ? 0 : 1;
    counts.topUps += begun.length;
  }
  const [ofTurns, books] = await Promise.all([
    Promise.all(turns.map((turn, index) => checkTurn(turn, played[index]))),
    checkAccounts(run),
    killedAt === null ? undefined : replaceSecond(run, random.pick(steps)),
  ]);
  return {
    ...counts,
    kills: Number(isFirstKilled) + Number(killedAt !== null),
    killedAt,
    broken: [...abandoned.flat(), ...ofTurns.flat(), ...books],
  };
}

const apiClientOf = ({ token }: Buyer, url: string): ApiClient => ({
  url,
  call: clientOf(url, token),
});

async function prepareTurn(
  run: MoneyRun,
  random: Random,
  wants: {
    readonly buyer: Buyer;
    readonly purchases: number;
    readonly topUps: Parameters<typeof prepareTopUps>[2];
  },
): Promise<BuyerTurn> {
  const { buyer } = wants;
  const first = apiClientOf(buyer, run.palisade.consoleUrl);
  const purchases: Purchase[] = [];
  for (let count = wants.purchases; count > 0; count -= 1) {
    purchases.push(await preparePurchase(run, first.call));
  }
  // Read before the balance: a credit between the two is then counted twice and not missed.
  const outstanding = await outstandingCents(run.database, buyer.email);
  const before = await balanceOf(first);
  return {
    buyer,
    first,
    second: apiClientOf(buyer, run.second.url),
    purchases,
    topUps: prepareTopUps(run, random, wants.topUps),
    outstanding,
    before,
    // On the whole less than the purchases cost, so that they compete for it.
    euros: before < priceCents ? random.pick([0, 9, 18]) : 0,
  };
}

/** @param firstApi makes the accounts start at different apis */
async function playTurn(turn: BuyerTurn, firstApi: number, racing: Racing): Promise<TurnResult> {
  const [outcomes, begun] = await Promise.all([
    Promise.all(
      turn.purchases.map((each, index) =>
        racing(turn, index + firstApi, (apis) => buy(each, apis)),
      ),
    ),
    Promise.all(
      turn.topUps.map((each, index) =>
        racing(turn, index + firstApi + 1, (apis) => topUp(each, apis)),
      ),
    ),
  ]);
  return { outcomes, begun };
}

/** Checks that the sales match the money, and that every repeated call gets the same answer. */
async function checkTurn(turn: BuyerTurn, played: TurnResult | undefined): Promise<string[]> {
  if (played === undefined) throw new Error("An account has no result");
  const { purchases, first, before, outstanding, euros } = turn;
  const { outcomes, begun } = played;
  const creditCents = turn.topUps.reduce(
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
    ...checkSales({ before, creditCents, wanted: purchases.length, sold }),
    ...checkReplays(outcomes, again),
    ...(await checkRepeatedCheckouts(begun, first)),
  ];
}

async function replaceSecond(run: MoneyRun, step: MoneyRun["step"]): Promise<void> {
  run.second = await startSecondApi(run.palisade.home, step);
  run.step = step;
}

/** The amount with the largest bonus, which doubles it. */
function mostCents({ euros, ending }: TopUp): number {
  return ending === "return" || ending === "leave" ? euros * 200 : 0;
}

/** Kills the first api at any moment, also between COMMIT and answer. The supervisor restarts it. */
async function killFirst(palisade: Palisade, afterMs: number): Promise<void> {
  const pid = await palisade.pidOf("api");
  await delay(afterMs);
  process.kill(pid, "SIGKILL");
}
