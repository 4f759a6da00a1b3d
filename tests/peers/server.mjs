/**
 * A flying-squid server in offline mode:
 * `node server.mjs '{"version":"1.20.4","port":0,"motd":"...","maxPlayers":20}'`
 * Events: ready {port}, joined {player, address}, left {player}, chat {player, message}, error.
 * Commands: {"chat": "text"} sends it to all players.
 */
import { onCommand, readOptions, report, reserveStandardOutput } from "./lib.mjs";

reserveStandardOutput();
const { default: squid } = await import("flying-squid");

const options = readOptions();
const { version = "1.20.4", port = 0, host = "127.0.0.1", motd, maxPlayers = 20 } = options;

const server = squid.createMCServer({
  version,
  port,
  host,
  motd: motd ?? `flying-squid ${version}`,
  // Its icon in the server list, a data URI.
  favicon: options.favicon,
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
  // Validating the library's own tables takes longer than the rest of a connection.
  validateChannelProtocol: false,
});

server.on("ready", () => report("ready", { port: server.listeningPort, version }));
server.on("error", (error) => report("error", { message: error.message }));
server.on("newPlayer", (player) => {
  const name = player._client.username;
  const address = player._client.socket?.remoteAddress;
  player.on("spawned", () => report("joined", { player: name, address }));
  player.on("disconnected", () => report("left", { player: name }));
  player.on("chat", ({ message }) => report("chat", { player: name, message }));
});

onCommand(({ chat }) => {
  if (chat !== undefined) server.broadcast(chat);
});
