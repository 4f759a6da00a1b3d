/**
 * Real clients on their way through the edge's limbo, many in one process: `node limbo-host.mjs`
 * Commands, each with one answer {event: "answer", id, ...}:
 * - {id, do: "visit", player, version, program, port, hostname, physics}: logs in and plays on;
 *   outcome `transferred` {host, port, cookies}, `kicked` {text}, `closed` {reason} or `stalled` {state}
 *   and before that the event arrived {player}: is in the world
 * - {id, do: "enter", player, version, port, hostname, intent, cookies}: logs in, and no more
 * Programs: mineflayer, with its own physics; minecraft-protocol, with those of host/falls.mjs.
 */
import minecraft from "minecraft-protocol";
import { fallAsTheGame } from "./host/falls.mjs";
import { answerAsGame } from "./host/reflexes.mjs";
import { CookieJar, sayBrand, supportTransfers } from "./host/transfers.mjs";
import { dialler, onCommand, plainText, report, reserveStandardOutput } from "./lib.mjs";

reserveStandardOutput();

/** The edge ends every visit before this. */
const visitMsMax = 45_000;

async function visit({ program, physics = true, ...wish }) {
  const isBot = program === "mineflayer";
  const client = isBot ? await botClient(wish, physics) : plainClient(wish);
  const cookieJar = new CookieJar({});
  supportTransfers(client, "login", cookieJar);
  sayBrand(client);
  if (!isBot) fallAsTheGame(client, { physics });
  return new Promise((resolve) => {
    setTimeout(() => resolve({ outcome: "stalled", state: client.state }), visitMsMax).unref();
    client.once("position", () => report("arrived", { player: wish.player }));
    client.once("transfer", ({ host, port }) => {
      resolve({ outcome: "transferred", host, port, cookies: cookieJar.toHex() });
      client.end("transfer");
    });
    for (const packet of ["disconnect", "kick_disconnect"]) {
      client.on(packet, ({ reason }) => {
        resolve({ outcome: "kicked", text: plainText(reason) });
        client.end("kicked");
      });
    }
    client.on("error", ({ message }) => report("noise", { player: wish.player, message }));
    client.on("end", (reason) => resolve({ outcome: "closed", reason }));
  });
}

function enter({ intent, cookies, ...wish }) {
  const client = plainClient(wish);
  supportTransfers(client, intent, new CookieJar(cookies));
  client.on("error", () => undefined);
  return {};
}

function optionsOf({ player, version, hostname, ...target }) {
  return {
    host: hostname,
    port: target.port,
    username: player,
    version,
    auth: "offline",
    hideErrors: true,
    connect: dialler(target),
  };
}

function plainClient(wish) {
  return minecraft.createClient(optionsOf(wish));
}

async function botClient(wish, physics) {
  const { default: mineflayer } = await import("mineflayer");
  const options = optionsOf(wish);
  // Its plugins listen a moment after it was created, and would miss an immediate answer.
  const { promise: ready, resolve: listens } = Promise.withResolvers();
  const bot = mineflayer.createBot({
    ...options,
    connect: (client) => void ready.then(() => options.connect(client)),
    physicsEnabled: physics,
    viewDistance: "tiny",
  });
  bot.on("error", () => undefined);
  bot.once("inject_allowed", () => {
    answerAsGame(bot);
    listens();
  });
  return bot._client;
}

process.on("uncaughtException", (error) => report("noise", { message: error.stack }));

const actions = { visit, enter };
onCommand(async ({ id, do: action, ...options }) => {
  try {
    report("answer", { id, ...(await actions[action](options)) });
  } catch (error) {
    report("answer", { id, failure: error.message });
  }
});
report("ready");
