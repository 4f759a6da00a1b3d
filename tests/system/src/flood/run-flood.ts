import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createTestNetwork, type TestNetwork } from "@palisade/testing/network-namespaces";
import { until } from "@palisade/testing/until";
import { median } from "./figures.ts";
import { startFloodEdge, type FloodEdge } from "./flood-edge.ts";
import type { FloodPlan } from "./plan.ts";
import { familyFacts } from "./process-facts.ts";
import { triers, type WorldOrder, type WorldResult } from "./world-messages.ts";

/** The edge in one second. */
export interface EdgeSecond {
  readonly isFlood: boolean;
  /** Share of one core. */
  readonly cpu: number;
  readonly rssBytes: number;
}

export interface FloodResult extends Omit<WorldResult, "kind"> {
  readonly seconds: readonly EdgeSecond[];
  /** Metrics of the edge at the end, by name with labels. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** As nft tells them; undefined without the kernel's help. */
  readonly kernelDrops: string | undefined;
}

/** @throws where the edge ends, or nobody can join before the flood */
export async function runFlood(plan: FloodPlan, say: (line: string) => void): Promise<FloodResult> {
  const network = createTestNetwork();
  let edge: FloodEdge | undefined;
  try {
    const file = fileURLToPath(new URL("./world.ts", import.meta.url));
    const world = network.world.spawn(process.execPath, [file, plan.version], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    await said(world, "ready");
    edge = await startFloodEdge(network.edge, plan);
    const { pid } = edge;
    const seconds: EdgeSecond[] = [];
    let isFlood = false;
    let before = familyFacts(pid);
    const sampling = setInterval(() => {
      const now = familyFacts(pid);
      const cpu = (now.cpuMs - before.cpuMs) / 1_000;
      before = now;
      seconds.push({ isFlood, cpu, rssBytes: now.rssBytes });
    }, 1_000);
    const order: WorldOrder = { plan, host: network.edge.ip4, port: edge.port };
    world.send(order);
    await said(world, "flood");
    say("the flood begins");
    isFlood = true;
    const { kind: _, ...result } = (await said(world, "result")) as WorldResult;
    clearInterval(sampling);
    if (edge.child.exitCode !== null) throw new Error("the edge has ended");
    // Threads tell what they have counted once a second.
    const admitted = plan.players + result.joins.joined + triers;
    let outcomes = new Map<string, number>();
    await until(
      () => {
        outcomes = readOutcomes(network, edge?.metrics ?? "");
        return (outcomes.get("forwarded") ?? 0) >= admitted;
      },
      { what: "the edge to have counted everybody who was let in" },
    );
    return { ...result, seconds, outcomes, kernelDrops: readKernelDrops(network) };
  } finally {
    await edge?.stop();
    network.remove();
  }
}

/** CPU of the edge in the first and the last fifth of the flood, and memory likewise. */
export function edgeFigures(seconds: readonly EdgeSecond[]) {
  const flood = seconds.filter(({ isFlood }) => isFlood);
  const fifth = Math.max(1, Math.floor(flood.length / 5));
  const [first, last] = [flood.slice(0, fifth), flood.slice(-fifth)];
  const quiet = seconds.filter(({ isFlood }) => !isFlood).slice(-fifth);
  const cpuOf = (part: readonly EdgeSecond[]): number => median(part.map(({ cpu }) => cpu));
  const rssOf = (part: readonly EdgeSecond[]): number => median(part.map((s) => s.rssBytes));
  return {
    cpu: { quiet: cpuOf(quiet), first: cpuOf(first), last: cpuOf(last) },
    rssBytes: {
      quiet: rssOf(quiet),
      // What the flood needs at all is there after the first quarter.
      early: rssOf(flood.slice(fifth, 2 * fifth)),
      last: rssOf(last),
    },
  };
}

function said(world: ChildProcess, kind: string): Promise<object> {
  const { promise, resolve, reject } = Promise.withResolvers<object>();
  const hear = (message: object): void => {
    if ("kind" in message && message.kind === kind) resolve(message);
  };
  world.on("message", hear);
  world.once("exit", (code) => reject(new Error(`the world has ended with ${code}`)));
  return promise.finally(() => world.off("message", hear));
}

/** The edge's metrics are on its own loopback. */
function readOutcomes(network: TestNetwork, metrics: string): Map<string, number> {
  const url = new URL("/metrics", metrics).href;
  const script = `process.stdout.write(await (await fetch(${JSON.stringify(url)})).text())`;
  const text = network.edge.run(process.execPath, "--input-type=module", "-e", script);
  const lines = text.matchAll(
    /^palisade_edge_connection_outcomes_total\{outcome="(\w+)"\} (\d+)$/gm,
  );
  return new Map([...lines].map(([, outcome = "", count]) => [outcome, Number(count)]));
}

function readKernelDrops(network: TestNetwork): string | undefined {
  const text = network.edge.run("nft", "list", "counters");
  const lines = text.matchAll(/counter (\w+) \{\s+packets (\d+)/g);
  const drops = [...lines].map(([, name, packets]) => `${name} ${packets}`);
  return drops.length === 0 ? undefined : drops.join(", ");
}
