/**
 * A mineflayer player:
 * `node client.mjs '{"port":25565,"hostname":"play.example.com","username":"Ann","version":"1.20.4"}'`
 * It connects to `host` (127.0.0.1), from `localAddress` if given; the handshake contains `hostname`.
 * Events: joined, spawned, chat {message}, kicked {text, raw, wasInGame}, error, end {reason}.
 * Commands: {"chat": "text"}, {"quit": true}.
 */
import {
  dialler,
  onCommand,
  plainText,
  readOptions,
  report,
  reserveStandardOutput,
} from "./lib.mjs";

reserveStandardOutput();
const { default: mineflayer } = await import("mineflayer");

const options = readOptions();
const bot = mineflayer.createBot({
  host: options.hostname ?? options.host ?? "127.0.0.1",
  port: options.port,
  username: options.username ?? "Player",
  version: options.version ?? "1.20.4",
  auth: "offline",
  connect: dialler(options),
  hideErrors: true,
  validateChannelProtocol: false,
  viewDistance: "tiny",
});

bot.on("login", () => report("joined", { username: bot.username }));
bot.once("spawn", () => report("spawned"));
bot.on("messagestr", (message) => report("chat", { message }));
bot.on("kicked", (reason, wasInGame) => {
  report("kicked", { text: plainText(reason), raw: reason, wasInGame });
});
bot.on("error", (error) => report("error", { message: error.message, code: error.code }));
bot.on("end", (reason) => {
  report("end", { reason });
  process.exit(0);
});

onCommand(({ chat, quit }) => {
  if (chat !== undefined) bot.chat(chat);
  if (quit === true) bot.quit();
});
