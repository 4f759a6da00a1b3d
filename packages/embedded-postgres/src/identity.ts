import { chown, lstat, readdir } from "node:fs/promises";
import path from "node:path";

/** The user PostgreSQL runs as where that is not our own. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

/** nobody / nogroup: exists by number on every Linux, also where no name is given to it. */
const NOBODY: Identity = { uid: 65_534, gid: 65_534 };

/** initdb and postgres refuse to run as root; as anybody else they run as that user. */
export function postgresIdentity(): Identity | undefined {
  return process.getuid?.() === 0 ? NOBODY : undefined;
}

/** Hands a folder and everything in it to another user. Links are not followed. */
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
 * Whether any other user can enter the folder: the execute bit for others on it and on every
 * folder above. Below a 0700 home such as /root it is missing. Folders that do not exist yet
 * count as open, as we create them so.
 */
export async function isOpenToOthers(folder: string): Promise<boolean> {
  for (let current = path.resolve(folder); ; current = path.dirname(current)) {
    const stats = await lstat(current).catch(() => undefined);
    if (stats !== undefined && (stats.mode & 0o001) === 0) return false;
    if (current === path.dirname(current)) return true;
  }
}
