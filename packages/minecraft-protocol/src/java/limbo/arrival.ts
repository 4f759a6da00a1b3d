import {
  encodeDouble,
  encodeFrame,
  encodeInt,
  encodeLong,
  encodeString,
  encodeVarInt,
} from "../fields.ts";
import { packetIds } from "../packet-ids.ts";
import { versionTable } from "../version-table.ts";
import { atLeast, currentProtocol, isKnown } from "../versions.ts";
import { encodeLimboChunk } from "./chunk.ts";
import { encodeJoinGame, worldName } from "./join-game.ts";
import { arrival, canEnterLimbo, type Position } from "./place.ts";

/**
 * The packets that put a client into the limbo: Join Game, spawn position, chunk, player position.
 * Source: minecraft.wiki, "Java Edition protocol/Packets", Play (Login, Set Default Spawn Position,
 * Game Event, Set Center Chunk, Chunk Batch Start and Finished, Synchronize Player Position), and its
 * history.
 *
 * For a verification: from 1.20.2 on send `encodeLimboConfiguration` (configuration.ts) and wait for the
 * client to confirm it; then send `encodeLimboWorld` and `encodePlayerPosition`, and feed each packet to
 * `decodeMovement` (movement.ts). From 1.9 on a client first confirms the position by its id, then sends
 * the position back, then falls. From 1.21.4 on it stands still until it has drawn the chunk, at most
 * 60 ticks, and then says that it has loaded. arrival.test.ts lists the versions that were seen to fall
 * and land.
 */

const ids = packetIds.play.toClient;

/** Encoded worlds by protocol: at most as many as there are releases. */
const worlds = new Map<number, Buffer>();

/**
 * Everything but the position, which differs by player. The bytes are the same for all players of a
 * version and are made once: do not change them.
 *
 * @returns undefined when `canEnterLimbo` is false
 */
export function encodeLimboWorld(protocol: number): Buffer | undefined {
  if (!canEnterLimbo(protocol)) return undefined;
  const nearest = isKnown(protocol) ? protocol : currentProtocol;
  const known = worlds.get(nearest);
  if (known !== undefined) return known;
  const world = Buffer.concat([
    encodeJoinGame(nearest),
    encodeSpawnPosition(nearest),
    encodeChunksFollow(nearest),
    encodeChunkCentre(nearest),
    ...inBatch(nearest, encodeLimboChunk(nearest) ?? nothing),
  ]);
  worlds.set(nearest, world);
  return world;
}

/**
 * The world, and the player at `arrival` in it.
 *
 * @param teleportId id with which the client confirms the position, 0 or more; before 1.9 there is none
 * @returns undefined when `canEnterLimbo` is false
 */
export function encodeLimboArrival(protocol: number, teleportId: number): Buffer | undefined {
  const world = encodeLimboWorld(protocol);
  const position = encodePlayerPosition(protocol, arrival, teleportId);
  return world && position && Buffer.concat([world, position]);
}

/**
 * Moves the player, who looks south and does not move on. The client answers with the id (from 1.9 on)
 * and with its new position, not standing.
 *
 * @param pitch degrees below the horizon, up to 90
 * @returns undefined when `canEnterLimbo` is false
 */
export function encodePlayerPosition(
  protocol: number,
  position: Position,
  teleportId: number,
  pitch = 0,
): Buffer | undefined {
  const id = ids.playerPosition(protocol);
  if (id === undefined) return undefined;
  return encodeFrame(id, ...positionFields(protocol, position, teleportId, southward(pitch)));
}

const nothing = Buffer.alloc(0);
/** Yaw and pitch. */
function southward(pitch: number): Buffer {
  const view = Buffer.alloc(8);
  view.writeFloatBE(pitch, 4);
  return view;
}

const standingStill = Buffer.alloc(24);

function positionFields(
  protocol: number,
  { x, y, z }: Position,
  teleportId: number,
  view: Buffer,
): Buffer[] {
  if (atLeast(protocol, "1.21.2")) {
    const allAbsolute = encodeInt(0);
    const place = [encodeDouble(x), encodeDouble(y), encodeDouble(z)];
    return [encodeVarInt(teleportId), ...place, standingStill, view, allAbsolute];
  }
  // 1.7 has the height of the eyes, with this 32-bit number added by the game, and whether it stands.
  const height = atLeast(protocol, "1.8") ? y : y + Math.fround(1.62);
  const place = [encodeDouble(x), encodeDouble(height), encodeDouble(z)];
  const allAbsolute = Buffer.of(0);
  const id = atLeast(protocol, "1.9") ? encodeVarInt(teleportId) : nothing;
  const staysInVehicle =
    atLeast(protocol, "1.17") && !atLeast(protocol, "1.19.4") ? Buffer.of(0) : nothing;
  return [...place, view, allAbsolute, id, staysInVehicle];
}

/** The compass points there. Clients of 1.19 and later wait for it. */
function encodeSpawnPosition(protocol: number): Buffer {
  const id = ids.spawnPosition(protocol);
  if (id === undefined) return nothing;
  const { x, y, z } = arrival;
  const block = [Math.floor(x), y, Math.floor(z)] as const;
  if (!atLeast(protocol, "1.8")) return encodeFrame(id, ...block.map((value) => encodeInt(value)));
  const place = encodeLong(packedPosition(protocol, block));
  const angle = encodeInt(0);
  if (atLeast(protocol, "1.21.9")) {
    return encodeFrame(id, encodeString(worldName), place, angle, angle);
  }
  return atLeast(protocol, "1.17") ? encodeFrame(id, place, angle) : encodeFrame(id, place);
}

/** 26 bits for x and z and 12 for y, which came second until 1.13.2. */
function packedPosition(
  protocol: number,
  [x, y, z]: readonly [x: number, y: number, z: number],
): bigint {
  const [wideX, wideY, wideZ] = [BigInt(x), BigInt(y), BigInt(z)];
  return atLeast(protocol, "1.14")
    ? (wideX << 38n) | (wideZ << 12n) | wideY
    : (wideX << 38n) | (wideY << 26n) | wideZ;
}

/** Clients of 1.20.3 and later keep their loading screen until this event and the chunks after it. */
const levelChunksFollow = versionTable([["1.20.3", 13]]);

function encodeChunksFollow(protocol: number): Buffer {
  const id = ids.gameEvent(protocol);
  const event = levelChunksFollow(protocol);
  if (id === undefined || event === undefined) return nothing;
  const noValue = encodeInt(0);
  return encodeFrame(id, Buffer.of(event), noValue);
}

function encodeChunkCentre(protocol: number): Buffer {
  const id = ids.chunkCentre(protocol);
  return id === undefined ? nothing : encodeFrame(id, encodeVarInt(0), encodeVarInt(0));
}

/** From 1.20.2 on the client measures how fast chunks arrive, and answers. */
function inBatch(protocol: number, chunk: Buffer): Buffer[] {
  const start = ids.chunkBatchStart(protocol);
  const finished = ids.chunkBatchFinished(protocol);
  if (start === undefined || finished === undefined) return [chunk];
  return [encodeFrame(start), chunk, encodeFrame(finished, encodeVarInt(1))];
}
