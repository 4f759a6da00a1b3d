import {
  encodeBoolean,
  encodeFrame,
  encodeInt,
  encodeLong,
  encodeString,
  encodeVarInt,
} from "../fields.ts";
import { packetIds } from "../packet-ids.ts";
import { atLeast } from "../versions.ts";
import { registriesOf } from "./registries.ts";

/**
 * Join Game. Source: minecraft.wiki, "Java Edition protocol/Packets", Play, Login (play), and its
 * history; the field of 26.2 from the sources of PicoLimbo 1.13 (MIT).
 *
 * The player is in adventure mode, in which a client breaks no block by itself, and no screen hides a
 * death. The world is flat, so the sky is clear down to the ground.
 */

export const worldName = "minecraft:overworld";

const entityId = encodeInt(1);
const adventure = 2;
const noFormerMode = 0xff;
const overworld = 0;
const peaceful = 0;
const playersMax = 1;
/** Chunks. */
const viewDistance = encodeVarInt(2);
const no = encodeBoolean(false);
const yes = encodeBoolean(true);
const nothing = Buffer.alloc(0);
const noSeed = encodeLong(0n);
const onlyWorld = Buffer.concat([encodeVarInt(1), encodeString(worldName)]);
const name = encodeString(worldName);
/** The overworld, for its look. */
const dimensionType = name;

/** The whole frame; empty before 1.7.2. */
export function encodeJoinGame(protocol: number): Buffer {
  const id = packetIds.play.toClient.joinGame(protocol);
  if (id === undefined) return nothing;
  if (atLeast(protocol, "1.20.2")) return encodeFrame(id, ...fieldsOf20(protocol));
  if (atLeast(protocol, "1.16")) return encodeFrame(id, ...fieldsOf16(protocol));
  return encodeFrame(id, ...oldFields(protocol));
}

function oldFields(protocol: number): Buffer[] {
  const isSince14 = atLeast(protocol, "1.14");
  const isSince15 = atLeast(protocol, "1.15");
  return [
    entityId,
    Buffer.of(adventure),
    atLeast(protocol, "1.9.1") ? encodeInt(overworld) : Buffer.of(overworld),
    isSince15 ? noSeed : nothing,
    isSince14 ? nothing : Buffer.of(peaceful),
    Buffer.of(playersMax),
    encodeString("flat"),
    isSince14 ? viewDistance : nothing,
    // Less debug information; from 1.15 on also the respawn screen.
    atLeast(protocol, "1.8") ? no : nothing,
    isSince15 ? yes : nothing,
  ];
}

/** 1.16 to 1.20.1: with the registries as NBT. */
function fieldsOf16(protocol: number): Buffer[] {
  const isSecond = atLeast(protocol, "1.16.2");
  const [codec = nothing, dimension = nothing] = registriesOf(protocol);
  const isNamed = !isSecond || atLeast(protocol, "1.19");
  return [
    entityId,
    isSecond ? no : nothing,
    Buffer.of(adventure, noFormerMode),
    onlyWorld,
    codec,
    isNamed ? dimensionType : dimension,
    name,
    noSeed,
    isSecond ? encodeVarInt(playersMax) : Buffer.of(playersMax),
    viewDistance,
    // The distance within which the world moves.
    atLeast(protocol, "1.18") ? viewDistance : nothing,
    no,
    yes,
    ...worldShape,
    atLeast(protocol, "1.19") ? no : nothing,
    atLeast(protocol, "1.20") ? encodeVarInt(0) : nothing,
  ];
}

/** Not a debug world, but a flat one. */
const worldShape = [no, yes];

/** From 1.20.2 on: the registries came in the configuration state. */
function fieldsOf20(protocol: number): Buffer[] {
  const isSince5 = atLeast(protocol, "1.20.5");
  const onlyDimensionType = encodeVarInt(0);
  return [
    entityId,
    no,
    onlyWorld,
    encodeVarInt(playersMax),
    viewDistance,
    viewDistance,
    no,
    yes,
    // Whether only known recipes can be made.
    no,
    isSince5 ? onlyDimensionType : dimensionType,
    name,
    noSeed,
    Buffer.of(adventure, noFormerMode),
    ...worldShape,
    // No place of death, and no wait before the next portal.
    no,
    encodeVarInt(0),
    atLeast(protocol, "1.21.2") ? encodeVarInt(seaLevel) : nothing,
    // Whether accounts are checked.
    atLeast(protocol, "26.2") ? no : nothing,
    // Otherwise the client warns that chat is not signed.
    isSince5 ? yes : nothing,
  ];
}

const seaLevel = 63;
