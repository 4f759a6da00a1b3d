/**
 * One status ping, like the game's server list:
 * `node ping.mjs '{"port":25565,"hostname":"play.example.com","version":"1.20.4"}'`
 * Event: status {motd, version, players, latency, raw} or error {message}.
 */
import { dialler, plainText, readOptions, report, reserveStandardOutput } from "./lib.mjs";

reserveStandardOutput();
const { default: minecraft } = await import("minecraft-protocol");

const options = readOptions();
try {
  const raw = await minecraft.ping({
    host: options.hostname ?? options.host ?? "127.0.0.1",
    port: options.port,
    version: options.version ?? "1.20.4",
    connect: dialler(options),
    closeTimeout: 10_000,
  });
  const { description, version, players, latency } = raw;
  report("status", { motd: plainText(description), version, players, latency, raw });
} catch (error) {
  report("error", { message: error.message, code: error.code });
}
process.exit(0);
