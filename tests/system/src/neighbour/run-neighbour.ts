import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { median } from "../flood/latencies.ts";
import { createHome, parseHostPort, removeHome, startPart } from "../product/palisade.ts";
import { writeLastGood } from "../verification/edge-program.ts";
import type { NoiseOrder, NoiseResult } from "./noise-program.ts";
import { neighbourShields, type NeighbourPlan, type NoisePorts } from "./plan.ts";
import type { QuietMeasurement, QuietOrder } from "./quiet-program.ts";

export interface NeighbourResult {
  readonly joins: Compared;
  readonly packets: Compared;
  readonly failed: number;
  readonly lost: number;
  readonly noise: readonly NoiseResult[];
  readonly outcomes: ReadonlyMap<string, number>;
}

/** Medians over the rounds, in milliseconds. */
export interface Compared {
  readonly quiet: Percentiles;
  readonly noisy: Percentiles;
  /** The noisy p99 by the quiet one, of each round. */
  readonly ratios: readonly number[];
}

interface Percentiles {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Time in which connections of the noise end, or begin to be refused. */
const settleMs = 1_500;

/** Joins and packets of one shield, while another asks for nothing or for a hundred times its share. */
export async function runNeighbour(
  plan: NeighbourPlan,
  say: (line: string) => void,
): Promise<NeighbourResult> {
  const home = await createHome();
  const [quiet, noise] = [start("quiet-program.ts"), start("noise-program.ts")];
  let stopEdge: (() => Promise<unknown>) | undefined;
  try {
    const [{ port }, { ports }] = await Promise.all([
      messageOf<{ port: number }>(quiet, "listening"),
      messageOf<{ ports: NoisePorts }>(noise, "listening"),
    ]);
    await writeLastGood(path.join(home, "edge/config"), neighbourShields(port, ports));
    const edge = await startPart("edge", home, {
      PALISADE_API_URL: "http://127.0.0.1:9",
      PALISADE_EDGE_WORKERS: "2",
      PALISADE_KERNEL: "off",
    });
    stopEdge = () => edge.stop();
    const place = parseHostPort(edge.facts["java"] ?? "");
    order(quiet, { do: "play", ...place, ...plan });
    await messageOf(quiet, "playing");
    const rounds = await measureRounds(plan, { quiet, noise, place, say });
    const metrics = await fetch(new URL("/metrics", edge.facts["metrics"] ?? ""));
    return { ...rounds, outcomes: outcomesOf(await metrics.text()) };
  } finally {
    for (const child of [quiet, noise]) child.kill("SIGKILL");
    await stopEdge?.();
    await removeHome(home);
  }
}

interface Running {
  readonly quiet: ChildProcess;
  readonly noise: ChildProcess;
  readonly place: { readonly host: string; readonly port: number };
  readonly say: (line: string) => void;
}

async function measureRounds({ rounds, seconds }: NeighbourPlan, running: Running) {
  const { quiet, noise, place, say } = running;
  const pairs: { quiet: QuietMeasurement; noisy: QuietMeasurement }[] = [];
  const results: NoiseResult[] = [];
  const measured = async (): Promise<QuietMeasurement> => {
    await delay(settleMs);
    await measure(quiet);
    await delay(1_000 * seconds);
    return measure(quiet);
  };
  // The first round is the warm-up.
  for (let round = 0; round <= rounds; round++) {
    const before = await measured();
    order(noise, { do: "begin", ...place });
    const noisy = await measured();
    order(noise, { do: "rest" });
    const result = await messageOf<NoiseResult>(noise, "rested");
    if (round === 0) continue;
    results.push(result);
    pairs.push({ quiet: before, noisy });
    say(`round ${round}: ${roundText("quiet", before)}; ${roundText("noisy", noisy)}`);
  }
  const compare = (what: "joins" | "packets"): Compared => ({
    quiet: percentiles(pairs.map((pair) => pair.quiet[what])),
    noisy: percentiles(pairs.map((pair) => pair.noisy[what])),
    ratios: pairs.map((pair) => pair.noisy[what].p99Ms / pair.quiet[what].p99Ms),
  });
  const { failed = 0, lost = 0 } = pairs.at(-1)?.noisy ?? {};
  return { joins: compare("joins"), packets: compare("packets"), failed, lost, noise: results };
}

function percentiles(rounds: readonly Percentiles[]): Percentiles {
  return {
    p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
  };
}

function roundText(name: string, { joins, packets }: QuietMeasurement): string {
  return `${name}: joins p99 ${joins.p99Ms.toFixed(1)} ms, packets p99 ${packets.p99Ms.toFixed(1)} ms`;
}

function start(program: string): ChildProcess {
  return fork(fileURLToPath(new URL(program, import.meta.url)), [], { execArgv: [] });
}

function order(child: ChildProcess, message: QuietOrder | NoiseOrder): void {
  child.send(message);
}

function measure(quiet: ChildProcess): Promise<QuietMeasurement> {
  order(quiet, { do: "measure" });
  return messageOf<QuietMeasurement>(quiet, "measured");
}

function messageOf<T extends object>(child: ChildProcess, kind: string): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const ended = (code: number | null): void => reject(new Error(`a program ended with ${code}`));
  const hear = (message: object): void => {
    // Sent by the programs of this folder.
    if ("kind" in message && message.kind === kind) resolve(message as T);
  };
  child.on("message", hear);
  child.once("exit", ended);
  return promise.finally(() => child.off("message", hear).off("exit", ended));
}

function outcomesOf(metrics: string): Map<string, number> {
  const lines = metrics.matchAll(
    /^palisade_edge_connection_outcomes_total\{outcome="(\w+)"\} (\d+)$/gm,
  );
  return new Map([...lines].map(([, outcome = "", count]) => [outcome, Number(count)]));
}
