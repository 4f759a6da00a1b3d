import {
  encodeBoolean,
  encodeByteArray,
  encodeFrame,
  encodeInt,
  encodeShort,
  encodeVarInt,
} from "../fields.ts";
import { versionTable } from "../version-table.ts";
import { atLeast } from "../versions.ts";

/**
 * Chunk 0, 0 full of air, because a client without a chunk does not move. Source: minecraft.wiki, "Java
 * Edition protocol/Packets", Chunk Data, "Java Edition protocol/Chunk format", and their history.
 *
 * The empty lowest section is sent too: 1.8, and some clients of later versions, unload a chunk without
 * sections.
 */

const chunkId = versionTable([
  ["1.8", 0x21],
  ["1.9", 0x20],
  ["1.13", 0x22],
  ["1.14", 0x21],
  ["1.15", 0x22],
  ["1.16", undefined],
]);

const columns = 16 * 16;
const blocksPerSection = 16 * columns;
/** From 1.15 on a biome holds for 4 by 4 by 4 blocks. */
const biomesOf15 = (columns / 16) * (256 / 4);
const plains = 1;

/** @returns undefined for versions that need registries, and for 1.7, which needs less */
export function encodeEmptyChunk(protocol: number): Buffer | undefined {
  const id = chunkId(protocol);
  if (id === undefined) return undefined;
  const isWhole = encodeBoolean(true);
  const lowestSection = atLeast(protocol, "1.9") ? encodeVarInt(1) : encodeShort(1);
  return encodeFrame(id, encodeInt(0), encodeInt(0), isWhole, lowestSection, ...contents(protocol));
}

function contents(protocol: number): Buffer[] {
  const noBlockEntities = encodeVarInt(0);
  if (atLeast(protocol, "1.15")) {
    const section = encodeByteArray(airWithCount());
    return [noHeights(), intBiomes(biomesOf15), section, noBlockEntities];
  }
  if (atLeast(protocol, "1.14")) {
    const data = Buffer.concat([airWithCount(), intBiomes(columns)]);
    return [noHeights(), encodeByteArray(data), noBlockEntities];
  }
  const biomes = atLeast(protocol, "1.13") ? intBiomes(columns) : Buffer.alloc(columns, plains);
  const blocks = atLeast(protocol, "1.9") ? palettedAir() : airOf8();
  const data = encodeByteArray(Buffer.concat([blocks, darkness, daylight, biomes]));
  return atLeast(protocol, "1.9.3") ? [data, noBlockEntities] : [data];
}

/** Light has 4 bits per block; from 1.14 on it is a separate packet and may be left out. */
const darkness = Buffer.alloc(blocksPerSection / 2);
const daylight = Buffer.alloc(blocksPerSection / 2, 0xff);

/** Two bytes a block. */
function airOf8(): Buffer {
  return Buffer.alloc(2 * blocksPerSection);
}

/** The number of blocks that are not air, then the blocks. */
function airWithCount(): Buffer {
  return Buffer.concat([encodeShort(0), palettedAir()]);
}

/** Four bits per block, each an index into a palette that holds only air. */
function palettedAir(): Buffer {
  const bits = 4;
  const longs = (bits * blocksPerSection) / 64;
  return Buffer.concat([
    Buffer.of(bits),
    encodeVarInt(1),
    encodeVarInt(0),
    encodeVarInt(longs),
    Buffer.alloc(8 * longs),
  ]);
}

function intBiomes(count: number): Buffer {
  return Buffer.concat(Array.from({ length: count }, () => encodeInt(plains)));
}

/** Heights of all columns, 9 bits each, as NBT: `{MOTION_BLOCKING: [L; 0, ...]}`. */
function noHeights(): Buffer {
  const name = "MOTION_BLOCKING";
  const longs = (columns * 9) / 64;
  const [end, longArray, compound] = [0, 12, 10];
  return Buffer.concat([
    Buffer.of(compound, 0, 0, longArray),
    encodeShort(name.length),
    Buffer.from(name),
    encodeInt(longs),
    Buffer.alloc(8 * longs),
    Buffer.of(end),
  ]);
}
