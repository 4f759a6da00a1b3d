import {
  fits,
  malformedPacket,
  otherPacket,
  unknownPacket,
  type ClientPacket,
} from "../client-packet.ts";
import { readClientInformation } from "../client-information.ts";
import { FieldReader } from "../fields.ts";
import { decodeMovement, type Movement } from "./movement.ts";
import { packetIds } from "../packet-ids.ts";
import { readKeepAliveField } from "../play.ts";
import { readPluginMessage } from "../plugin-message.ts";
import { atLeast, currentProtocol, isKnown, newestRelease } from "../versions.ts";

/**
 * Packets of a client in the play state, decoded once for all checks, from 1.7.2 on. Source:
 * minecraft-data, `protocol.json`, play, toServer; the meanings are those of minecraft.wiki, "Java Edition
 * protocol/Packets", Play, Serverbound.
 */
export type LimboPacket =
  | Exclude<ClientPacket, { kind: "configuration-finished" }>
  | Movement
  | { readonly kind: "arm"; readonly hand: "main" | "off" }
  /** The selected place of the hotbar; an honest client sends 0 to 8. */
  | { readonly kind: "held-item"; readonly slot: number }
  /** The vehicle that the player steers has moved: a boat, from 1.9 on. */
  | {
      readonly kind: "vehicle-move";
      readonly x: number;
      readonly y: number;
      readonly z: number;
      readonly yaw: number;
      readonly pitch: number;
    }
  /** Keys of the player. Before 1.21.2 clients send it each tick in a vehicle, later when a key changes. */
  | {
      readonly kind: "player-input";
      /** Left is positive, and so is forward. */
      readonly sideways: number;
      readonly forward: number;
      readonly jumps: boolean;
      readonly sneaks: boolean;
    }
  | { readonly kind: "boat-paddles"; readonly left: boolean; readonly right: boolean }
  | {
      readonly kind: "resource-pack-status";
      /** The pack, as 32 hexadecimal digits; undefined before 1.20.3. */
      readonly uuid: string | undefined;
      readonly status: number;
    }
  /** Signatures are not checked. */
  | { readonly kind: "chat"; readonly message: string }
  /** Without its slash; from 1.19 on. Earlier clients send commands as chat. */
  | { readonly kind: "chat-command"; readonly command: string }
  | { readonly kind: "pong"; readonly id: number }
  | { readonly kind: "chunk-batch-received" }
  | { readonly kind: "tick-end" }
  | { readonly kind: "player-loaded" };

/** Up to 256 UTF-16 units, each of which takes at most 3 bytes. */
const chatBytesMax = 768;
/** 40 characters. */
const hashBytesMax = 120;
const uuidBytes = 16;

const jumpFlag = 0x01;
const unmountFlag = 0x02;
const inputFlags = {
  forward: 0x01,
  backward: 0x02,
  left: 0x04,
  right: 0x08,
  jump: 0x10,
  sneak: 0x20,
} as const;

type Read = (fields: FieldReader, protocol: number) => LimboPacket;
/** Movement has a decoder of its own. */
type Reader = Read | "movement";

const ids = packetIds.play.toServer;

/** Each reader reads all fields of its packet. */
const readers: readonly (readonly [idOf: (protocol: number) => number | undefined, Reader])[] = [
  [
    ids.keepAlive,
    (fields, protocol) => ({ kind: "keep-alive", id: readKeepAliveField(fields, protocol) }),
  ],
  [
    ids.clientInformation,
    (fields, protocol) => ({
      kind: "client-information",
      information: readClientInformation(fields, protocol),
    }),
  ],
  [ids.pluginMessage, (fields, protocol) => readPluginMessage(fields, protocol) ?? malformedPacket],
  [ids.teleportConfirm, "movement"],
  [ids.position, "movement"],
  [ids.positionAndLook, "movement"],
  [ids.look, "movement"],
  [ids.standing, "movement"],
  [ids.arm, readArm],
  [ids.heldItem, (fields) => ({ kind: "held-item", slot: fields.unsignedShort() })],
  [ids.vehicleMove, readVehicleMove],
  [ids.playerInput, readPlayerInput],
  [
    ids.boatPaddles,
    (fields) => ({ kind: "boat-paddles", left: fields.boolean(), right: fields.boolean() }),
  ],
  [ids.resourcePackStatus, readResourcePackStatus],
  [ids.chat, readChat],
  [ids.chatCommand, readChatCommand],
  [ids.pong, (fields) => ({ kind: "pong", id: fields.int() })],
  [ids.chunkBatchReceived, readChunkBatchReceived],
  [ids.tickEnd, () => ({ kind: "tick-end" })],
  [ids.playerLoaded, () => ({ kind: "player-loaded" })],
];

interface VersionReaders {
  readonly byId: ReadonlyMap<number, Reader>;
  /** The highest id that clients send. */
  readonly highest: number;
}

/** One entry for each protocol number in the table of versions at most. */
const byProtocol = new Map<number, VersionReaders>();

function readersOf(protocol: number): VersionReaders {
  const known = byProtocol.get(protocol);
  if (known !== undefined) return known;
  const byId = new Map<number, Reader>();
  for (const [idOf, reader] of readers) {
    const id = idOf(protocol);
    if (id !== undefined) byId.set(id, reader);
  }
  const created = { byId, highest: ids.highest(protocol) ?? -1 };
  byProtocol.set(protocol, created);
  return created;
}

/** Decodes the packet of `id` whose fields lie between `start` and `end`, exactly. Never throws. */
export function decodeLimboPacket(
  protocol: number,
  id: number,
  bytes: Buffer,
  start: number,
  end: number,
): LimboPacket {
  // Numbers after the table are read as its newest version, and earlier unknown ones not at all.
  const isInTable = isKnown(protocol);
  if (!isInTable && !atLeast(protocol, newestRelease)) return unknownPacket;
  const { byId, highest } = readersOf(isInTable ? protocol : currentProtocol);
  const reader = byId.get(id);
  if (reader === undefined) {
    return id < 0 || (isInTable && id > highest) ? unknownPacket : otherPacket;
  }
  if (reader === "movement") return decodeMovement(protocol, id, bytes, start, end) ?? otherPacket;
  const fields = new FieldReader(bytes, start, end);
  const packet = reader(fields, protocol);
  return fits(fields, protocol) ? packet : malformedPacket;
}

/** 1.7 names the player and the kind of the animation; 1.8 has no fields. */
function readArm(fields: FieldReader, protocol: number): LimboPacket {
  if (!atLeast(protocol, "1.9")) {
    if (!atLeast(protocol, "1.8")) fields.skip(4 + 1);
    return { kind: "arm", hand: "main" };
  }
  const hand = fields.varInt();
  if (hand !== 0 && hand !== 1) return malformedPacket;
  return { kind: "arm", hand: hand === 0 ? "main" : "off" };
}

function readVehicleMove(fields: FieldReader, protocol: number): LimboPacket {
  const packet: LimboPacket = {
    kind: "vehicle-move",
    x: fields.double(),
    y: fields.double(),
    z: fields.double(),
    yaw: fields.float(),
    pitch: fields.float(),
  };
  if (atLeast(protocol, "1.21.4")) fields.boolean();
  return packet;
}

function readPlayerInput(fields: FieldReader, protocol: number): LimboPacket {
  if (atLeast(protocol, "1.21.2")) return inputOf(fields.unsignedByte());
  const [sideways, forward] = [fields.float(), fields.float()];
  if (!atLeast(protocol, "1.8")) {
    return {
      kind: "player-input",
      sideways,
      forward,
      jumps: fields.boolean(),
      sneaks: fields.boolean(),
    };
  }
  const flags = fields.unsignedByte();
  return {
    kind: "player-input",
    sideways,
    forward,
    jumps: (flags & jumpFlag) !== 0,
    sneaks: (flags & unmountFlag) !== 0,
  };
}

function inputOf(flags: number): LimboPacket {
  const pressed = (flag: number): number => ((flags & flag) === 0 ? 0 : 1);
  const { forward, backward, left, right, jump, sneak } = inputFlags;
  return {
    kind: "player-input",
    sideways: pressed(left) - pressed(right),
    forward: pressed(forward) - pressed(backward),
    jumps: pressed(jump) === 1,
    sneaks: pressed(sneak) === 1,
  };
}

/** Names the pack by its hash before 1.10, not at all before 1.20.3, then by its UUID. */
function readResourcePackStatus(fields: FieldReader, protocol: number): LimboPacket {
  const hasUuid = atLeast(protocol, "1.20.3");
  if (!atLeast(protocol, "1.10")) fields.string(hashBytesMax);
  const uuid = hasUuid ? fields.bytes(uuidBytes).toString("hex") : undefined;
  return { kind: "resource-pack-status", uuid, status: fields.varInt() };
}

/** From 1.19 on a signature and what the client has seen follow the text. */
function readChat(fields: FieldReader, protocol: number): LimboPacket {
  const message = fields.string(chatBytesMax);
  if (atLeast(protocol, "1.19")) fields.skip(fields.remaining);
  return { kind: "chat", message };
}

/** As chat; from 1.20.5 on signed commands are another packet. */
function readChatCommand(fields: FieldReader, protocol: number): LimboPacket {
  const command = fields.string(chatBytesMax);
  if (!atLeast(protocol, "1.20.5")) fields.skip(fields.remaining);
  return { kind: "chat-command", command };
}

/** The client says how many chunks it takes in a tick. */
function readChunkBatchReceived(fields: FieldReader): LimboPacket {
  fields.float();
  return { kind: "chunk-batch-received" };
}
