import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import type { OutcomeCounts } from "./outcome-counts.ts";

export interface MetricsFacts {
  readonly outcomes: OutcomeCounts;
  /** Attempts of probes by how they ended. */
  readonly probes: ReadonlyMap<string, number>;
  readonly players: () => number;
  readonly pending: () => number;
  readonly shields: () => number;
  readonly openFiles: () => number;
  /** Listeners of groups that are not parsed: open, wanted and not to be had, failed attempts. */
  readonly groupPorts: () => number;
  readonly groupPortsMissing: () => number;
  readonly groupPortFailures: () => number;
  /** Backends that were tried, by state. */
  readonly backends: () => ReadonlyMap<string, number>;
  readonly statusCacheBytes: () => number;
}

/** Metrics of the edge as a whole; those of shields go to the control plane. Read when asked for. */
export function createMetrics(facts: MetricsFacts): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers: Registry[] = [];
  const accepted = new Counter({
    name: "palisade_edge_connections_accepted_total",
    help: "Connections accepted",
    registers,
    collect() {
      this.reset();
      this.inc(facts.outcomes.accepted);
    },
  });
  const outcomes = new Counter({
    name: "palisade_edge_connection_outcomes_total",
    help: "How connections ended, or that they became a player's",
    labelNames: ["outcome"],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of facts.outcomes.entries()) this.inc({ outcome }, count);
    },
  });
  const probes = new Counter({
    name: "palisade_edge_probes_total",
    help: "Looks at backends for the control plane",
    labelNames: ["outcome"],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of facts.probes) this.inc({ outcome }, count);
    },
  });
  const portFailures = new Counter({
    name: "palisade_edge_group_port_failures_total",
    help: "Attempts to listen on a group's port that failed",
    registers,
    collect() {
      this.reset();
      this.inc(facts.groupPortFailures());
    },
  });
  const backends = new Gauge({
    name: "palisade_edge_backends",
    help: "Backends this edge has tried, by what it thinks of them",
    labelNames: ["state"],
    registers,
    collect() {
      this.reset();
      for (const [state, count] of facts.backends()) this.set({ state }, count);
    },
  });
  registry.registerMetric(backends);
  const gauges = [
    gauge("palisade_edge_group_ports", "Ports of groups listened on", facts.groupPorts),
    gauge("palisade_edge_group_ports_missing", "Those not to be had", facts.groupPortsMissing),
    gauge("palisade_edge_players", "Players joined", facts.players),
    gauge("palisade_edge_pending", "Connections without a verdict", facts.pending),
    gauge("palisade_edge_shields", "Shields served", facts.shields),
    gauge("palisade_edge_open_files", "File descriptors of connections", facts.openFiles),
    gauge("palisade_edge_status_cache_bytes", "Status answers in memory", facts.statusCacheBytes),
  ];
  for (const metric of [accepted, outcomes, probes, portFailures, ...gauges])
    registry.registerMetric(metric);
  return registry;
}

function gauge(name: string, help: string, read: () => number): Gauge {
  return new Gauge({
    name,
    help,
    registers: [],
    collect() {
      this.set(read());
    },
  });
}
