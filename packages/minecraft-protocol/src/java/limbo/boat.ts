import { encodeDouble, encodeFrame, encodeInt, encodeVarInt } from "../fields.ts";
import { packetIds } from "../packet-ids.ts";
import { versionTable } from "../version-table.ts";
import { atLeast } from "../versions.ts";
import { entityTypes } from "./entity-types.ts";

/**
 * A boat that a player sits in, from 1.9 on: since then the client of the player moves it and tells its
 * positions. Source: minecraft-data, `protocol.json`, play, toClient (spawn_entity, set_passengers,
 * entity_destroy); minecraft.wiki, "Java Edition protocol/Packets", Spawn Entity, for the boat's number
 * before 1.14.
 */

interface Boat {
  readonly entityId: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

const boatTypeBefore14 = 1;

/** The type's field: a byte, and from 1.14 on a VarInt. */
const boatType = versionTable<(protocol: number) => Buffer>([
  ["1.9", () => Buffer.of(boatTypeBefore14)],
  ["1.14", (protocol) => encodeVarInt(entityTypes.boat(protocol) ?? boatTypeBefore14)],
]);

/** Yaw and pitch as parts of a turn. */
const noRotation = Buffer.of(0, 0);
const noHeadRotation = Buffer.of(0);
/** Three numbers of 16 bits. */
const noVelocity = Buffer.alloc(6);
/** The packed form of later versions has one byte for a vector of zero. */
const noPackedVelocity = Buffer.of(0);

/** Whether the client moves a boat by itself and tells where it is. */
export function canSteerBoat(protocol: number): boolean {
  return atLeast(protocol, "1.9");
}

/** A boat without a speed. @returns undefined when `canSteerBoat` is false */
export function encodeBoat(protocol: number, { entityId, x, y, z }: Boat): Buffer | undefined {
  const id = packetIds.play.toClient.spawnEntity(protocol);
  const type = boatType(protocol)?.(protocol);
  if (id === undefined || type === undefined) return undefined;
  const isSince19 = atLeast(protocol, "1.19");
  const hasPackedVelocity = atLeast(protocol, "1.21.9");
  const fields = [encodeVarInt(entityId), uuidOf(entityId), type];
  fields.push(encodeDouble(x), encodeDouble(y), encodeDouble(z));
  if (hasPackedVelocity) fields.push(noPackedVelocity);
  fields.push(noRotation);
  if (isSince19) fields.push(noHeadRotation);
  // Data, which boats have no use for.
  fields.push(isSince19 ? encodeVarInt(0) : encodeInt(0));
  if (!hasPackedVelocity) fields.push(noVelocity);
  return encodeFrame(id, ...fields);
}

/** Entities that one client sees have different ones. */
function uuidOf(entityId: number): Buffer {
  const uuid = Buffer.alloc(16);
  uuid.writeInt32BE(entityId, 12);
  return uuid;
}

/**
 * Seats entities in a vehicle, in place of those who sat there.
 *
 * @returns undefined when `canSteerBoat` is false
 */
export function encodePassengers(
  protocol: number,
  vehicleId: number,
  passengerIds: readonly number[],
): Buffer | undefined {
  const id = packetIds.play.toClient.passengers(protocol);
  if (id === undefined) return undefined;
  const fields = [vehicleId, passengerIds.length, ...passengerIds].map(encodeVarInt);
  return encodeFrame(id, ...fields);
}

/** @returns undefined when `canSteerBoat` is false */
export function encodeEntityRemoval(protocol: number, entityId: number): Buffer | undefined {
  const id = packetIds.play.toClient.removeEntities(protocol);
  if (id === undefined || !canSteerBoat(protocol)) return undefined;
  // 1.17 has a packet for one entity, all others have one for many.
  const isForOne = atLeast(protocol, "1.17") && !atLeast(protocol, "1.17.1");
  return isForOne
    ? encodeFrame(id, encodeVarInt(entityId))
    : encodeFrame(id, encodeVarInt(1), encodeVarInt(entityId));
}
