import {
  encodeBoolean,
  encodeDouble,
  encodeFrame,
  encodeInt,
  encodeLong,
  encodeString,
  encodeVarInt,
} from "../fields.ts";
import { versionTable } from "../version-table.ts";
import { atLeast } from "../versions.ts";
import { encodeEmptyChunk } from "./empty-chunk.ts";

/**
 * The packets that put a client of 1.8 to 1.15.2 high up in an empty world, so that it falls: Join
 * Game, one chunk of air, Player Position And Look. These versions need no registries. Source: minecraft.wiki,
 * "Java Edition protocol/Packets", Play (Join Game, Chunk Data, Player Position And Look), and its
 * history.
 *
 * For a verification: after Login Success send `encodeArrival` (the bytes are the same for all
 * players of a version and teleport id: keep them), feed each packet to `decodeMovement` (movement.ts)
 * and, if that returns nothing, to `decodePlayPacket` (play.ts), and the movement to a `FallCheck`
 * (fall-check.ts). After Join Game the client also sends its brand and Client Information.
 *
 * arrival.test.ts lists the versions that were seen to fall.
 */

interface Position {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Position of arriving players: the middle of chunk 0, 0, below the top of the world. */
export const arrival: Position = { x: 8.5, y: 250, z: 8.5 };

const joinGameId = versionTable([
  ["1.8", 0x01],
  ["1.9", 0x23],
  ["1.13", 0x25],
  ["1.15", 0x26],
  ["1.16", undefined],
]);

const positionId = versionTable([
  ["1.8", 0x08],
  ["1.9", 0x2e],
  ["1.12.1", 0x2f],
  ["1.13", 0x32],
  ["1.14", 0x35],
  ["1.15", 0x36],
  ["1.16", undefined],
]);

const entityId = 1;
const survival = 0;
const overworld = 0;
const peaceful = 0;
const playersMax = 1;
/** Chunks. */
const viewDistance = 2;

/** Whether clients of the version can be made to fall. */
export function canFall(protocol: number): boolean {
  return joinGameId(protocol) !== undefined;
}

/**
 * @param teleportId id with which the client confirms the position, 0 or more (movement.ts); 1.8 has
 *   none and sends the position back
 * @returns undefined when `canFall` is false
 */
export function encodeArrival(protocol: number, teleportId: number): Buffer | undefined {
  const joinGame = joinGameId(protocol);
  const position = positionId(protocol);
  const chunk = encodeEmptyChunk(protocol);
  if (joinGame === undefined || position === undefined || chunk === undefined) return undefined;
  return Buffer.concat([
    encodeFrame(joinGame, joinGameFields(protocol)),
    chunk,
    encodeFrame(position, positionFields(protocol, teleportId)),
  ]);
}

function joinGameFields(protocol: number): Buffer {
  const isSince14 = atLeast(protocol, "1.14");
  const isSince15 = atLeast(protocol, "1.15");
  const none = Buffer.alloc(0);
  return Buffer.concat([
    encodeInt(entityId),
    Buffer.of(survival),
    atLeast(protocol, "1.9.1") ? encodeInt(overworld) : Buffer.of(overworld),
    isSince15 ? encodeLong(0n) : none,
    isSince14 ? none : Buffer.of(peaceful),
    Buffer.of(playersMax),
    encodeString("flat"),
    isSince14 ? encodeVarInt(viewDistance) : none,
    // Debug information as always; from 1.15 on also the respawn screen.
    encodeBoolean(false),
    isSince15 ? encodeBoolean(true) : none,
  ]);
}

function positionFields(protocol: number, teleportId: number): Buffer {
  const facing = Buffer.alloc(8);
  const allAbsolute = Buffer.of(0);
  return Buffer.concat([
    encodeDouble(arrival.x),
    encodeDouble(arrival.y),
    encodeDouble(arrival.z),
    facing,
    allAbsolute,
    atLeast(protocol, "1.9") ? encodeVarInt(teleportId) : Buffer.alloc(0),
  ]);
}
