import { isIP } from "node:net";
import { EnrolmentError } from "@palisade/control-client/enrol";
import type { Log } from "@palisade/control-client/log";
import { startMetricsServer } from "@palisade/metrics/metrics-server";
import { SettingsError } from "@palisade/settings/settings";
import type { DnsConfig } from "#src/config.ts";
import { createZoneControl, type ZoneControl } from "#src/control/zone-control.ts";
import { createExporter, type Exporter, type ExportTiming } from "#src/export/exporter.ts";
import { createResponseLimiter } from "#src/limits/response-limiter.ts";
import { listenBoth } from "#src/listeners/listen.ts";
import { AnswerCounts } from "#src/metrics/answer-counts.ts";
import { createMetrics } from "#src/metrics/metrics.ts";
import { createResponder } from "#src/responder.ts";
import { createZoneTable, type ZoneTable } from "#src/zone/zone-table.ts";

const responseLimits = { perSecond: 200, burst: 400, sourcesMax: 10_000 };

export interface ZoneDns {
  /** Its address as `host:port`, for UDP and TCP. */
  readonly address: string;
  /** URL of the server with /metrics. */
  readonly metrics: string;
  /** Rejects when there is neither a credential nor a last good copy. */
  readonly following: Promise<void>;
  /** Stops in the reverse order of starting. */
  stop(): Promise<void>;
}

/** Starts zone DNS: first the last good copy, then the sockets, then the control plane. */
export async function startZoneDns(
  config: DnsConfig,
  log: Log,
  exportTiming: Partial<ExportTiming> = {},
): Promise<ZoneDns> {
  const table = createZoneTable(config.zone, Math.floor(Date.now() / 1_000));
  const control = createZoneControl(config, table, log);
  const { shields } = await control.load();
  const answers = new AnswerCounts();
  const responder = createResponder(table, ownAddresses(config), answers);
  const limiter = createResponseLimiter(responseLimits);
  const listeners = await listenBoth(config.host, config.port, responder, limiter);
  let exporter: Exporter | null = null;
  const registry = createMetrics({
    answers,
    limited: () => limiter.limited(),
    listeners: () => listeners.stats(),
    table,
    control: () => control.stats(),
    exports: () => exporter?.stats() ?? null,
  });
  const port = config.metricsPort;
  const metrics = await startMetricsServer(registry, { port }).catch(async () => {
    await listeners.close();
    throw new SettingsError([
      `PALISADE_DNS_METRICS_PORT must be a free port, or 0 for any: ${port} on 127.0.0.1 cannot be opened`,
    ]);
  });
  exporter = startExport(config, table, control, log, exportTiming);
  const following = control.start().catch((error: unknown) => {
    if (!(error instanceof EnrolmentError)) return;
    if (shields === 0) throw error;
    log.error({ shields }, `${error.message} Serving the last good copy.`);
  });
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  return {
    address: `${host}:${listeners.port}`,
    metrics: metrics.url,
    following,
    async stop() {
      metrics.close();
      await control.stop();
      await exporter?.stop();
      await listeners.close();
    },
  };
}

/** The export is independent: questions are answered even when it fails. */
function startExport(
  { exportTo, folder }: DnsConfig,
  table: ZoneTable,
  control: ZoneControl,
  log: Log,
  timing: Partial<ExportTiming>,
): Exporter | null {
  if (exportTo === undefined) return null;
  const exporter = createExporter({
    target: exportTo,
    table,
    isComplete: () => control.isComplete(),
    folder: `${folder}/export`,
    log,
    timing,
  });
  exporter.start();
  // From then on, labels that are not in the table may be removed.
  void control.synchronised.then(() => exporter.wake());
  return exporter;
}

/** The addresses of the setting, or the one it listens on unless that stands for all addresses. */
function ownAddresses({ addresses, host }: DnsConfig): readonly string[] {
  if (addresses.length > 0) return addresses;
  return isIP(host) !== 0 && host !== "0.0.0.0" && host !== "::" ? [host] : [];
}
