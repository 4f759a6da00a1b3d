import { createHash } from "node:crypto";
import { chmod, mkdir, readFile, realpath, rename, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { isOpenToOthers, type Identity } from "./identity.ts";

/** The folders of one cluster. */
export interface ClusterFolders {
  readonly data: string;
  readonly socketFolder: string;
  /** Parent folder for a copy of the programs, if one is needed. */
  readonly binariesParent: string;
}

/** Holds clusters whose root cannot be entered by the user PostgreSQL runs as. */
const SYSTEM_STATE = "/var/lib/palisade";
/** File in such a root that names its folder below SYSTEM_STATE. */
const MARKER = "data-is-in";
/** A Unix socket's path has 108 bytes in the kernel, the last of them NUL. */
const SOCKET_PATH_BYTES_MAX = 107;
const SOCKET_NAME = ".s.PGSQL.5432.lock";

/**
 * Chooses and creates the folders of a cluster.
 *
 * @param root folder for the cluster; created when missing
 * @param identity the user PostgreSQL runs as, if not the current one
 * @throws Error when that user can no longer enter the folder of the existing data
 */
export async function chooseClusterFolders(
  root: string,
  identity: Identity | undefined,
  log: (line: string) => void,
): Promise<ClusterFolders> {
  await mkdir(root, { recursive: true });
  const own = await realpath(root);
  const marked = await readFile(path.join(own, MARKER), "utf8").catch(() => undefined);
  if (marked !== undefined) return foldersIn(await openFolder(marked.trim()), SYSTEM_STATE);
  if (identity === undefined || (await isOpenToOthers(own))) return foldersIn(own, own);
  if (await exists(path.join(own, "data"))) {
    throw new Error(
      `The PostgreSQL data in ${own} belongs to uid ${identity.uid}, which cannot enter that folder ` +
        "any more. Give the folders above it the execute permission for others (chmod o+x).",
    );
  }
  const base = path.join(SYSTEM_STATE, digest(own));
  await setAside(base, log);
  await openFolder(base);
  await writeFile(path.join(own, MARKER), `${base}\n`);
  return foldersIn(base, SYSTEM_STATE);
}

function foldersIn(base: string, binariesParent: string): ClusterFolders {
  return {
    data: path.join(base, "data"),
    socketFolder: shortSocketFolder(base),
    binariesParent,
  };
}

/** PostgreSQL's user must be able to pass, whatever the umask; the data folder itself is closed. */
async function openFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const part of [SYSTEM_STATE, folder]) await chmod(part, 0o755);
  return folder;
}

/** A root that was deleted and created again starts empty; the data of the deleted one is moved aside. */
async function setAside(base: string, log: (line: string) => void): Promise<void> {
  if (!(await exists(base))) return;
  const aside = `${base}.${new Date().toISOString().replaceAll(/[:.]/g, "-")}`;
  await rename(base, aside);
  log(`${base} held the data of a folder that was deleted; it is kept in ${aside}`);
}

/** The socket is beside the data, or below the temporary folder when that path is too long. */
function shortSocketFolder(base: string): string {
  const beside = path.join(base, "socket");
  if (Buffer.byteLength(path.join(beside, SOCKET_NAME)) < SOCKET_PATH_BYTES_MAX) return beside;
  const user = process.getuid?.() ?? "user";
  const temporary = Buffer.byteLength(tmpdir()) < 40 ? tmpdir() : "/tmp";
  return path.join(temporary, `palisade-${user}-${digest(base)}`);
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
