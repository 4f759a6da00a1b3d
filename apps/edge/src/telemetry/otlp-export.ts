import { setTimeout as delay } from "node:timers/promises";
import type { BatchObservableCallback, Observable } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import type { LiveGauge } from "@palisade/contract/edge/telemetry";
import type { Registry } from "prom-client";

const intervalMs = 30_000;
const timeoutMs = 10_000;
/** The last values may delay the end of the program for so long. */
const stopMs = 1_000;

export interface OtlpOptions {
  /** As OTEL_EXPORTER_OTLP_ENDPOINT has it, without the path of the signal. */
  readonly endpoint: string;
  /** The metrics of the edge, as Prometheus reads them. */
  readonly registry: Registry;
  /** Current values of shields; undefined: the edge alone is exported. */
  readonly shields?: (() => readonly LiveGauge[]) | undefined;
}

/** Sends the edge's metrics by OTLP over HTTP. A receiver that is away costs nothing but their values. */
export async function startOtlpExport(options: OtlpOptions) {
  const exporter = new OTLPMetricExporter({
    url: `${options.endpoint.replace(/\/$/, "")}/v1/metrics`,
    timeoutMillis: timeoutMs,
  });
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: intervalMs,
    exportTimeoutMillis: timeoutMs,
  });
  const provider = new MeterProvider({
    resource: resourceFromAttributes({ "service.name": "palisade-edge" }),
    readers: [reader],
  });
  const meter = provider.getMeter("palisade");
  const instruments = new Map<string, Observable>();
  for (const { name, help, type } of await options.registry.getMetricsAsJSON()) {
    const kind = String(type);
    if (kind !== "counter" && kind !== "gauge") continue;
    const about = { description: help };
    instruments.set(
      name,
      kind === "counter"
        ? meter.createObservableCounter(name, about)
        : meter.createObservableGauge(name, about),
    );
  }
  const observeEdge: BatchObservableCallback = async (result) => {
    for (const metric of await options.registry.getMetricsAsJSON()) {
      const instrument = instruments.get(metric.name);
      if (instrument === undefined) continue;
      for (const { value, labels } of metric.values) {
        result.observe(instrument, value, labels);
      }
    }
  };
  meter.addBatchObservableCallback(observeEdge, [...instruments.values()]);
  if (options.shields !== undefined) observeShields(meter, options.shields);
  return {
    flush: () => reader.forceFlush(),
    stop: () =>
      Promise.race([
        provider.shutdown().catch(() => undefined),
        delay(stopMs, undefined, { ref: false }),
      ]),
  };
}

function observeShields(
  meter: ReturnType<MeterProvider["getMeter"]>,
  shields: () => readonly LiveGauge[],
): void {
  const values = {
    players: meter.createObservableGauge("palisade_shield_players"),
    connections_per_second: meter.createObservableGauge("palisade_shield_connections_per_second"),
    bandwidth_bps: meter.createObservableGauge("palisade_shield_bandwidth_bps"),
  };
  meter.addBatchObservableCallback((result) => {
    for (const gauge of shields()) {
      const of = { shield: gauge.shield_id };
      result.observe(values.players, gauge.players, of);
      result.observe(values.connections_per_second, gauge.connections_per_second, of);
      result.observe(values.bandwidth_bps, gauge.bandwidth_bps, of);
    }
  }, Object.values(values));
}
