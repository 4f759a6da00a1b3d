/**
 * Ids of the packets that the edge reads or writes itself while it checks a player, from the protocol
 * descriptions of minecraft-data (`protocol.json`, the mappings of `packet`).
 */

/**
 * By state and direction: our name, then the names that minecraft-data has or had for it; no names at all
 * for the highest id of the direction.
 */
const wanted = {
  configuration: {
    toClient: {
      disconnect: ["disconnect"],
      finishConfiguration: ["finish_configuration"],
      keepAlive: ["keep_alive"],
      registryData: ["registry_data"],
      featureFlags: ["feature_flags"],
      tags: ["tags"],
      knownPacks: ["select_known_packs"],
    },
    toServer: {
      clientInformation: ["settings"],
      pluginMessage: ["custom_payload"],
      finishConfiguration: ["finish_configuration"],
      keepAlive: ["keep_alive"],
      pong: ["pong"],
      resourcePackStatus: ["resource_pack_receive"],
      knownPacks: ["select_known_packs"],
    },
  },
  play: {
    toClient: {
      abilities: ["abilities"],
      actionBar: ["action_bar"],
      addResourcePack: ["add_resource_pack", "resource_pack_send"],
      blockChange: ["block_change"],
      bossBar: ["boss_bar"],
      chat: ["chat", "system_chat"],
      chunk: ["map_chunk"],
      chunkBatchFinished: ["chunk_batch_finished"],
      chunkBatchStart: ["chunk_batch_start"],
      chunkCentre: ["update_view_position"],
      declareCommands: ["declare_commands"],
      disconnect: ["kick_disconnect"],
      entityMetadata: ["entity_metadata"],
      entityVelocity: ["entity_velocity"],
      gameEvent: ["game_state_change"],
      heldItem: ["held_item_slot"],
      joinGame: ["login"],
      keepAlive: ["keep_alive"],
      light: ["update_light"],
      map: ["map"],
      passengers: ["set_passengers"],
      attachEntity: ["attach_entity"],
      playerPosition: ["position"],
      playerInfo: ["player_info"],
      removeEntities: ["entity_destroy", "destroy_entity"],
      setSlot: ["set_slot"],
      spawnEntity: ["spawn_entity"],
      spawnPosition: ["spawn_position"],
      subtitle: ["set_title_subtitle"],
      tags: ["tags"],
      title: ["set_title_text", "title"],
      titleTimes: ["set_title_time"],
      transfer: ["transfer"],
      storeCookie: ["store_cookie"],
      vehicleMove: ["vehicle_move"],
      windowItems: ["window_items"],
    },
    toServer: {
      abilities: ["abilities"],
      arm: ["arm_animation"],
      boatPaddles: ["steer_boat"],
      chat: ["chat", "chat_message"],
      chatCommand: ["chat_command"],
      chunkBatchReceived: ["chunk_batch_received"],
      clientCommand: ["client_command"],
      clientInformation: ["settings"],
      entityAction: ["entity_action"],
      heldItem: ["held_item_slot"],
      highest: [],
      keepAlive: ["keep_alive"],
      look: ["look"],
      playerInput: ["player_input", "steer_vehicle"],
      playerLoaded: ["player_loaded"],
      pluginMessage: ["custom_payload"],
      pong: ["pong"],
      position: ["position"],
      positionAndLook: ["position_look"],
      resourcePackStatus: ["resource_pack_receive"],
      standing: ["flying"],
      teleportConfirm: ["teleport_confirm"],
      tickEnd: ["tick_end"],
      useEntity: ["use_entity"],
      useItem: ["use_item"],
      vehicleMove: ["vehicle_move"],
    },
  },
};

/**
 * @param {readonly (readonly [string, number])[]} releases name and number, oldest first
 * @param {(release: string) => object | undefined} protocolOf minecraft-data's description of a release
 * @returns rows of [release, id], oldest first, where an id changes, by state, direction and name; an
 *   id of undefined ends a packet. Releases without a description have the row before.
 */
export function packetIdsOf(releases, protocolOf) {
  const described = describedReleases(releases, protocolOf).map((release) => [
    release,
    describedBy(releases, release, protocolOf),
  ]);
  return mapTree(wanted, (names, [state, direction]) => {
    const rows = [];
    for (const [release, description] of described) {
      const id = idOf(description[state]?.[direction], names);
      if (id !== rows.at(-1)?.[1] && (id !== undefined || rows.length > 0))
        rows.push([release, id]);
    }
    return rows;
  });
}

/** The first release of each number that is described, oldest first. */
export function describedReleases(releases, protocolOf) {
  return releases
    .filter(([, protocol], n) => releases.findIndex(([, other]) => other === protocol) === n)
    .map(([release]) => release)
    .filter((release) => describedBy(releases, release, protocolOf) !== undefined);
}

/** Releases with the same number have the same packets; not each of them is described. */
export function describedBy(releases, release, of) {
  const number = releases.find(([name]) => name === release)?.[1];
  for (const [name, protocol] of releases) {
    const description = protocol === number ? of(name) : undefined;
    if (description !== undefined) return description;
  }
  return undefined;
}

function idOf(direction, names) {
  const container = direction?.types?.packet?.[1];
  const mappings = container?.find((field) => field.name === "name")?.type[1].mappings ?? {};
  const ids = Object.keys(mappings).map(Number);
  if (names.length === 0) return ids.length === 0 ? undefined : Math.max(...ids);
  const entry = Object.entries(mappings).find(([, name]) => names.includes(name));
  return entry && Number(entry[0]);
}

function mapTree(tree, leaf, path = []) {
  return Object.fromEntries(
    Object.entries(tree).map(([key, value]) => [
      key,
      Array.isArray(value) ? leaf(value, path) : mapTree(value, leaf, [...path, key]),
    ]),
  );
}

/** @param ids as `packetIdsOf` returns them */
export function packetIdsModule(ids) {
  const rowsOf = (rows) => rows.map(([release, id]) => `${release} ${hex(id)}`).join(", ");
  const leaf = ([name, rows]) => `${name}: idTable("${rowsOf(rows)}"),`;
  const direction = ([name, packets]) =>
    `${name}: {\n${Object.entries(packets).map(leaf).join("\n")}\n},`;
  const state = ([name, directions]) =>
    `${name}: {\n${Object.entries(directions).map(direction).join("\n")}\n},`;
  return `import { idTable } from "./version-table.ts";

/**
 * Ids of packets by state, direction and name, for a client's protocol number; undefined if its
 * version has no such packet. Each id holds from the release before it until the next one.
 *
 * Written by \`npm run versions:update\` from the npm package minecraft-data (MIT); do not edit.
 */
export const packetIds = {
${Object.entries(ids).map(state).join("\n")}
};
`;
}

/** As `idTable` reads it. */
const hex = (id) => (id === undefined ? "none" : id.toString(16).padStart(2, "0"));
