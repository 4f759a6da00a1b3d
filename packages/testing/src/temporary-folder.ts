import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

export interface TemporaryFolder {
  readonly path: string;
  /** Removes it, also while a stopping program still lets go of its files. */
  remove(): Promise<void>;
}

/**
 * Makes a folder for one test. Others may enter it, unlike one of `mkdtemp` alone: for root the
 * embedded PostgreSQL runs as another user, and would have to keep its data elsewhere.
 *
 * @param prefix start of its name, after the product's
 */
export async function createTemporaryFolder(prefix: string): Promise<TemporaryFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), `palisade-${prefix}-`));
  await chmod(folder, 0o755);
  return {
    path: folder,
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
}
