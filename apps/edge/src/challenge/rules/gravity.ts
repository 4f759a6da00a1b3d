import { encodeArrival } from "@palisade/minecraft-protocol/java/gravity/arrival";
import { decodeMovement, type Movement } from "@palisade/minecraft-protocol/java/gravity/movement";
import type { Packet } from "./client-state.ts";

/** Encoded worlds by protocol: at most as many as there are versions that can fall. */
const arrivals = new Map<number, { readonly teleportId: number; readonly bytes: Buffer }>();

/**
 * The packets that put a player into an empty world.
 *
 * @param teleportId the client confirms its position with it
 * @returns undefined if a player of this version cannot be made to fall
 */
export function arrivalOf(protocol: number, teleportId: number): Buffer | undefined {
  const known = arrivals.get(protocol);
  if (known?.teleportId === teleportId) return known.bytes;
  const bytes = encodeArrival(protocol, teleportId);
  if (bytes !== undefined) arrivals.set(protocol, { teleportId, bytes });
  return bytes;
}

export function movementOf(
  protocol: number,
  bytes: Buffer,
  { id, bodyStart, bodyEnd }: Packet,
): Movement | undefined {
  return decodeMovement(protocol, id, bytes, bodyStart, bodyEnd);
}
