import bedrock from "bedrock-protocol";
import { report } from "../lib.mjs";
import { ClientBackend } from "./raknet-backend.mjs";

const playing = new Map();

/**
 * Joins in offline mode and resolves with {outcome: "joined", source, cookies, mtu},
 * {outcome: "kicked", message, reason}, {outcome: "refused", reason}: an answer to RakNet's handshake, or
 * {outcome: "closed", reason}. The later end of a game is an event: ended {player, reason, message}.
 */
export function join({ player, version, host, port, raknet = {} }) {
  const backend = new ClientBackend({ host, port, ...raknet });
  return new Promise((resolve) => {
    const client = createClient({ player, version, host, port, backend });
    let last;
    client.once("spawn", () => {
      playing.set(player, { client, backend });
      resolve({ outcome: "joined", ...backend.facts });
    });
    client.on("kick", ({ message, reason }) => {
      last = { message: message ?? "", reason: String(reason ?? "") };
    });
    client.on("error", (error) => (last ??= { reason: error.message }));
    client.once("close", () => {
      playing.delete(player);
      report("ended", { player, ...last });
      if (last?.message !== undefined) resolve({ outcome: "kicked", ...last });
      else resolve({ outcome: "closed", reason: last?.reason });
    });
    backend.onFailure = ({ message, reason }) => {
      client.close();
      if (reason === undefined) resolve({ outcome: "closed", reason: message });
      else resolve({ outcome: "refused", reason });
    };
    client.connect();
  });
}

/** The library's createClient, but with another RakNet: that function connects before it can be replaced. */
function createClient({ player, version, host, port, backend }) {
  const client = new bedrock.Client({
    username: player,
    version,
    host,
    port,
    offline: true,
    conLog: null,
    delayedInit: true,
    raknetBackend: "raknet-node",
    connectTimeout: connectTimeoutMs,
  });
  client.init();
  client.connection = backend;
  client.once("resource_packs_info", () => {
    acceptPacks(client);
    client.once("resource_pack_stack", () => acceptPacks(client));
  });
  return client;
}

/** Our RakNet gives up earlier, and says why. */
const connectTimeoutMs = 60_000;

function acceptPacks(client) {
  client.write("resource_pack_client_response", {
    response_status: "completed",
    // From 1.26.40 on.
    response_status_name: "resourcepackstackfinished",
    resourcepackids: [],
  });
}

/** Says a text in the chat and waits until the server has repeated it. */
export function echo({ player, text }) {
  const { client } = playerNamed(player);
  return new Promise((resolve, reject) => {
    const heard = ({ message }) => {
      if (message !== text) return;
      client.off("text", heard);
      client.off("close", gone);
      resolve({});
    };
    const gone = () => reject(new Error(`${player} lost the connection`));
    client.on("text", heard);
    client.once("close", gone);
    client.queue("text", chat(player, text));
  });
}

function playerNamed(player) {
  const found = playing.get(player);
  if (found === undefined) throw new Error(`${player} does not play`);
  return found;
}

/** With the fields of all versions; each takes its own. */
function chat(player, message) {
  return {
    type: "chat",
    category: "authored",
    needs_translation: false,
    source_name: player,
    message,
    xuid: "",
    platform_chat_id: "",
    filtered_message: "",
    has_filtered_message: false,
  };
}

export function quit({ player }) {
  playing.get(player)?.client.close();
  return {};
}

/** Ends a game without a word, as a console that is switched off. */
export async function crash({ player }) {
  const { client, backend } = playerNamed(player);
  await backend.abandon();
  client.close();
  return {};
}
