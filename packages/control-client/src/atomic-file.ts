import { open, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";

/** Suffix of files that are being written. Such a file is left by a crash and can be deleted. */
export const temporarySuffix = ".tmp";

let counter = 0;

/**
 * Replaces a file by temporary file, fsync and rename, so that a reader, and a start after kill -9 or
 * power loss, sees the old content or the new one and never a mixture.
 * The rename itself is durable after `syncFolder`.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  options: { readonly mode?: number; readonly beforeRename?: () => void } = {},
): Promise<void> {
  counter += 1;
  const temporary = `${path}.${process.pid}-${counter}${temporarySuffix}`;
  try {
    const file = await open(temporary, "wx", options.mode ?? 0o640);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    options.beforeRename?.();
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

/** Makes renames and removals in the folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** `replaceFile` for a single file that must be durable when this returns. */
export async function replaceFileDurably(
  path: string,
  content: string,
  mode: number,
): Promise<void> {
  await replaceFile(path, content, { mode });
  await syncFolder(dirname(path));
}
