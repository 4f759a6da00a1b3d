import { readMetrics } from "@palisade/metrics/read-metrics";
import { collectDefaultMetrics, type Counter, Gauge, Registry } from "prom-client";
import type { KernelDrops } from "#src/firewall/nft-table.ts";
import type { DatagramCounts } from "./datagram-counts.ts";
import type { AttackRegistry } from "./attack-registry.ts";
import type { EdgeTotals } from "./counter-registry.ts";
import type { LoginLog, SampledLog } from "./login-log.ts";
import type { OutcomeCounts } from "./outcomes.ts";

export interface MetricsSources {
  readonly outcomes: OutcomeCounts;
  /** Totals of all shields. */
  readonly totals: () => EdgeTotals;
  readonly attacks: Pick<
    AttackRegistry,
    "shields" | "isEdgeUnderAttack" | "started" | "dropped" | "unwatched"
  >;
  readonly logins: Pick<LoginLog, "size" | "leftOut" | "dropped">;
  readonly log: Pick<SampledLog, "leftOut">;
  readonly kernelDrops: () => KernelDrops;
  /** Sources that may not connect now. */
  readonly bans: () => number;
  /** Attempts of probes by how they ended. */
  readonly probes: ReadonlyMap<string, number>;
  readonly players: () => number;
  readonly pending: () => number;
  readonly shields: () => number;
  readonly openFiles: () => number;
  /**
   * Listeners of groups that are not parsed: open ones, those that cannot be opened, failed
   * attempts.
   */
  readonly groupPorts: () => number;
  readonly groupPortsMissing: () => number;
  readonly groupPortFailures: () => number;
  readonly bedrock: BedrockStats;
  /** Backends that were tried, by state. */
  readonly backends: () => ReadonlyMap<string, number>;
  readonly statusCacheBytes: () => number;
  readonly threads: () => ThreadStats;
}

/** UDP ports of Bedrock. */
export interface BedrockStats {
  readonly ports: () => number;
  /** Those that cannot be opened. */
  readonly portsMissing: () => number;
  readonly sessions: () => number;
  readonly datagrams: Pick<DatagramCounts, "entries">;
}

/** Threads that take players and processes that forward their bytes. */
/** Relay processes that this edge has started. */
interface RelayStats {
  /** Players by process. */
  readonly players: readonly number[];
  /** Players whose bytes a worker forwards itself because no process could take them. */
  readonly byWorkers: number;
  /** Processes that have ended; their players were disconnected. */
  readonly lost: number;
  /** Players who were lost on the way to a process. */
  readonly failed: number;
}

export interface ThreadStats {
  readonly workers: number;
  readonly workersLost: number;
  readonly relays: RelayStats;
  /** Players that an earlier edge has let in. */
  readonly kept: number;
  /** Relay processes of another release, whose players it cannot count. */
  readonly notUnderstood: number;
}

/**
 * How often the delay of the main thread's loop is measured. Each time wakes that thread, which goes before the
 * threads that relay datagrams: with the default of 10 ms it took 2 % of a core. A stall of so long is always
 * seen.
 */
const loopDelayEveryMs = 500;

const { nameOf, counter, counters, gauge } = readMetrics("palisade_edge");

/**
 * Metrics of the edge as a whole; those of shields go to the control plane. Read when asked for.
 * Each is described in docs/operations/edge-metrics.md.
 */
export function createMetrics(facts: MetricsSources): Registry {
  const registry = new Registry();
  collectDefaultMetrics({
    register: registry,
    eventLoopMonitoringPrecision: loopDelayEveryMs,
  });
  for (const metric of [
    ...connectionMetrics(facts),
    ...bedrockMetrics(facts),
    ...loginMetrics(facts),
    ...attackMetrics(facts),
    ...backendMetrics(facts),
    ...threadMetrics(facts),
    ...logMetrics(facts),
  ]) {
    registry.registerMetric(metric);
  }
  return registry;
}

function connectionMetrics(facts: MetricsSources): (Counter | Gauge)[] {
  const { outcomes } = facts;
  return [
    counter("connections_accepted_total", "Connections accepted", () => outcomes.accepted),
    counters(
      "connection_outcomes_total",
      "How connections ended, or that they became a player's",
      "outcome",
      () => outcomes.entries(),
    ),
    counters("handshakes_total", "Handshakes read, by what the client wants", "intent", () =>
      outcomes.handshakes(),
    ),
    gauge("players", "Players joined", facts.players),
    gauge("pending", "Connections without a verdict", facts.pending),
    gauge("shields", "Shields served", facts.shields),
    gauge("open_files", "File descriptors of connections", facts.openFiles),
    gauge("group_ports", "Ports of groups listened on", facts.groupPorts),
    gauge("group_ports_missing", "Those not to be had", facts.groupPortsMissing),
    counter(
      "group_port_failures_total",
      "Attempts to listen on a group's port that failed",
      facts.groupPortFailures,
    ),
  ];
}

function bedrockMetrics({ bedrock }: MetricsSources): (Counter | Gauge)[] {
  return [
    gauge("bedrock_ports", "Bedrock ports listened on", bedrock.ports),
    gauge("bedrock_ports_missing", "Those not to be had", bedrock.portsMissing),
    gauge("bedrock_sessions", "Clients that have opened a connection", bedrock.sessions),
    counters("bedrock_datagrams_total", "Datagrams, by what became of them", "verdict", () =>
      bedrock.datagrams.entries(),
    ),
  ];
}

function loginMetrics({ totals, outcomes }: MetricsSources): (Counter | Gauge)[] {
  return [
    counter("joins_total", "Players who reached a backend", () => totals().joins),
    counters("refused_total", "Logins refused, by reason", "reason", () =>
      Object.entries(totals().refused),
    ),
    counters(
      "shadowed_total",
      "Logins that would have been refused but for shadow mode",
      "reason",
      () => Object.entries(totals().shadowed),
    ),
    counters(
      "would_challenge_total",
      "Unknown players that shadow mode did not check, by the check",
      "challenge",
      () => Object.entries(totals().would_challenge ?? {}),
    ),
    counters("suspicion_total", "Unknown players, by their score", "score", () =>
      outcomes.scores(),
    ),
    counters("verifications_total", "Unknown players, as far as they got", "step", () => [
      ["begun", totals().challenged],
      ["passed", totals().verified],
    ]),
  ];
}

function attackMetrics({ attacks, kernelDrops, bans }: MetricsSources): (Counter | Gauge)[] {
  return [
    gauge("shields_under_attack", "Shields under attack", () => attacks.shields),
    gauge("under_attack", "1 while the edge as a whole is", () =>
      attacks.isEdgeUnderAttack ? 1 : 0,
    ),
    counter("attacks_total", "Attacks that have begun", () => attacks.started),
    counter(
      "attacks_untold_total",
      "Attacks whose end was given up before the control plane took it",
      () => attacks.dropped,
    ),
    counter(
      "unwatched_total",
      "Logins of shields that found no room among those under attack",
      () => attacks.unwatched,
    ),
    gauge("bans", "Sources that may not connect", bans),
    counters("kernel_dropped_total", "Packets dropped by the kernel, by rule", "rule", () => [
      ["ban", kernelDrops().banned],
      ["syn_limit", kernelDrops().synLimited],
    ]),
    counter("kernel_failures_total", "Calls of nft that failed", () => kernelDrops().failures),
  ];
}

function backendMetrics(facts: MetricsSources): (Counter | Gauge)[] {
  const { totals } = facts;
  const backends = new Gauge({
    name: nameOf("backends"),
    help: "Backends this edge has tried, by what it thinks of them",
    labelNames: ["state"],
    registers: [],
    collect() {
      this.reset();
      for (const [state, count] of facts.backends()) this.set({ state }, count);
    },
  });
  return [
    backends,
    counters("status_answers_total", "Answers to pings, by where they came from", "from", () => [
      ["memory", totals().status_hits],
      ["backend", totals().pings - totals().status_hits],
    ]),
    gauge("status_cache_bytes", "Status answers in memory", facts.statusCacheBytes),
    counters("probes_total", "Looks at backends for the control plane", "outcome", () =>
      facts.probes.entries(),
    ),
  ];
}

function threadMetrics({ threads }: MetricsSources): (Counter | Gauge)[] {
  const players = new Gauge({
    name: nameOf("relay_players"),
    help: "Players by who passes on their bytes",
    labelNames: ["relay"],
    registers: [],
    collect() {
      this.reset();
      const { relays, kept } = threads();
      for (const [index, count] of relays.players.entries()) {
        this.set({ relay: String(index + 1) }, count);
      }
      this.set({ relay: "earlier" }, kept);
      this.set({ relay: "front" }, relays.byWorkers);
    },
  });
  return [
    gauge("workers", "Threads that take players", () => threads().workers),
    counter("workers_lost_total", "Those that ended by themselves", () => threads().workersLost),
    players,
    counter("relays_lost_total", "Relay processes that ended, with their players", () => {
      return threads().relays.lost;
    }),
    counter("relays_not_understood_total", "Those of another release, left to themselves", () => {
      return threads().notUnderstood;
    }),
    counter("hand_over_failures_total", "Players lost on the way to a relay process", () => {
      return threads().relays.failed;
    }),
  ];
}

function logMetrics({ logins, log }: MetricsSources): (Counter | Gauge)[] {
  return [
    gauge("login_entries_waiting", "Logins that wait for the control plane", () => logins.size),
    counter("login_entries_left_out_total", "Logins not written down", () => logins.leftOut),
    counter(
      "login_entries_dropped_total",
      "Logins given up while the control plane was away",
      () => logins.dropped,
    ),
    counter("log_lines_left_out_total", "Lines left out of the edge's own log", () => log.leftOut),
  ];
}
