import minecraft from "minecraft-protocol";
import { dialler, plainText, report } from "../lib.mjs";
import { asOffline, asOwner } from "./accounts.mjs";
import { solveCaptcha } from "./captcha.mjs";
import { fallAsTheGame } from "./falls.mjs";
import { answerAsGame } from "./reflexes.mjs";
import { echoChannel, greeting, validateChannelProtocol } from "./servers.mjs";
import { CookieJar, sayBrand, supportTransfers, transfersMax } from "./transfers.mjs";

const playing = new Map();

/**
 * One status ping, like the game's server list: the whole answer, and whether the pong came.
 */
export async function ping({ version, hostname, ...target }) {
  const raw = await minecraft.ping({
    host: hostname,
    port: target.port,
    version,
    connect: dialler(target),
    closeTimeout: 10_000,
  });
  return { raw, motd: plainText(raw.description), ponged: typeof raw.latency === "number" };
}

/**
 * Joins, follows transfers, and resolves with {outcome: "joined", source},
 * {outcome: "kicked", state, raw, text} or {outcome: "closed", reason}. `transfers` counts the transfers,
 * and `cookies` are the stored cookies in hex. The later end of a game is an event:
 * ended {player, state, raw, text}.
 */
export async function join({ player, intent = "login", cookies = {}, ...wish }) {
  const cookieJar = new CookieJar(cookies);
  let way = { hostname: wish.hostname, port: wish.port, intent };
  for (let transfers = 0; ; transfers++) {
    const { outcome, ...facts } = await joinOnce(player, { ...wish, ...way }, cookieJar);
    if (outcome !== "transferred" || transfers === transfersMax) {
      return { outcome, ...facts, transfers, cookies: cookieJar.toHex() };
    }
    // Names need not resolve here: the connection goes to the first address again.
    way = { hostname: facts.host, port: facts.port, intent: "transfer" };
  }
}

async function joinOnce(player, { program = "minecraft-protocol", ...way }, cookieJar) {
  const client = await (program === "mineflayer" ? botClient : plainClient)(player, way);
  supportTransfers(client, way.intent, cookieJar);
  sayBrand(client);
  if (way.captcha !== undefined) solveCaptcha(client, way.captcha.types);
  return new Promise((resolve) => {
    let last;
    const inGame = () => {
      playing.set(player, client);
      const { localAddress: address, localPort: port } = client.socket;
      resolve({ outcome: "joined", source: { address, port } });
    };
    // The server's login packet shows that the player is in the game or, if the edge may put the player
    // into another world first, the server's greeting.
    if (way.greeted) onGreeting(client, inGame);
    else client.once("login", inGame);
    client.once("transfer", ({ host, port }) => {
      resolve({ outcome: "transferred", host, port });
      client.end("transfer");
    });
    for (const packet of ["disconnect", "kick_disconnect"]) {
      client.on(packet, ({ reason }) => {
        last = { state: client.state, raw: simplified(reason), text: plainText(reason) };
      });
    }
    client.on("error", (error) => (last ??= { reason: error.message }));
    client.on("end", (reason) => {
      playing.delete(player);
      if (reason === "transfer") return;
      report("ended", { player, reason, ...last });
      if (last?.raw !== undefined) resolve({ outcome: "kicked", ...last });
      else resolve({ outcome: "closed", reason: last?.reason ?? reason });
    });
  });
}

function onGreeting(client, greeted) {
  const heard = ({ channel, data }) => {
    if (channel !== echoChannel || data.toString() !== greeting) return;
    client.off("custom_payload", heard);
    greeted();
  };
  client.on("custom_payload", heard);
}

/** Sends a text to the server and back: the relay works in both directions. */
export function echo({ player, text }) {
  const client = playing.get(player);
  if (client === undefined) throw new Error(`${player} does not play`);
  return new Promise((resolve, reject) => {
    const heard = ({ channel, data }) => {
      if (channel !== echoChannel || data.toString() !== text) return;
      client.off("custom_payload", heard);
      resolve({ isEncrypted: client.cipher !== null });
    };
    client.on("custom_payload", heard);
    client.once("end", () => reject(new Error(`${player} lost the connection`)));
    client.write("custom_payload", { channel: echoChannel, data: Buffer.from(text) });
  });
}

export function quit({ player }) {
  playing.get(player)?.end("quit");
  return {};
}

function plainClient(player, { version, hostname, account, falls, ...target }) {
  const client = minecraft.createClient({
    ...named(player, version, hostname, account, target),
    hideErrors: true,
  });
  if (falls) fallAsTheGame(client);
  return client;
}

async function botClient(player, { version, hostname, account, physics = true, ...target }) {
  const { default: mineflayer } = await import("mineflayer");
  const options = named(player, version, hostname, account, target);
  // Its plugins listen a moment after it was created, and would miss an immediate answer.
  const { promise: ready, resolve: listens } = Promise.withResolvers();
  const bot = mineflayer.createBot({
    ...options,
    connect: (client) => void ready.then(() => options.connect(client)),
    hideErrors: true,
    viewDistance: "tiny",
    physicsEnabled: physics,
  });
  bot.on("error", () => undefined);
  bot.once("inject_allowed", () => {
    answerAsGame(bot);
    listens();
  });
  return bot._client;
}

const named = (player, version, hostname, account, target) => ({
  host: hostname,
  port: target.port,
  username: player,
  version,
  validateChannelProtocol,
  connect: dialler(target),
  ...(account === undefined ? asOffline : asOwner(account)),
});

/** A text component as received: parsed JSON, or NBT without its types. */
function simplified(reason) {
  return typeof reason === "string" ? JSON.parse(reason) : withoutTypes(reason);
}

function withoutTypes({ type, value }) {
  if (type === "compound") {
    return Object.fromEntries(Object.entries(value).map(([key, tag]) => [key, withoutTypes(tag)]));
  }
  if (type === "list") {
    return value.value.map((item) => withoutTypes({ type: value.type, value: item }));
  }
  return value;
}
