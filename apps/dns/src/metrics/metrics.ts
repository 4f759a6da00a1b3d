import { readMetrics } from "@palisade/metrics/read-metrics";
import { collectDefaultMetrics, Counter, type Gauge, Registry } from "prom-client";
import type { ZoneControlStats } from "#src/control/zone-control.ts";
import type { ExportStats } from "#src/export/exporter.ts";
import type { LimitedDatagrams } from "#src/limits/response-limiter.ts";
import type { ListenerStats } from "#src/listeners/listen.ts";
import type { ZoneTable } from "#src/zone/zone-table.ts";
import type { AnswerCounts } from "./answer-counts.ts";

export interface MetricsSources {
  readonly answers: AnswerCounts;
  readonly limited: () => LimitedDatagrams;
  readonly listeners: () => ListenerStats;
  readonly table: Pick<ZoneTable, "serial" | "labelCount" | "isLoaded">;
  readonly control: () => ZoneControlStats;
  /** Null: labels are not exported. */
  readonly exports: () => ExportStats | null;
}

const { nameOf, counter, counters, gauge } = readMetrics("palisade_dns");

/** Metrics of zone DNS, read when they are asked for. Each is described in docs/operations/dns-metrics.md. */
export function createMetrics(sources: MetricsSources): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const metric of [...answerMetrics(sources), ...zoneMetrics(sources)]) {
    registry.registerMetric(metric);
  }
  return registry;
}

function answerMetrics({ answers, limited, listeners }: MetricsSources): (Counter | Gauge)[] {
  const byType = new Counter({
    name: nameOf("answers_total"),
    help: "Answers, by type of the question and response code",
    labelNames: ["type", "rcode"],
    registers: [],
    collect() {
      this.reset();
      for (const { count, ...labels } of answers.entries()) this.inc(labels, count);
    },
  });
  return [
    byType,
    counter("ignored_total", "Messages without an answer", () => answers.ignored),
    counters("limited_total", "Datagrams above a network's limit", "verdict", () =>
      Object.entries(limited()),
    ),
    counter("send_failures_total", "Answers that the kernel did not take", () => {
      return listeners().sendFailures;
    }),
    gauge("tcp_connections", "Open TCP connections", () => listeners().connections),
    counter("tcp_shed_total", "TCP connections that made room for newer ones", () => {
      return listeners().shed;
    }),
  ];
}

function zoneMetrics({ table, control, exports }: MetricsSources): (Counter | Gauge)[] {
  return [
    gauge("zone_loaded", "1 once the zone is served", () => Number(table.isLoaded)),
    gauge("zone_serial", "Serial of the zone", () => table.serial),
    gauge("zone_labels", "Labels in the zone", () => table.labelCount),
    gauge("zone_refused_records", "Records that cannot be served", () => control().refused),
    gauge("zone_age_seconds", "Time since the control plane confirmed the zone", () => {
      return control().ageSeconds;
    }),
    counters("exports_total", "Runs of the export", "outcome", () => exports()?.outcomes ?? []),
    gauge("export_failing", "1 while labels are not exported", () => {
      return Number(exports()?.isFailing ?? false);
    }),
  ];
}
