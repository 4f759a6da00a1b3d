import { decodeOnce, decoderTargets } from "./decoder-targets.ts";
import { createFuzzEdge, type FuzzEdge } from "./fuzz-edge.ts";
import { Random } from "./random.ts";
import { runSessions } from "./session-batch.ts";
import { runVerification } from "./verification-run.ts";

const decodingsPerBatch = 768;
const talksPerBatch = 64;
const talkRounds = 3;
const verificationsPerBatch = 64;
/** Inputs of one batch; each begins with a seed of its own, so that it can be run alone. */
export const batchInputs = decodingsPerBatch + talkRounds * talksPerBatch + verificationsPerBatch;

/** After this many everything that is made once has been made. */
const warmUpBatches = 200;
const reportEveryMs = 5_000;

export interface FuzzOptions {
  readonly inputs: number;
  readonly seed: number;
  readonly say: (line: string) => void;
  /** Collects garbage, so that what is left is in use. */
  readonly collect: () => void;
}

export interface FuzzFigures {
  inputs: number;
  seconds: number;
  /** What decoders took their inputs for. */
  readonly decoded: Map<string, number>;
  /** Of sessions, after each step of theirs. */
  readonly phases: Map<string, number>;
  readonly verifications: Map<string, number>;
  /** Each session has one. */
  outcomes: ReadonlyMap<string, number>;
  players: number;
  /** Bytes in use, from the end of the warm-up on. */
  readonly heaps: number[];
}

/** Throws everything it has at decoders and sessions. @throws with the seed of the batch */
export async function runFuzz({ inputs, seed, say, collect }: FuzzOptions): Promise<FuzzFigures> {
  const figures = noFigures();
  const edge = createFuzzEdge();
  const startedMs = performance.now();
  let reportedMs = startedMs;
  for (let batch = 0; figures.inputs < inputs; batch++) {
    await runBatch(edge, seed + batch, figures).catch((error: unknown) => {
      throw new Error(`seed ${seed + batch}: ${String(error)}`, { cause: error });
    });
    const nowMs = performance.now();
    figures.seconds = (nowMs - startedMs) / 1_000;
    if (batch !== warmUpBatches && nowMs - reportedMs < reportEveryMs) continue;
    reportedMs = nowMs;
    const bytes = bytesInUse(collect);
    if (batch >= warmUpBatches) figures.heaps.push(bytes);
    say(progressOf(figures, bytes));
  }
  figures.heaps.push(bytesInUse(collect));
  figures.outcomes = new Map(edge.deps.outcomes.entries());
  figures.players = edge.backends.joined;
  return figures;
}

async function runBatch(edge: FuzzEdge, seed: number, figures: FuzzFigures): Promise<void> {
  const random = new Random(seed);
  for (let n = 0; n < decodingsPerBatch; n++) {
    const target = random.pick(decoderTargets);
    add(figures.decoded, `${target.name}: ${decodeOnce(target, random)}`);
  }
  edge.reseed(random);
  for (let round = 0; round < talkRounds; round++) {
    await runSessions(edge, random, talksPerBatch, figures);
  }
  for (let n = 0; n < verificationsPerBatch; n++) {
    add(figures.verifications, await runVerification(random));
  }
  edge.forget();
  figures.inputs += batchInputs;
}

function noFigures(): FuzzFigures {
  return {
    inputs: 0,
    seconds: 0,
    decoded: new Map(),
    phases: new Map(),
    verifications: new Map(),
    outcomes: new Map(),
    players: 0,
    heaps: [],
  };
}

function bytesInUse(collect: () => void): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function progressOf({ inputs, seconds }: FuzzFigures, bytes: number): string {
  const millions = (inputs / 1_000_000).toFixed(2);
  const perSecond = Math.round(inputs / seconds);
  return `${millions} million inputs, ${perSecond} a second, ${(bytes / 1_048_576).toFixed(1)} MiB in use`;
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
