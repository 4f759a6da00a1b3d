import { FieldReader } from "../fields.ts";
import { packetIds } from "../packet-ids.ts";
import { atLeast } from "../versions.ts";

/**
 * Movement packets of clients in the play state. Source: minecraft.wiki, "Java Edition
 * protocol/Packets", Play (Confirm Teleportation, Set Player Position, Set Player Position and
 * Rotation, Set Player Rotation, Set Player Movement Flags), and its history.
 */

export type Movement =
  | { readonly kind: "teleport-confirmed"; readonly teleportId: number }
  | {
      readonly kind: "moved";
      readonly x: number;
      /** Height of the feet. */
      readonly y: number;
      readonly z: number;
      readonly onGround: boolean;
      /** Whether a wall stops the player; only from 1.21.2 on. */
      readonly againstWall?: boolean;
    }
  /**
   * A change of view, or a tick without movement: 1.8 and older send every one, later versions one in
   * twenty, and from 1.21.2 on also a change of the two flags.
   */
  | { readonly kind: "stood"; readonly onGround: boolean; readonly againstWall?: boolean }
  | { readonly kind: "malformed" };

const ids = packetIds.play.toServer;
const lookBytes = 8;
const onGroundFlag = 1;
const againstWallFlag = 2;

/**
 * Decodes the packet of `id` whose fields lie between `start` and `end`, exactly.
 *
 * @returns undefined for every other packet
 */
export function decodeMovement(
  protocol: number,
  id: number,
  bytes: Buffer,
  start: number,
  end: number,
): Movement | undefined {
  const fields = new FieldReader(bytes, start, end);
  const movement = readMovement(fields, protocol, id);
  if (movement === undefined || fields.complete) return movement;
  return { kind: "malformed" };
}

function readMovement(fields: FieldReader, protocol: number, id: number): Movement | undefined {
  switch (id) {
    case ids.teleportConfirm(protocol):
      return { kind: "teleport-confirmed", teleportId: fields.varInt() };
    case ids.position(protocol):
      return readMoved(fields, protocol, 0);
    case ids.positionAndLook(protocol):
      return readMoved(fields, protocol, lookBytes);
    case ids.look(protocol):
      fields.skip(lookBytes);
      return { kind: "stood", ...readFlags(fields, protocol) };
    case ids.standing(protocol):
      return { kind: "stood", ...readFlags(fields, protocol) };
    default:
      return undefined;
  }
}

function readMoved(fields: FieldReader, protocol: number, skipped: number): Movement {
  const x = fields.double();
  const y = atLeast(protocol, "1.8") ? fields.double() : readFeet(fields);
  const z = fields.double();
  fields.skip(skipped);
  return { kind: "moved", x, y, z, ...readFlags(fields, protocol) };
}

/**
 * 1.7 sends the heights of feet and eyes. Sources differ about their order, and the eyes are above the
 * feet in every posture.
 */
function readFeet(fields: FieldReader): number {
  return Math.min(fields.double(), fields.double());
}

/** Until 1.21.2 a boolean; then a byte whose other bits have no meaning yet. */
function readFlags(
  fields: FieldReader,
  protocol: number,
): { onGround: boolean; againstWall?: boolean } {
  if (!atLeast(protocol, "1.21.2")) return { onGround: fields.boolean() };
  const flags = fields.unsignedByte();
  return {
    onGround: (flags & onGroundFlag) !== 0,
    againstWall: (flags & againstWallFlag) !== 0,
  };
}
