import { type MetricsServer, startMetricsServer } from "@palisade/metrics/metrics-server";
import type { Registry } from "prom-client";
import { StartError } from "#src/platform/database/ready.ts";

/**
 * /metrics of the api.
 *
 * @param port 0 means any free one
 * @throws StartError when the port cannot be opened
 */
export async function serveMetrics(registry: Registry, port: number): Promise<MetricsServer> {
  return startMetricsServer(registry, { port }).catch((cause: unknown) => {
    throw new StartError(
      `Port ${port} on 127.0.0.1 cannot be opened for metrics: set PALISADE_API_METRICS_PORT to a free port, or to 0 for any`,
      { cause },
    );
  });
}
