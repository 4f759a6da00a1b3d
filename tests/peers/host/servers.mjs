import minecraftData from "minecraft-data";
import minecraft from "minecraft-protocol";
import { report } from "../lib.mjs";
import { serverKey, sessionServerAgent, trustProfileKey } from "./accounts.mjs";
import { openGate } from "./gate.mjs";

/** Channel for echoes; 1.8 to 1.12 know no namespaces, later versions need one. */
export const echoChannel = "p:echo";
/** The server's first message there. */
export const greeting = "welcome";
const transferIntent = 3;
/** Validating the library's own tables takes longer than the rest of a connection. */
export const validateChannelProtocol = false;
const running = new Map();

/**
 * Events: connected {server, kind, address, port}, pinged {server, host, protocol},
 * joined {server, player, host, intent, uuid, isEncrypted}, left {server, player}.
 */
export async function serve({ name, port = 0, host = "127.0.0.1", proxy = false, ...wish }) {
  const { server, ready } =
    wish.program === "flying-squid" ? await squidServer(wish) : protocolServer(wish);
  server.on("connection", (client) => {
    watch(name, client);
    if (wish.sessionPort !== undefined) trustProfileKey(client);
    if (wish.refuse !== undefined) refuse(client, wish.refuse);
  });
  server.on("playerJoin", (client) => {
    const { username: player, serverHost, intent, uuid } = client;
    if (wish.program !== "flying-squid") enterGame(server, client);
    const isEncrypted = client.cipher !== null;
    report("joined", { server: name, player, host: serverHost, intent, uuid, isEncrypted });
    client.on("end", () => report("left", { server: name, player }));
  });
  server.on("error", (error) => report("noise", { server: name, message: error.message }));
  await ready;
  return new Promise((resolve, reject) => {
    const gate = openGate({
      port,
      host,
      proxy,
      handOn: (socket) => server.socketServer.emit("connection", socket),
      onConnection: (facts) => report("connected", { server: name, ...facts }),
      onListening: (listening) => resolve({ port: listening }),
      onError: reject,
    });
    running.set(name, { gate, server });
  });
}

/** Stops a server at once, like a crash. */
export function stop({ name }) {
  const { gate, server } = running.get(name);
  running.delete(name);
  gate.close();
  server.socketServer.close();
  return {};
}

/** Ends a player's game with a text in the play state. */
export function kick({ name, player, text }) {
  const { server } = running.get(name);
  const client = Object.values(server.clients).find(({ username }) => username === player);
  client.end(text);
  return {};
}

function watch(name, client) {
  client.on("error", () => undefined);
  client.once("set_protocol", ({ nextState }) => {
    client.intent = nextState;
    // The library does not know transfers; from here on they are logins.
    if (nextState === transferIntent) client.state = minecraft.states.LOGIN;
  });
  client.once("ping_start", () => {
    const { serverHost: host, protocolVersion: protocol } = client;
    report("pinged", { server: name, host, protocol });
  });
  client.on("custom_payload", ({ channel, data }) => {
    if (channel === echoChannel) client.write("custom_payload", { channel, data });
  });
}

/** Kicks every player with a text, instead of the library's behaviour in that state. */
function refuse(client, { state, text }) {
  if (state === "login") {
    client.removeAllListeners("login_start");
    client.once("login_start", () => client.end(text));
    return;
  }
  client.once("login_start", () => {
    // The library waits for this packet after it has admitted the player.
    client.removeAllListeners("login_acknowledged");
    client.once("login_acknowledged", () => {
      client.state = minecraft.states.CONFIGURATION;
      const asNbt = { type: "compound", value: { text: { type: "string", value: text } } };
      const hasNbt = client.supportFeature("chatPacketsUseNbtComponents");
      client.write("disconnect", { reason: hasNbt ? asNbt : JSON.stringify({ text }) });
      client.end();
    });
  });
}

/** With `sessionPort` it is in online mode: it checks accounts there and encrypts. */
function protocolServer({ version, motd, maxPlayers = 20, favicon, sample = [], sessionPort }) {
  const server = minecraft.createServer({
    version,
    port: 0,
    host: "127.0.0.1",
    motd,
    maxPlayers,
    favicon,
    "online-mode": sessionPort !== undefined,
    agent: sessionPort && sessionServerAgent(sessionPort),
    hideErrors: true,
    validateChannelProtocol,
    beforePing: (answer) => ({ ...answer, players: { ...answer.players, sample } }),
  });
  if (sessionPort !== undefined) server.serverKey = serverKey();
  return { server, ready: new Promise((resolve) => server.once("listening", resolve)) };
}

async function squidServer({ version, motd, maxPlayers = 20 }) {
  const { default: squid } = await import("flying-squid");
  const game = squid.createMCServer({
    version,
    port: 0,
    host: "127.0.0.1",
    motd,
    "max-players": maxPlayers,
    "online-mode": false,
    logging: false,
    gameMode: 1,
    difficulty: 0,
    generation: { name: "superflat", options: {} },
    kickTimeout: 10_000,
    plugins: {},
    modpe: false,
    "view-distance": 2,
    "player-list-text": { header: { text: "" }, footer: { text: "" } },
    "everybody-op": false,
    "max-entities": 10,
    validateChannelProtocol,
  });
  game.on("error", () => undefined);
  return { server: game._server, ready: new Promise((resolve) => game.once("ready", resolve)) };
}

/** Sends just enough that the client is in the game; no world follows. */
function enterGame(server, client) {
  const data = minecraftData(server.mcversion.minecraftVersion);
  client.write("login", {
    ...(data.loginPacket ?? loginBefore116),
    entityId: client.id,
    maxPlayers: server.maxPlayers,
  });
  client.write("custom_payload", { channel: echoChannel, data: Buffer.from(greeting) });
}

const loginBefore116 = {
  gameMode: 1,
  dimension: 0,
  difficulty: 2,
  levelType: "default",
  reducedDebugInfo: false,
  hashedSeed: [0, 0],
  viewDistance: 2,
  enableRespawnScreen: true,
};
