import { createHash } from "node:crypto";
import { mkdir, readdir, stat, unlink, utimes } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { replaceFile } from "@palisade/control-client/atomic-file";

/**
 * The last good version of each list, in the edge's own folder, for a start that finds a broken
 * one. A copy has its list's ending and time.
 */

const fileMode = 0o600;
const hashCharacters = 16;

export function lastGoodPath(folder: string, path: string): string {
  const hash = createHash("sha256").update(path).digest("hex").slice(0, hashCharacters);
  return join(folder, `${hash}${extname(path).toLowerCase()}`);
}

/** Does nothing if it is the same already. */
export async function keepLastGood(
  spare: string,
  bytes: Buffer,
  modifiedMs: number,
): Promise<void> {
  const facts = await stat(spare).catch(() => undefined);
  const modified = new Date(modifiedMs);
  if (facts?.size === bytes.length && facts.mtime.getTime() === modified.getTime()) return;
  await mkdir(dirname(spare), { recursive: true });
  await replaceFile(spare, bytes, { mode: fileMode });
  await utimes(spare, modified, modified);
}

/** Removes the copies of lists that are gone. */
export async function dropOtherCopies(folder: string, spares: ReadonlySet<string>): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const others = names.map((name) => join(folder, name)).filter((path) => !spares.has(path));
  await Promise.all(others.map((path) => unlink(path).catch(() => undefined)));
}
