import { GameBot } from "./bot.ts";
import { runCrowd, type CrowdOptions } from "./crowd.ts";
import { type BotKind, botKinds, isBotKind } from "./kinds.ts";
import { play, visitorOf, type Words } from "./player.ts";
import { RecordedBot, type Recording } from "./recording.ts";
import { directVisit, type Target } from "./visit.ts";

/**
 * Bots of all kinds that try to get onto a server behind an edge:
 * `node bots-program.ts '{"kinds":["silent"],"count":10,...}'`. It tells a line of JSON for each kind.
 */
interface Order extends CrowdOptions, Words {
  readonly target: Target;
  /** The versions that the bots have, as many bots of each. */
  readonly protocols: readonly number[];
  readonly kinds: readonly BotKind[];
  /** Bots of each kind. */
  readonly count: number;
  /** A bot that hears nothing for that long gives up. */
  readonly capMs: number;
  /** Number of the first bot: each has a name and an address of its own. */
  readonly from: number;
}

interface KindResult {
  tried: number;
  inside: number;
  /** The protocols of those that got in. */
  readonly protocols: Record<string, number>;
  readonly ends: Record<string, number>;
}

// The soak writes it, and it is the only one that starts this program.
const order = JSON.parse(process.argv[2] ?? "{}") as Order;
const nowMs = (): number => performance.now();
const options = { ...directVisit, capMs: order.capMs };
let number = order.from;

const needsRecording = order.kinds.some((kind) => kind === "replayer" || kind === "eager");
const recordings = new Map<number, Recording>();
if (needsRecording) for (const protocol of order.protocols) await record(protocol);

const results = new Map(order.kinds.filter(isBotKind).map((kind) => [kind, emptyResult()]));
const jobs: (() => Promise<void>)[] = [];
for (let n = 0; n < order.count; n++) {
  for (const [kind, result] of results) {
    const protocol = order.protocols[n % order.protocols.length] ?? 0;
    const bot = number++;
    jobs.push(() => run(kind, protocol, bot, result));
  }
}
await runCrowd(jobs, order);
for (const [kind, result] of results) {
  process.stdout.write(`${JSON.stringify({ kind, ...result })}\n`);
}

/** One game that does its best, captcha included: replayers say what it has said. */
async function record(protocol: number): Promise<void> {
  let first: RecordedBot | undefined;
  const create = (): RecordedBot => {
    const recorded = new RecordedBot(new GameBot({ protocol, reads: true }), nowMs);
    first ??= recorded;
    return recorded;
  };
  const { isInside } = await play(
    visitorOf(number++, protocol, order.target),
    create,
    options,
    order,
  );
  if (!isInside) throw new Error(`the game of protocol ${protocol} was not let in`);
  recordings.set(protocol, first?.recording ?? []);
}

async function run(
  kind: BotKind,
  protocol: number,
  bot: number,
  result: KindResult,
): Promise<void> {
  const recording = recordings.get(protocol) ?? [];
  const create = () => botKinds[kind]({ protocol, recording, nowMs });
  const visitor = visitorOf(bot, protocol, order.target);
  const { first, isInside } = await play(visitor, create, options, order);
  result.tried++;
  add(result.ends, isInside ? "in" : first.end);
  if (!isInside) return;
  result.inside++;
  add(result.protocols, String(protocol));
}

function emptyResult(): KindResult {
  return { tried: 0, inside: 0, protocols: {}, ends: {} };
}

function add(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
