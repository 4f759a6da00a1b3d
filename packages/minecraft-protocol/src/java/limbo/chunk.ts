import { deflateSync } from "node:zlib";
import {
  encodeBoolean,
  encodeByteArray,
  encodeFrame,
  encodeInt,
  encodeLong,
  encodeShort,
  encodeVarInt,
} from "../fields.ts";
import { packetIds } from "../packet-ids.ts";
import { atLeast } from "../versions.ts";
import { blocksPerSection, encodePalettedFloor, floorOf17, floorOf18 } from "./floor.ts";
import { floorSection, solidBlocks, worldSections } from "./place.ts";

/**
 * Chunk 0, 0 of the limbo (place.ts). Source: minecraft.wiki, "Java Edition protocol/Packets", Chunk
 * Data, "Java Edition protocol/Chunk format", and their history; of 26.1, whose sections also count
 * their fluids, the sources of PicoLimbo 1.13 (MIT).
 *
 * Light is left out where the packet has none: until 1.15 a column without light is bright, and later
 * our dimension type gives full light (registries.ts).
 */

const columns = 16 * 16;
/** From 1.15 on a biome holds for 4 by 4 by 4 blocks. */
const biomesOf15 = (columns / 16) * (256 / 4);
/** Plains, until 1.16.1 by a number of the game's; later our only biome. */
const plainsOfGame = 1;
const plainsOfRegistry = 0;
const floorBit = 1 << floorSection;

/** The whole frame, or undefined for versions before 1.7.2. */
export function encodeLimboChunk(protocol: number): Buffer | undefined {
  const id = packetIds.play.toClient.chunk(protocol);
  if (id === undefined) return undefined;
  return encodeFrame(id, encodeInt(0), encodeInt(0), ...contents(protocol));
}

function contents(protocol: number): Buffer[] {
  if (atLeast(protocol, "1.18")) return contentsOf18(protocol);
  if (atLeast(protocol, "1.17")) return contentsOf17(protocol);
  if (atLeast(protocol, "1.14")) return contentsOf14(protocol);
  return [encodeBoolean(true), ...contentsWithLight(protocol)];
}

/** 1.7 to 1.13.2: blocks, light of blocks, light of the sky and biomes in one array. */
function contentsWithLight(protocol: number): Buffer[] {
  if (!atLeast(protocol, "1.8")) return contentsOfOld17();
  const blocks = atLeast(protocol, "1.9") ? encodePalettedFloor(protocol) : floorOf18(protocol);
  const biomes = atLeast(protocol, "1.13") ? intBiomes(columns) : byteBiomes();
  const data = encodeByteArray(Buffer.concat([blocks, darkness, daylight, biomes]));
  if (!atLeast(protocol, "1.9")) return [encodeShort(floorBit), data];
  const bits = encodeVarInt(floorBit);
  return atLeast(protocol, "1.9.3") ? [bits, data, nothing] : [bits, data];
}

/** Minecraft 1.7: two masks of sections, and compressed data behind its length. */
function contentsOfOld17(): Buffer[] {
  const data = Buffer.concat([floorOf17(), darkness, daylight, byteBiomes()]);
  const compressed = deflateSync(data);
  return [encodeShort(floorBit), encodeShort(0), encodeInt(compressed.length), compressed];
}

/** 1.14 to 1.16.5. */
function contentsOf14(protocol: number): Buffer[] {
  const section = withCount(protocol, encodePalettedFloor(protocol));
  const isFirst16 = atLeast(protocol, "1.16") && !atLeast(protocol, "1.16.2");
  const head = [
    encodeBoolean(true),
    // Whether former data of the chunk is ignored.
    isFirst16 ? encodeBoolean(true) : Buffer.alloc(0),
    encodeVarInt(floorBit),
    namedHeights(atLeast(protocol, "1.16") ? longsOf16 : longsOf14, true),
  ];
  if (atLeast(protocol, "1.16.2")) {
    return [...head, registryBiomes(), encodeByteArray(section), nothing];
  }
  if (atLeast(protocol, "1.15")) {
    return [...head, intBiomes(biomesOf15), encodeByteArray(section), nothing];
  }
  return [...head, encodeByteArray(Buffer.concat([section, intBiomes(columns)])), nothing];
}

/** 1.17 and 1.17.1: the mask is an array of longs. */
function contentsOf17(protocol: number): Buffer[] {
  const section = withCount(protocol, encodePalettedFloor(protocol));
  return [
    encodeVarInt(1),
    encodeLong(BigInt(floorBit)),
    namedHeights(longsOf16, true),
    registryBiomes(),
    encodeByteArray(section),
    nothing,
  ];
}

/** From 1.18 on: every section of the world, with its biomes, and light in the same packet. */
function contentsOf18(protocol: number): Buffer[] {
  const biomes = singleValue(protocol, plainsOfRegistry);
  const air = Buffer.concat([countsOf(protocol, 0), singleValue(protocol, 0), biomes]);
  const floor = [withCount(protocol, encodePalettedFloor(protocol)), biomes];
  const sections = Array.from({ length: worldSections }, (_, section) =>
    section === floorSection ? Buffer.concat(floor) : air,
  );
  const trustsEdges = atLeast(protocol, "1.20") ? Buffer.alloc(0) : encodeBoolean(true);
  return [
    heightsOf18(protocol),
    encodeByteArray(Buffer.concat(sections)),
    nothing,
    trustsEdges,
    ...noLight,
  ];
}

/** No block entities: an empty array. */
const nothing = encodeVarInt(0);

/** Four masks of sections and two arrays, all empty. */
const noLight: readonly Buffer[] = Array.from({ length: 6 }, () => encodeVarInt(0));

/** Light has 4 bits per block; from 1.14 on it is a separate packet and may be left out. */
const darkness = Buffer.alloc(blocksPerSection / 2);
const daylight = Buffer.alloc(blocksPerSection / 2, 0xff);

function withCount(protocol: number, blocks: Buffer): Buffer {
  return Buffer.concat([countsOf(protocol, solidBlocks), blocks]);
}

/** Blocks that are not air; from 26.1 on also those with a fluid. */
function countsOf(protocol: number, blocks: number): Buffer {
  const count = encodeShort(blocks);
  return atLeast(protocol, "26.1") ? Buffer.concat([count, encodeShort(0)]) : count;
}

/** A palette of one value has no bits per entry; until 1.21.4 an empty array follows. */
function singleValue(protocol: number, value: number): Buffer {
  const palette = [Buffer.of(0), encodeVarInt(value)];
  if (!atLeast(protocol, "1.21.5")) palette.push(encodeVarInt(0));
  return Buffer.concat(palette);
}

function byteBiomes(): Buffer {
  return Buffer.alloc(columns, plainsOfGame);
}

function intBiomes(count: number): Buffer {
  return Buffer.concat(Array.from({ length: count }, () => encodeInt(plainsOfGame)));
}

function registryBiomes(): Buffer {
  return Buffer.concat([encodeVarInt(biomesOf15), Buffer.alloc(biomesOf15, plainsOfRegistry)]);
}

/** Heights of all columns with 9 bits each: packed without gaps until 1.15, then 7 to a long. */
const longsOf14 = (columns * 9) / 64;
const longsOf16 = Math.ceil(columns / 7);

function heightsOf18(protocol: number): Buffer {
  if (!atLeast(protocol, "1.21.5")) {
    return namedHeights(longsOf16, !atLeast(protocol, "1.20.2"));
  }
  const motionBlocking = 4;
  return Buffer.concat([
    encodeVarInt(1),
    encodeVarInt(motionBlocking),
    encodeVarInt(longsOf16),
    Buffer.alloc(8 * longsOf16),
  ]);
}

/**
 * Heights as NBT: `{MOTION_BLOCKING: [L; 0, ...]}`. Only rain falls by them.
 *
 * @param hasRootName from 1.20.2 on, the outermost compound of a packet has no name
 */
function namedHeights(longs: number, hasRootName: boolean): Buffer {
  const name = "MOTION_BLOCKING";
  const [end, longArray, compound] = [0, 12, 10];
  return Buffer.concat([
    hasRootName ? Buffer.of(compound, 0, 0) : Buffer.of(compound),
    Buffer.of(longArray),
    encodeShort(name.length),
    Buffer.from(name),
    encodeInt(longs),
    Buffer.alloc(8 * longs),
    Buffer.of(end),
  ]);
}
