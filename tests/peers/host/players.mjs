import minecraft from "minecraft-protocol";
import { dialler, plainText, report } from "../lib.mjs";
import { echoChannel, validateChannelProtocol } from "./servers.mjs";

const playing = new Map();
const transferIntent = 3;

/**
 * One status ping, as the game's server list does it: everything the answer says, and whether the
 * pong came.
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
 * Joins and settles with {outcome: "joined", source}, {outcome: "kicked", state, raw, text} or
 * {outcome: "closed", reason}. What ends a game later is an event: ended {player, state, raw, text}.
 */
export async function join({ player, program = "minecraft-protocol", ...wish }) {
  const client = await (program === "mineflayer" ? botClient : plainClient)(player, wish);
  return new Promise((resolve) => {
    let last;
    const inGame = () => {
      playing.set(player, client);
      const { localAddress: address, localPort: port } = client.socket;
      resolve({ outcome: "joined", source: { address, port } });
    };
    // Only the server's login packet says that it has taken the player into the game.
    client.once("login", inGame);
    for (const packet of ["disconnect", "kick_disconnect"]) {
      client.on(packet, ({ reason }) => {
        last = { state: client.state, raw: simplified(reason), text: plainText(reason) };
      });
    }
    client.on("error", (error) => (last ??= { reason: error.message }));
    client.on("end", (reason) => {
      playing.delete(player);
      report("ended", { player, reason, ...last });
      if (last?.raw !== undefined) resolve({ outcome: "kicked", ...last });
      else resolve({ outcome: "closed", reason: last?.reason ?? reason });
    });
  });
}

/** To the server and back: the relay carries both ways. */
export function echo({ player, text }) {
  const client = playing.get(player);
  if (client === undefined) throw new Error(`${player} does not play`);
  return new Promise((resolve, reject) => {
    const heard = ({ channel, data }) => {
      if (channel !== echoChannel || data.toString() !== text) return;
      client.off("custom_payload", heard);
      resolve({});
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

function plainClient(player, { version, hostname, intent, ...target }) {
  const client = minecraft.createClient({
    ...named(player, version, hostname, target),
    hideErrors: true,
  });
  if (intent === "transfer") {
    const write = client.write.bind(client);
    client.write = (name, packet) => {
      const isHandshake = name === "set_protocol";
      write(name, isHandshake ? { ...packet, nextState: transferIntent } : packet);
    };
  }
  return client;
}

async function botClient(player, { version, hostname, ...target }) {
  const { default: mineflayer } = await import("mineflayer");
  const bot = mineflayer.createBot({
    ...named(player, version, hostname, target),
    hideErrors: true,
    viewDistance: "tiny",
  });
  bot.on("error", () => undefined);
  return bot._client;
}

const named = (player, version, hostname, target) => ({
  host: hostname,
  port: target.port,
  username: player,
  version,
  auth: "offline",
  validateChannelProtocol,
  connect: dialler(target),
});

/** A text component as it came: parsed JSON, or NBT without its types. */
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
