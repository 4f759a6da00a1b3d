import { open } from "node:fs/promises";
import { vpnLimits } from "./limits.ts";
import { parseList } from "./parse-list.ts";
import { readMmdb } from "./read-mmdb.ts";
import type { SourceRead } from "./source-image.ts";

export interface SourceFile {
  readonly path: string;
  readonly name: string;
}

export function isMmdb(path: string): boolean {
  return path.endsWith(".mmdb");
}

/** Never rejects: what is wrong with the file is in the answer. */
export async function readSource({ path, name }: SourceFile): Promise<SourceRead> {
  const bytesMax = isMmdb(path) ? vpnLimits.mmdbBytesMax : vpnLimits.listBytesMax;
  try {
    const bytes = await readBounded(path, bytesMax);
    if (bytes === undefined) return { problem: `is larger than ${bytesMax} bytes` };
    return readBytes(path, name, bytes);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : "cannot be read" };
  }
}

/** @param path by whose ending the format is known */
export function readBytes(path: string, name: string, bytes: Buffer): SourceRead {
  return isMmdb(path) ? readMmdb(name, bytes) : parseList(name, bytes);
}

async function readBounded(path: string, bytesMax: number): Promise<Buffer | undefined> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (size > bytesMax) return undefined;
    const bytes = Buffer.alloc(size);
    const { bytesRead } = await file.read(bytes, 0, size, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
