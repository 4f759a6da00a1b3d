import bedrock from "bedrock-protocol";
import { report } from "../lib.mjs";
import { serverBackend } from "./raknet-backend.mjs";

const running = new Map();

/**
 * A server in offline mode, which repeats what players say.
 * Events: connected {server, address}, joined {server, player, address, protocol},
 * said {server, player, message}, left {server, player}.
 *
 * @param raknet options of our RakNet server, or `raknet-node` for the program of that name
 */
export async function serve({ name, version, motd, host = "127.0.0.1", port, raknet = {} }) {
  const isForeign = raknet === "raknet-node";
  const server = new bedrock.Server({
    version,
    host,
    port,
    motd,
    maxPlayers: playersMax,
    offline: true,
    raknetBackend: "raknet-node",
  });
  if (!isForeign) server.RakServer = serverBackend(raknet);
  server.on("connect", (player) => {
    report("connected", { server: name, address: player.connection.address });
    receive(name, player);
  });
  await server.listen();
  running.set(name, server);
  return { port: isForeign ? port : server.raknet.raknet.address.port };
}

const playersMax = 1_000;

function receive(name, player) {
  const { address } = player.connection;
  // The player's name is known only after the login.
  const named = () => ({ server: name, player: player.profile?.name ?? "" });
  player.on("error", (error) => report("noise", { ...named(), message: error.message }));
  player.once("join", () => {
    report("joined", { ...named(), address, protocol: player.version });
    enterGame(player);
  });
  player.on("text", (packet) => {
    report("said", { ...named(), message: packet.message });
    player.queue("text", packet);
  });
  player.once("close", () => report("left", named()));
}

/** Just enough that the client is in the game; no world follows. */
function enterGame(player) {
  player.write("resource_packs_info", {
    must_accept: false,
    has_addons: false,
    has_scripts: false,
    disable_vibrant_visuals: false,
    force_server_packs: false,
    world_template: { uuid: "00000000-0000-0000-0000-000000000000", version: "" },
    behaviour_packs: [],
    texture_packs: [],
    resource_pack_links: [],
  });
  player.once("resource_pack_client_response", () => {
    player.write("resource_pack_stack", {
      must_accept: false,
      behavior_packs: [],
      resource_packs: [],
      game_version: "",
      experiments: [],
      experiments_previously_used: false,
      has_editor_packs: false,
    });
    player.once("resource_pack_client_response", () => {
      player.write("play_status", { status: "player_spawn" });
    });
  });
}

/** Ends a player's game with a text. */
export function kick({ name, player, text }) {
  const { clients } = running.get(name);
  const client = Object.values(clients).find(({ profile }) => profile?.name === player);
  client.disconnect(text);
  return {};
}

/** Says goodbye to its players, or nothing where it `crashes`. */
export async function stop({ name, crashes = false }) {
  const server = running.get(name);
  running.delete(name);
  if (crashes) {
    // The library's end of a player would say goodbye.
    clearInterval(server.serverTimer);
    await server.raknet.raknet.abandon();
  } else await server.close();
  return {};
}
