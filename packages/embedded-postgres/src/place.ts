import { createHash } from "node:crypto";
import { chmod, mkdir, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { isOpenToOthers, type Identity } from "./identity.ts";

/** Where the parts of one cluster live. */
export interface Place {
  /** Folder of everything below except, possibly, the socket. */
  readonly base: string;
  readonly data: string;
  readonly socketFolder: string;
}

/** Folder for clusters whose own root the user PostgreSQL runs as cannot enter. */
const SYSTEM_STATE = "/var/lib/palisade";
/** A Unix socket's path has 108 bytes in the kernel, the last of them NUL. */
const SOCKET_PATH_BYTES_MAX = 107;
const SOCKET_NAME = ".s.PGSQL.5432.lock";

/**
 * Chooses and creates the folders of a cluster.
 *
 * @param root folder the caller wants the cluster in; created when missing
 * @param identity the user PostgreSQL runs as, if not ours
 */
export async function choosePlace(root: string, identity: Identity | undefined): Promise<Place> {
  await mkdir(root, { recursive: true });
  const own = await realpath(root);
  const isReachable = identity === undefined || (await isOpenToOthers(own));
  const base = isReachable ? own : await systemFolder(own);
  return { base, data: path.join(base, "data"), socketFolder: shortSocketFolder(base) };
}

async function systemFolder(root: string): Promise<string> {
  const folder = path.join(SYSTEM_STATE, digest(root));
  await mkdir(folder, { recursive: true });
  // Whatever the umask, PostgreSQL's user must be able to pass; the data folder itself is closed.
  for (const part of [SYSTEM_STATE, folder]) await chmod(part, 0o755);
  return folder;
}

/** The socket lies with the data, or below the temporary folder where that path is too long. */
export function shortSocketFolder(base: string): string {
  const beside = path.join(base, "socket");
  if (Buffer.byteLength(path.join(beside, SOCKET_NAME)) < SOCKET_PATH_BYTES_MAX) return beside;
  const user = process.getuid?.() ?? "user";
  const temporary = Buffer.byteLength(tmpdir()) < 40 ? tmpdir() : "/tmp";
  return path.join(temporary, `palisade-${user}-${digest(base)}`);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
