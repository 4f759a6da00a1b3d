import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { latenciesOf, type Latencies } from "../flood/latencies.ts";
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
  /** How connections ended in all rounds. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** Descriptors of connections that the noisy times took beyond the quiet ones before them, at most. */
  readonly descriptors: number;
}

export interface Compared {
  /** All rounds together. */
  readonly quiet: Latencies;
  readonly noisy: Latencies;
  /** The noisy p99 by the quiet one, of each round. */
  readonly ratios: readonly number[];
}

/** The edge's own figures at one moment. */
interface Figures {
  readonly outcomes: ReadonlyMap<string, number>;
  readonly openFiles: number;
}

/** Time in which connections of the noise end, or it becomes as loud as it can. */
const settleMs = 4_000;

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
    const metrics = new URL("/metrics", edge.facts["metrics"] ?? "");
    const figures = async (): Promise<Figures> => figuresOf(await (await fetch(metrics)).text());
    return await measureRounds(plan, { quiet, noise, place, figures, say });
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
  readonly figures: () => Promise<Figures>;
  readonly say: (line: string) => void;
}

async function measureRounds(
  { rounds, seconds }: NeighbourPlan,
  { quiet, noise, place, figures, say }: Running,
): Promise<NeighbourResult> {
  const pairs: { quiet: QuietMeasurement; noisy: QuietMeasurement }[] = [];
  const results: NoiseResult[] = [];
  let descriptors = 0;
  const measured = async (): Promise<QuietMeasurement> => {
    await delay(settleMs);
    await measure(quiet);
    await delay(1_000 * seconds);
    return measure(quiet);
  };
  let began = await figures();
  // The first round is the warm-up.
  for (let round = 0; round <= rounds; round++) {
    if (round === 1) began = await figures();
    const before = await measured();
    const { openFiles } = await figures();
    order(noise, { do: "begin", ...place });
    const noisy = await measured();
    const loud = await figures();
    order(noise, { do: "rest" });
    const result = await messageOf<NoiseResult>(noise, "rested");
    if (round === 0) continue;
    descriptors = Math.max(descriptors, loud.openFiles - openFiles);
    results.push(result);
    pairs.push({ quiet: before, noisy });
    say(`round ${round}: ${roundText("quiet", before)}; ${roundText("noisy", noisy)}`);
  }
  const compare = (what: "joins" | "packets"): Compared => ({
    quiet: latenciesOf(pairs.flatMap((pair) => pair.quiet[what])),
    noisy: latenciesOf(pairs.flatMap((pair) => pair.noisy[what])),
    ratios: pairs.map(
      (pair) => latenciesOf(pair.noisy[what]).p99Ms / latenciesOf(pair.quiet[what]).p99Ms,
    ),
  });
  const { failed = 0, lost = 0 } = pairs.at(-1)?.noisy ?? {};
  return {
    joins: compare("joins"),
    packets: compare("packets"),
    failed,
    lost,
    noise: results,
    outcomes: since(began, await figures()),
    descriptors,
  };
}

function roundText(name: string, { joins, packets }: QuietMeasurement): string {
  const p99Of = (samples: readonly number[]): string => latenciesOf(samples).p99Ms.toFixed(1);
  return `${name}: joins p99 ${p99Of(joins)} ms, packets p99 ${p99Of(packets)} ms`;
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

function figuresOf(metrics: string): Figures {
  const lines = metrics.matchAll(
    /^palisade_edge_connection_outcomes_total\{outcome="(\w+)"\} (\d+)$/gm,
  );
  const openFiles = /^palisade_edge_open_files (\d+)$/m.exec(metrics)?.[1];
  if (openFiles === undefined) throw new Error("the edge does not tell its open files");
  return {
    outcomes: new Map([...lines].map(([, outcome = "", count]) => [outcome, Number(count)])),
    openFiles: Number(openFiles),
  };
}

function since(before: Figures, now: Figures): Map<string, number> {
  return new Map(
    [...now.outcomes].map(([name, count]) => [name, count - (before.outcomes.get(name) ?? 0)]),
  );
}
