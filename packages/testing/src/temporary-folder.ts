import { chmod, mkdtemp, rm } from "node:fs/promises";
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
 */
export async function createTemporaryFolder(prefix: string): Promise<TemporaryFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), `palisade-${prefix}-`));
  await chmod(folder, 0o755);
  return {
    path: folder,
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
}
