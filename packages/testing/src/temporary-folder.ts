import { access, chmod, constants, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

export interface TemporaryFolder {
  readonly path: string;
  /** Removes it, also while a stopping program still closes its files. */
  remove(): Promise<void>;
}

/**
 * Creates a folder for one test. Unlike with `mkdtemp` alone, other users may enter it: for root the
 * embedded PostgreSQL runs as another user and would have to keep its data elsewhere.
 *
 * @param prefix first part of its name, after the product's
 * @param within the folder it is made in
 */
export async function createTemporaryFolder(
  prefix: string,
  within = tmpdir(),
): Promise<TemporaryFolder> {
  const folder = await mkdtemp(path.join(within, `palisade-${prefix}-`));
  await chmod(folder, 0o755);
  return {
    path: folder,
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
}

const memoryFolder = "/dev/shm";
/** Containers often have 64 MiB there, which databases fill. */
const memoryBytesMin = 4 * 1024 ** 3;

/**
 * A folder in memory, if this machine has one that is large enough: a database is over a thousand
 * small files, and a disk's file system takes ten times as long to copy them.
 */
export async function fastFolder(): Promise<string> {
  try {
    await access(memoryFolder, constants.W_OK);
    const { bavail, bsize } = await statfs(memoryFolder);
    return bavail * bsize >= memoryBytesMin ? memoryFolder : tmpdir();
  } catch {
    return tmpdir();
  }
}
