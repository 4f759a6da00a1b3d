import { setTimeout as delay } from "node:timers/promises";
import { seededRandom } from "@palisade/testing/seeded-random";
import { GameBot } from "./bot.ts";
import { runCrowd, type CrowdOptions } from "./crowd.ts";
import { type LineOptions, SlowLine } from "./line.ts";
import { play, visitorOf, type Words } from "./player.ts";
import type { Target, Visit, Visitor, VisitOptions } from "./visit.ts";

/**
 * Honest games with bad lines and slow computers: `node honest-program.ts '{"joins":2000,...}'`. It
 * tells a line of JSON for each that fails, and one at the end.
 */
interface Order extends CrowdOptions, Words {
  readonly target: Target;
  readonly protocols: readonly number[];
  readonly joins: number;
  readonly seed: number;
}

interface Failure {
  readonly protocol: number;
  readonly isSlow: boolean;
  readonly first: Pick<Visit, "end" | "tookMs"> & { readonly text: string };
  readonly passedLater: boolean;
}

const tickMs = { usual: 50, slow: 250 } as const;
const slowOneIn = 5;
const line: Omit<LineOptions, "random"> = {
  jitterMs: { least: 10, most: 800 },
  lostOneIn: 50,
  // A segment that is lost once, or twice in a row; a login has three seconds to arrive.
  pauseMs: { least: 300, most: 2_000 },
};
const capMs = 120_000;
/** A player who was refused tries again. */
const secondTryMs = 2_000;

// The soak writes it, and it is the only one that starts this program.
const order = JSON.parse(process.argv[2] ?? "{}") as Order;
const random = seededRandom(order.seed);
const took: number[] = [];
const failures: Failure[] = [];

const jobs = Array.from({ length: order.joins }, (_, n) => () => join(n));
await runCrowd(jobs, order);
took.sort((a, b) => a - b);
const at = (part: number): number => took[Math.floor(part * (took.length - 1))] ?? 0;
tell({
  joins: order.joins,
  failedFirst: failures.length,
  failedTwice: failures.filter(({ passedLater }) => !passedLater).length,
  medianMs: at(0.5),
  p99Ms: at(0.99),
});

async function join(n: number): Promise<void> {
  const protocol = order.protocols[n % order.protocols.length] ?? 0;
  const isSlow = Math.floor(n / order.protocols.length) % slowOneIn === 0;
  const visitor = visitorOf(n, protocol, order.target);
  let game: GameBot | undefined;
  const { first, isInside } = await playOnce(visitor, isSlow, (created) => (game ??= created));
  if (isInside) return void took.push(first.tookMs);
  const told = { end: first.end, tookMs: first.tookMs, text: readable(first.text) };
  await delay(secondTryMs);
  const again = await playOnce(visitor, isSlow, () => undefined);
  const failure = { protocol, isSlow, first: told, passedLater: again.isInside };
  failures.push(failure);
  const state = { state: game?.client.state, inWorld: game?.client.isInWorld };
  const heard = game?.client.heard.slice(-6).map(({ id }) => id);
  tell({ failure, state, heard, second: readable(again.first.text) });
}

function playOnce(visitor: Visitor, isSlow: boolean, created: (bot: GameBot) => void) {
  const create = (): GameBot => {
    const bot = new GameBot({ protocol: visitor.protocol, reads: true });
    created(bot);
    return bot;
  };
  // A line for each visit: the ends of one must not hold up the next.
  const options: VisitOptions = {
    tickMs: isSlow ? tickMs.slow : tickMs.usual,
    answersInTicks: isSlow,
    capMs,
    line: () => new SlowLine({ ...line, random }),
  };
  return play(visitor, create, options, order);
}

function readable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]+/g, " ").slice(-160);
}

function tell(values: object): void {
  process.stdout.write(`${JSON.stringify(values)}\n`);
}
