import { decodeOnce, decoderTargets } from "./decoder-targets.ts";
import { createFuzzEdge, type FuzzEdge } from "./fuzz-edge.ts";
import { Random } from "./random.ts";
import { runConnections } from "./connection-batch.ts";
import { add, bytesInUse } from "./fuzz-counts.ts";
import { limboTargets } from "./limbo-run.ts";
import { runVerification } from "./verification-run.ts";

const decodingsPerBatch = 768;
const connectionsPerBatch = 64;
const connectionRounds = 3;
const verificationsPerBatch = 64;
const limboPerBatch = 16;
export const batchInputs =
  decodingsPerBatch +
  connectionRounds * connectionsPerBatch +
  verificationsPerBatch +
  limboPerBatch;

/**
 * State of the edge from earlier inputs is part of what a connection meets. So each edge has an
 * end, and a fault is found again from the seed the edge began with, except for ids and nonces that
 * the edge draws itself.
 */
const batchesPerEdge = 1_000;
/** After this many of them everything that is made once has been made. */
const warmUpBatches = 200;
const reportEveryMs = 5_000;

export interface FuzzOptions {
  readonly inputs: number;
  readonly seed: number;
  readonly say: (line: string) => void;
  /** Collects garbage, so that what is left is in use. */
  readonly collect: () => void;
}

export interface FuzzResult {
  inputs: number;
  seconds: number;
  /** Results of the decoders, by kind. */
  readonly decoded: Map<string, number>;
  /** Checks of connections, after each of their steps. */
  readonly phases: Map<string, number>;
  readonly verifications: Map<string, number>;
  /** Results of the targets of the limbo. */
  readonly limbo: Map<string, number>;
  /** Each session has one. */
  readonly outcomes: Map<string, number>;
  players: number;
  /** Bytes in use with each edge, after its warm-up and at its end. */
  readonly heaps: { warm: number; end: number }[];
}

/** Throws everything it has at decoders and sessions. @throws with the seed to begin with */
export async function runFuzz(options: FuzzOptions): Promise<FuzzResult> {
  const counts = noCounts();
  const progress = new Progress(options, counts);
  for (let seed = options.seed; counts.inputs < options.inputs; seed += batchesPerEdge) {
    await runEdge(seed, options, counts, progress);
  }
  return counts;
}

async function runEdge(
  first: number,
  { inputs, collect }: FuzzOptions,
  counts: FuzzResult,
  progress: Progress,
): Promise<void> {
  const edge = createFuzzEdge(new Random(first));
  const heap = { warm: 0, end: 0 };
  for (let age = 0; age < batchesPerEdge && counts.inputs < inputs; age++) {
    if (age === warmUpBatches) heap.warm = await bytesInUse(collect);
    await runBatch(edge, first + age, counts).catch((error: unknown) => {
      const again = `--seed ${first} --inputs ${(age + 1) * batchInputs}`;
      throw new Error(`${again}: ${String(error)}`, { cause: error });
    });
    await progress.made(first);
  }
  heap.end = await bytesInUse(collect);
  if (heap.warm > 0) counts.heaps.push(heap);
  for (const [outcome, count] of edge.deps.outcomes.entries()) add(counts.outcomes, outcome, count);
  counts.players += edge.backends.joined;
}

/** Says now and then how far it is, with the seed to begin with where it goes no further. */
class Progress {
  readonly #options: FuzzOptions;
  readonly #counts: FuzzResult;
  readonly #startedMs = performance.now();
  #saidMs = performance.now();

  constructor(options: FuzzOptions, counts: FuzzResult) {
    this.#options = options;
    this.#counts = counts;
  }

  async made(seed: number): Promise<void> {
    const nowMs = performance.now();
    this.#counts.seconds = (nowMs - this.#startedMs) / 1_000;
    if (nowMs - this.#saidMs < reportEveryMs) return;
    this.#saidMs = nowMs;
    const { say, collect } = this.#options;
    say(progressOf(this.#counts, await bytesInUse(collect), seed));
  }
}

async function runBatch(edge: FuzzEdge, seed: number, counts: FuzzResult): Promise<void> {
  const random = new Random(seed);
  for (let n = 0; n < decodingsPerBatch; n++) {
    const target = random.pick(decoderTargets);
    add(counts.decoded, `${target.name}: ${decodeOnce(target, random)}`);
  }
  edge.reseed(random);
  for (let round = 0; round < connectionRounds; round++) {
    await runConnections(edge, random, connectionsPerBatch, counts);
  }
  for (let n = 0; n < verificationsPerBatch; n++) {
    add(counts.verifications, await runVerification(random));
  }
  for (let n = 0; n < limboPerBatch; n++) {
    const target = random.pick(limboTargets);
    add(counts.limbo, `${target.name}: ${target.run(random)}`);
  }
  edge.forget();
  counts.inputs += batchInputs;
}

function noCounts(): FuzzResult {
  return {
    inputs: 0,
    seconds: 0,
    decoded: new Map(),
    phases: new Map(),
    verifications: new Map(),
    limbo: new Map(),
    outcomes: new Map(),
    players: 0,
    heaps: [],
  };
}

function progressOf({ inputs, seconds }: FuzzResult, bytes: number, seed: number): string {
  const millions = (inputs / 1_000_000).toFixed(2);
  const perSecond = Math.round(inputs / seconds);
  const mib = (bytes / 1_048_576).toFixed(1);
  return `${millions} million inputs, ${perSecond} a second, ${mib} MiB in use, edge of seed ${seed}`;
}
