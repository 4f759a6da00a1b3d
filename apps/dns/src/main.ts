import { SettingsError } from "@palisade/settings/settings";
import { pino } from "pino";
import { startZoneDns } from "#src/compose.ts";
import { readConfig, type DnsConfig } from "#src/config.ts";

const log = pino({ base: { program: "dns" } });
const config = readConfigOrExit();
log.level = config.logLevel;

const dns = await startZoneDns(config, log).catch(exitForSettings);
const { address, metrics } = dns;
log.info({ address, metrics, zone: config.zone }, "zone DNS is serving");
process.send?.({ kind: "ready", dns: address, metrics });

let stopping = false;
async function stop(reason: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  log.info({ reason }, "stopping");
  await dns.stop();
  if (process.connected) process.disconnect();
}
process.on("SIGTERM", () => void stop("SIGTERM"));
process.on("SIGINT", () => void stop("SIGINT"));
// Without its supervisor this program would block the next start.
process.on("disconnect", () => void stop("the supervisor has ended"));

dns.following.catch((error: unknown) => {
  log.fatal(
    { err: error },
    error instanceof Error ? error.message : "cannot follow the control plane",
  );
  process.exitCode = 1;
  void stop("no credential");
});

function readConfigOrExit(): DnsConfig {
  try {
    return readConfig();
  } catch (error) {
    return exitForSettings(error);
  }
}

function exitForSettings(error: unknown): never {
  if (!(error instanceof SettingsError)) throw error;
  log.fatal(error.message);
  return process.exit(1);
}
