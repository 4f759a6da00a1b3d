import { brotliDecompressSync } from "node:zlib";
import { FieldReader } from "../fields.ts";
import { packedSets, registriesIndex, tagsIndex } from "./limbo-tables.ts";

/**
 * The registries that a client needs before it enters a world, from limbo-tables.ts: one biome, one
 * dimension type, and of the others what the game refuses to start without. Until 1.20.1 they are part
 * of Join Game (the registries, then, from 1.16.2 to 1.18.2, the dimension type again), until 1.20.4 a
 * packet of the configuration state, and later one packet for each registry.
 */

let sets: readonly (readonly Buffer[])[] | undefined;

/** The parts of the version's set; none before 1.16. The table is unpacked at the first call. */
export function registriesOf(protocol: number): readonly Buffer[] {
  return setAt(registriesIndex(protocol));
}

/**
 * The fields of an Update Tags packet with the tags that entries and the game's own items name: a client
 * leaves if one is missing, but accepts one without entries. Undefined for versions that need none.
 */
export function neededTagsOf(protocol: number): Buffer | undefined {
  return setAt(tagsIndex(protocol))[0];
}

function setAt(index: number | undefined): readonly Buffer[] {
  if (index === undefined) return [];
  sets ??= unpack();
  return sets[index] ?? [];
}

/** Far more than the table has. */
const bytesMax = 4 * 1024 * 1024;

/** Reads: the number of sets; of each, the number of its parts; each part behind its length. */
function unpack(): readonly (readonly Buffer[])[] {
  const bytes = brotliDecompressSync(Buffer.from(packedSets, "base64"), {
    maxOutputLength: bytesMax,
  });
  const fields = new FieldReader(bytes, 0, bytes.length);
  const all: Buffer[][] = [];
  for (let left = fields.unsignedByte(); left > 0; left--) {
    const parts: Buffer[] = [];
    for (let more = fields.unsignedByte(); more > 0; more--) parts.push(fields.byteArray(bytesMax));
    all.push(parts);
  }
  if (!fields.complete) throw new Error("the table of registries is damaged");
  return all;
}
