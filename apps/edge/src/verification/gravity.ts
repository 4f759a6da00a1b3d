import { randomInt } from "node:crypto";
import { encodeArrival } from "@palisade/minecraft-protocol/java/gravity/arrival";
import { decodeMovement, type Movement } from "@palisade/minecraft-protocol/java/gravity/movement";
import type { Packet } from "./client-stage.ts";

/** What clients confirm their place with; of this start, so that no answer can be recorded. */
export const teleportId: number = randomInt(1, 0x7fff_ffff);

/** By protocol: as many as there are versions that can fall. */
const arrivals = new Map<number, Buffer>();

/** Undefined where the version cannot be made to fall. */
export function arrivalOf(protocol: number): Buffer | undefined {
  const kept = arrivals.get(protocol);
  if (kept !== undefined) return kept;
  const arrival = encodeArrival(protocol, teleportId);
  if (arrival !== undefined) arrivals.set(protocol, arrival);
  return arrival;
}

export function movementOf(
  protocol: number,
  bytes: Buffer,
  { id, bodyStart, bodyEnd }: Packet,
): Movement | undefined {
  return decodeMovement(protocol, id, bytes, bodyStart, bodyEnd);
}
