import { FieldReader } from "../fields.ts";
import { versionTable } from "../version-table.ts";

/**
 * Movement packets of clients of 1.8 to 1.15.2. Source: minecraft.wiki, "Java Edition
 * protocol/Packets", Play (Teleport Confirm, Player, Player Position, Player Position And Look,
 * Player Look), and its history.
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
    }
  /** A change of view, or a tick without movement (1.8 sends every one, later versions one in twenty). */
  | { readonly kind: "stood"; readonly onGround: boolean }
  | { readonly kind: "malformed" };

interface Ids {
  readonly teleportConfirm: number;
  readonly position: number;
  readonly positionAndLook: number;
  readonly look: number;
  readonly player: number;
}

function row(
  position: number,
  positionAndLook: number,
  look: number,
  player: number,
  teleportConfirm = 0x00,
): Ids {
  return { teleportConfirm, position, positionAndLook, look, player };
}

const noSuchPacket = -1;

const ids = versionTable<Ids | undefined>([
  ["1.8", row(0x04, 0x06, 0x05, 0x03, noSuchPacket)],
  ["1.9", row(0x0c, 0x0d, 0x0e, 0x0f)],
  ["1.12", row(0x0e, 0x0f, 0x10, 0x0d)],
  ["1.12.1", row(0x0d, 0x0e, 0x0f, 0x0c)],
  ["1.13", row(0x10, 0x11, 0x12, 0x0f)],
  ["1.14", row(0x11, 0x12, 0x13, 0x14)],
  ["1.16", undefined],
]);

const lookBytes = 8;

/**
 * Decodes the packet of `id` whose fields lie between `start` and `end`, exactly.
 *
 * @returns undefined for every other packet, and for other versions
 */
export function decodeMovement(
  protocol: number,
  id: number,
  bytes: Buffer,
  start: number,
  end: number,
): Movement | undefined {
  const known = ids(protocol);
  if (known === undefined || id < 0) return undefined;
  const fields = new FieldReader(bytes, start, end);
  const movement = readMovement(fields, known, id);
  if (movement === undefined || fields.complete) return movement;
  return { kind: "malformed" };
}

function readMovement(fields: FieldReader, known: Ids, id: number): Movement | undefined {
  switch (id) {
    case known.teleportConfirm:
      return { kind: "teleport-confirmed", teleportId: fields.varInt() };
    case known.position:
      return readMoved(fields, 0);
    case known.positionAndLook:
      return readMoved(fields, lookBytes);
    case known.look:
      fields.skip(lookBytes);
      return { kind: "stood", onGround: fields.boolean() };
    case known.player:
      return { kind: "stood", onGround: fields.boolean() };
    default:
      return undefined;
  }
}

function readMoved(fields: FieldReader, skipped: number): Movement {
  const [x, y, z] = [fields.double(), fields.double(), fields.double()];
  fields.skip(skipped);
  return { kind: "moved", x, y, z, onGround: fields.boolean() };
}
