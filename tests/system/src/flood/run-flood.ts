import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createTestNetwork, type TestNetwork } from "@palisade/testing/network-namespaces";
import { cpuUsOfTree, rssBytesOfTree } from "@palisade/testing/process-stats";
import { until } from "@palisade/testing/until";
import { startFloodEdge, type FloodEdge } from "./flood-edge.ts";
import type { FloodPlan } from "./plan.ts";
import { type Phase, warmUpJoins, type ClientsOrder, type ClientsResult } from "./clients-messages.ts";

/** The edge in one second. */
interface EdgeSecond {
  readonly phase: Phase;
  /** Share of one core. */
  readonly cpu: number;
  readonly rssBytes: number;
}

export interface FloodResult extends Omit<ClientsResult, "kind"> {
  readonly seconds: readonly EdgeSecond[];
  /** How connections ended, as the edge's metrics tell. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** Packets that the kernel has dropped for the edge. */
  readonly drops: { readonly banned: number; readonly synLimited: number };
}

/** @throws where the edge ends, or nobody can join before the flood */
export async function runFlood(plan: FloodPlan, say: (line: string) => void): Promise<FloodResult> {
  const network = createTestNetwork();
  let edge: FloodEdge | undefined;
  let sampling: NodeJS.Timeout | undefined;
  try {
    const file = fileURLToPath(new URL("./clients-program.ts", import.meta.url));
    const world = network.clients.spawn(process.execPath, [file, plan.version], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    await said(world, "ready");
    edge = await startFloodEdge(network.edge, plan);
    const { pid } = edge;
    const seconds: EdgeSecond[] = [];
    let phase: Phase | undefined;
    let before = cpuUsOfTree(pid);
    world.on("message", (message: Phase | ClientsResult) => {
      if (message.kind === "result") return;
      phase = message;
      say("flood" in message ? `${message.kind} ${message.flood + 1}` : message.kind);
    });
    sampling = setInterval(() => {
      const now = cpuUsOfTree(pid);
      const cpu = (now - before) / 1e6;
      before = now;
      if (phase !== undefined) seconds.push({ phase, cpu, rssBytes: rssBytesOfTree(pid) });
    }, 1_000);
    const { ip4, ip6 } = network.edge;
    const order: ClientsOrder = { plan, ip4, ip6, port: edge.port };
    world.send(order);
    const { kind: _, ...result } = (await said(world, "result")) as ClientsResult;
    clearInterval(sampling);
    if (edge.child.exitCode !== null) throw new Error("the edge has ended");
    // Threads tell what they have counted once a second.
    const admitted = plan.players + result.joins.joined + warmUpJoins;
    let metrics = "";
    await until(
      () => {
        metrics = readMetrics(network, edge?.metrics ?? "");
        return (outcomesOf(metrics).get("forwarded") ?? 0) >= admitted;
      },
      { what: "the edge to have counted everybody who was let in" },
    );
    return { ...result, seconds, outcomes: outcomesOf(metrics), drops: dropsOf(metrics) };
  } finally {
    clearInterval(sampling);
    await edge?.stop();
    network.remove();
  }
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

/** They are on the edge's own loopback. */
function readMetrics(network: TestNetwork, metrics: string): string {
  const url = new URL("/metrics", metrics).href;
  const script = `process.stdout.write(await (await fetch(${JSON.stringify(url)})).text())`;
  return network.edge.run(process.execPath, "--input-type=module", "-e", script);
}

function outcomesOf(metrics: string): Map<string, number> {
  const lines = metrics.matchAll(
    /^palisade_edge_connection_outcomes_total\{outcome="(\w+)"\} (\d+)$/gm,
  );
  return new Map([...lines].map(([, outcome = "", count]) => [outcome, Number(count)]));
}

function dropsOf(metrics: string): FloodResult["drops"] {
  const of = (rule: string): number => {
    const series = `palisade_edge_kernel_dropped_total{rule="${rule}"} `;
    const line = metrics.split("\n").find((each) => each.startsWith(series));
    return Number(line?.slice(series.length) ?? 0);
  };
  return { banned: of("ban"), synLimited: of("syn_limit") };
}
