/**
 * One mineflayer player for each version, in one process:
 * `node limbo-players.mjs '{"port":25565,"versions":["1.8.8","1.21.4"],"reflexes":true}'`
 * A player's name is `P_1_8_8` for 1.8.8. With `reflexes` they also answer what the game answers by itself
 * and mineflayer does not (host/reflexes.mjs).
 * Events: spawned {version}, error {version, message}, end {version, reason}.
 */
import { answerAsGame } from "./host/reflexes.mjs";
import { dialler, onCommand, readOptions, report, reserveStandardOutput } from "./lib.mjs";

reserveStandardOutput();
const { default: mineflayer } = await import("mineflayer");

const { versions, reflexes = false, ...target } = readOptions();
for (const version of versions) {
  const bot = mineflayer.createBot({
    host: "127.0.0.1",
    port: target.port,
    username: `P_${version.replaceAll(".", "_")}`,
    version,
    auth: "offline",
    connect: dialler(target),
    hideErrors: true,
    viewDistance: "tiny",
  });
  bot.once("spawn", () => report("spawned", { version }));
  bot.on("error", ({ message }) => report("error", { version, message }));
  bot.on("end", (reason) => report("end", { version, reason }));
  if (reflexes) bot.once("inject_allowed", () => answerAsGame(bot));
}
onCommand(() => undefined);
