import { chown, lstat, readdir } from "node:fs/promises";
import path from "node:path";

/** The user PostgreSQL runs as when it is not the current one. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

/** Uid and gid of the unprivileged system user: they exist on every Linux, even without a name. */
const UNPRIVILEGED: Identity = { uid: 65_534, gid: 65_534 };

/** initdb and postgres refuse to run as root; for any other user they run as that user. */
export function postgresIdentity(): Identity | undefined {
  return process.getuid?.() === 0 ? UNPRIVILEGED : undefined;
}

/** Gives a folder and everything in it to another user. Does not follow links. */
export async function chownTree(folder: string, identity: Identity): Promise<void> {
  await chown(folder, identity.uid, identity.gid);
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries) {
    const child = path.join(folder, entry.name);
    if (entry.isDirectory()) await chownTree(child, identity);
    else if (!entry.isSymbolicLink()) await chown(child, identity.uid, identity.gid);
  }
}

/**
 * Whether any other user can enter the folder: it and every folder above must have the execute bit
 * for others, which a 0700 home such as /root lacks. Folders that do not exist yet count as open,
 * because we create them so.
 */
export async function isOpenToOthers(folder: string): Promise<boolean> {
  for (let current = path.resolve(folder); ; current = path.dirname(current)) {
    const stats = await lstat(current).catch(() => undefined);
    if (stats !== undefined && (stats.mode & 0o001) === 0) return false;
    if (current === path.dirname(current)) return true;
  }
}
