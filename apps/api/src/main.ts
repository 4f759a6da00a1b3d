import { SettingsError } from "@palisade/settings/settings";
import { z } from "zod";
import { compose, createLogger } from "#src/compose.ts";
import { isServer, readApiConfig } from "#src/config.ts";
import { listen } from "#src/listen.ts";
import { serveUntilDatabaseAnswers } from "#src/without-database.ts";
import { StartError } from "#src/platform/database/ready.ts";
import { serveMetrics } from "#src/platform/http/ops/metrics-server.ts";

const zoneServerMessage = z.object({ kind: z.literal("zone-server"), address: z.string() });
const javaPortMessage = z.object({
  kind: z.literal("java-port"),
  port: z.int().min(1).max(65_535),
});

try {
  await serve();
} catch (error) {
  const isForOperator = error instanceof SettingsError || error instanceof StartError;
  process.stderr.write(`${isForOperator ? error.message : String((error as Error).stack)}\n`);
  process.exit(1);
}

async function serve(): Promise<void> {
  const config = readApiConfig();
  let { zoneServer, javaPort } = config;
  process.on("message", (message) => {
    zoneServer = zoneServerOf(message) ?? zoneServer;
    javaPort = javaPortMessage.safeParse(message).data?.port ?? javaPort;
  });
  const log = createLogger(config);
  await serveUntilDatabaseAnswers(config, log);
  const composition = await compose({
    config,
    log,
    zoneServer: () => zoneServer,
    javaPort: () => javaPort,
  });

  let ending = false;
  let closeListener = (): void => undefined;
  const end = (reason: string): void => {
    if (ending) return;
    ending = true;
    log.info({ reason }, "Shutting down");
    closeListener();
    // Connections that hang end by the time-outs of PostgreSQL and the clients.
    setTimeout(() => process.exit(1), 20_000).unref();
    composition.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on("SIGTERM", () => end("SIGTERM"));
  process.on("SIGINT", () => end("SIGINT"));
  // The supervisor has ended, for whatever reason.
  process.on("disconnect", () => end("disconnect"));

  const metrics = await serveMetrics(composition.platform.metrics, config.metricsPort);
  const { url, secureUrl, close: closePlain } = await listen(composition, config);
  closeListener = closePlain;
  log.info({ url, secureUrl, metrics: metrics.url }, "Serving");
  process.send?.({ kind: "ready", url, metrics: metrics.url });
}

/** The address of zone DNS, which starts later: the supervisor sends it. */
function zoneServerOf(message: unknown): string | undefined {
  const told = zoneServerMessage.safeParse(message).data;
  return told !== undefined && isServer(told.address) ? told.address : undefined;
}
