import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createTestNetwork, type TestNetwork } from "@palisade/testing/network-namespaces";
import { cpuUsOfTree, rssBytesOfTree } from "@palisade/testing/process-stats";
import { until } from "@palisade/testing/until";
import { startFloodEdge, type FloodEdge } from "./flood-edge.ts";
import type { FloodPlan } from "./plan.ts";
import {
  type Phase,
  warmUpJoins,
  type ClientsOrder,
  type ClientsResult,
} from "./clients-messages.ts";

/** The edge in one second. */
interface EdgeSecond {
  readonly phase: Phase;
  /** Share of one core. */
  readonly cpu: number;
  readonly rssBytes: number;
}

export interface FloodResult extends Omit<ClientsResult, "kind"> {
  readonly seconds: readonly EdgeSecond[];
  /** Outcomes of connections by the edge's metrics. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** Packets that the kernel dropped for the edge. */
  readonly drops: { readonly banned: number; readonly synLimited: number };
}

/** @throws when the edge ends, or no client can join before the flood */
export async function runFlood(plan: FloodPlan, say: (line: string) => void): Promise<FloodResult> {
  const network = createTestNetwork();
  let edge: FloodEdge | undefined;
  let sampling: NodeJS.Timeout | undefined;
  try {
    const file = fileURLToPath(new URL("./clients-program.ts", import.meta.url));
    const clients = network.clients.spawn(process.execPath, [file, plan.version], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    await messageOf(clients, "ready");
    edge = await startFloodEdge(network.edge, plan);
    const { pid } = edge;
    const seconds: EdgeSecond[] = [];
    let phase: Phase | undefined;
    let before = cpuUsOfTree(pid);
    clients.on("message", (message: Phase | ClientsResult) => {
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
    clients.send(order);
    const { kind: _, ...result } = (await messageOf(clients, "result")) as ClientsResult;
    clearInterval(sampling);
    if (edge.child.exitCode !== null) throw new Error("the edge has ended");
    // Threads report their counters once a second.
    const admitted = plan.players + result.joins.joined + warmUpJoins;
    let metrics = "";
    await until(
      () => {
        metrics = readMetrics(network, edge?.metrics ?? "");
        return (outcomesOf(metrics).get("forwarded") ?? 0) >= admitted;
      },
      { what: "the edge's counters to include all admitted players" },
    );
    return { ...result, seconds, outcomes: outcomesOf(metrics), drops: dropsOf(metrics) };
  } finally {
    clearInterval(sampling);
    await edge?.stop();
    network.remove();
  }
}

function messageOf(clients: ChildProcess, kind: string): Promise<object> {
  const { promise, resolve, reject } = Promise.withResolvers<object>();
  const hear = (message: object): void => {
    if ("kind" in message && message.kind === kind) resolve(message);
  };
  clients.on("message", hear);
  clients.once("exit", (code) => reject(new Error(`the clients' process ended with ${code}`)));
  return promise.finally(() => clients.off("message", hear));
}

/** The metrics are on the loopback of the edge's namespace. */
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
