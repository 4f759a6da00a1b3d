import { encodeVarInt } from "../fields.ts";
import { atLeast } from "../versions.ts";
import { blockStates } from "./limbo-tables.ts";
import { floorBlock, type LimboBlock } from "./place.ts";

/**
 * The blocks of the limbo's only section that is not air, in the forms that the versions have. Source:
 * minecraft.wiki, "Java Edition protocol/Chunk format", and its history.
 */

export const blocksPerSection = 16 * 16 * 16;

/** All blocks of the section, in the order of the protocol: x fastest, then z, then y. */
const blocks: readonly LimboBlock[] = Array.from({ length: blocksPerSection }, (_, index) =>
  floorBlock(index & 15, index >> 8, (index >> 4) & 15),
);

/** In the order of the palette. */
const palette: readonly LimboBlock[] = ["air", "stone", "glass"];

/** Until 1.12.2 a block's number with 4 bits of data behind it; later a number of its state. */
function stateOf(protocol: number, block: LimboBlock): number {
  if (block === "air") return 0;
  return blockStates[block](protocol) ?? 0;
}

/** 1.7: a byte for each block's number, and four bits for its data. */
export function floorOf17(): Buffer {
  const numbers = blocks.map((block) => stateOf(oldestProtocol, block) >> 4);
  return Buffer.concat([Buffer.from(numbers), Buffer.alloc(blocksPerSection / 2)]);
}

const oldestProtocol = 4;

/** 1.8: two bytes for each block, little-endian. */
export function floorOf18(protocol: number): Buffer {
  const states = Buffer.alloc(2 * blocksPerSection);
  for (const [index, block] of blocks.entries()) {
    states.writeUInt16LE(stateOf(protocol, block), 2 * index);
  }
  return states;
}

/**
 * From 1.9 on: four bits for each block, an index into a palette, packed into longs, least significant
 * first. The number of longs is left out from 1.21.5 on.
 */
export function encodePalettedFloor(protocol: number): Buffer {
  const bits = 4;
  const longs = (bits * blocksPerSection) / 64;
  return Buffer.concat([
    Buffer.of(bits),
    encodeVarInt(palette.length),
    ...palette.map((block) => encodeVarInt(stateOf(protocol, block))),
    atLeast(protocol, "1.21.5") ? Buffer.alloc(0) : encodeVarInt(longs),
    indices,
  ]);
}

/** A long is big-endian, so the first of its 16 blocks is in the lower half of its last byte. */
const indices: Buffer = Buffer.alloc(blocksPerSection / 2);
for (const [index, block] of blocks.entries()) {
  const byte = (index >> 4) * 8 + 7 - ((index & 15) >> 1);
  const shift = (index & 1) * 4;
  indices[byte] = (indices[byte] ?? 0) | (palette.indexOf(block) << shift);
}
