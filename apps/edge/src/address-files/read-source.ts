import { open } from "node:fs/promises";
import { vpnLimits } from "./limits.ts";
import { parseList } from "./parse-list.ts";
import { readMmdb } from "./read-mmdb.ts";
import type { SourceRead } from "./parsed-list.ts";
import { keepLastGood } from "./last-good-copies.ts";

export interface SourceFile {
  readonly path: string;
  readonly name: string;
  /** Path for a copy of the file if it is in order. */
  readonly spare?: string;
}

export function isMmdb(path: string): boolean {
  return path.toLowerCase().endsWith(".mmdb");
}

/** Never rejects: what is wrong with the file is in the answer. */
export async function readSource({ path, name, spare }: SourceFile): Promise<SourceRead> {
  const bytesMax = isMmdb(path) ? vpnLimits.mmdbBytesMax : vpnLimits.listBytesMax;
  try {
    const found = await readBounded(path, bytesMax);
    if (found === undefined) return { problem: `is larger than ${bytesMax} bytes` };
    const { bytes, modifiedMs } = found;
    const read = readBytes(path, name, bytes);
    if (spare !== undefined && read.problem === undefined) {
      // Without a copy the next start makes do with the file.
      await keepLastGood(spare, bytes, modifiedMs).catch(() => undefined);
    }
    return { ...read, modifiedMs };
  } catch (error) {
    // Only the disk gets here: no right, no descriptor left, a fault of its own.
    const problem = error instanceof Error ? error.message : "cannot be read";
    return { problem, isPassing: true };
  }
}

/** @param path by whose ending the format is known */
export function readBytes(path: string, name: string, bytes: Buffer): SourceRead {
  return isMmdb(path) ? readMmdb(name, bytes) : parseList(name, bytes);
}

interface FileContent {
  readonly bytes: Buffer;
  readonly modifiedMs: number;
}

async function readBounded(path: string, bytesMax: number): Promise<FileContent | undefined> {
  const file = await open(path, "r");
  try {
    const { size, mtimeMs: modifiedMs } = await file.stat();
    if (size > bytesMax) return undefined;
    const bytes = Buffer.alloc(size);
    const { bytesRead } = await file.read(bytes, 0, size, 0);
    return { bytes: bytes.subarray(0, bytesRead), modifiedMs };
  } finally {
    await file.close();
  }
}
