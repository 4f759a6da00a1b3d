import { mkdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Client, escapeIdentifier } from "pg";
import { chownTree, type Identity } from "./identity.ts";
import { programEnd, startProgram } from "./program.ts";

/** Superuser of the cluster: owns the schema and runs migrations. */
export const OWNER_ROLE = "palisade_owner";
/** Role of the programs: NOSUPERUSER, so that it has only the granted rights. */
export const RUNTIME_ROLE = "palisade_app";
export const DATABASE = "palisade";

/** One for each of our roles. */
export type Passwords = Readonly<Record<typeof OWNER_ROLE | typeof RUNTIME_ROLE, string>>;

interface DataFolderOptions {
  readonly identity: Identity | undefined;
  /** Whether it must survive a power cut from the beginning. */
  readonly isDurable: boolean;
  readonly log: (line: string) => void;
}

/** Creates the data folder if there is none. A crash in between leaves nothing that looks complete. */
export async function ensureDataFolder(
  dataFolder: string,
  binaries: string,
  { identity, isDurable, log }: DataFolderOptions,
): Promise<void> {
  if ((await stat(dataFolder).catch(() => undefined)) !== undefined) return;
  const unfinished = `${dataFolder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  if (identity !== undefined) await chownTree(unfinished, identity);
  const lines: string[] = [];
  const args = ["-D", unfinished, "-U", OWNER_ROLE, "-A", "trust", "-E", "UTF8", "--locale=C"];
  const child = await startProgram(
    path.join(binaries, "bin/initdb"),
    isDurable ? args : [...args, "--no-sync"],
    { identity, log: (line) => lines.push(line) },
  );
  const end = await programEnd(child);
  if (end !== 0) throw new Error(`initdb ended with ${end}:\n${lines.slice(-15).join("\n")}`);
  log("created a new PostgreSQL data folder");
  await rename(unfinished, dataFolder);
}

/**
 * Creates the socket's folder, which only root and the user PostgreSQL runs as may enter: at its first
 * start a cluster knows no passwords yet.
 */
export async function ensureSocketFolder(
  folder: string,
  identity: Identity | undefined,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const ours = identity?.uid ?? process.getuid?.();
  if (identity !== undefined) await chownTree(folder, identity);
  const stats = await stat(folder);
  // Below a shared temporary folder another user may have created it first.
  if (stats.uid !== ours || (stats.mode & 0o077) !== 0) {
    throw new Error(`${folder} must belong to uid ${ours} and be closed to others`);
  }
}

/** Creates the database if there is none. */
export async function ensureDatabase(adminUrl: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const database = await client.query("SELECT FROM pg_database WHERE datname = $1", [DATABASE]);
    if (database.rowCount === 0) {
      await client.query(`CREATE DATABASE ${escapeIdentifier(DATABASE)}`);
    }
  } finally {
    await client.end();
  }
}

/** Part of the socket's name. Always given, because `pg` would use PGPORT otherwise. */
export const SOCKET_PORT = "5432";

/** A URL of the cluster's Unix socket for `pg`, whatever PG* variables are set. */
export function socketUrl(
  socketFolder: string,
  role: string,
  database: string,
  password: string,
): string {
  const host = encodeURIComponent(socketFolder);
  return `postgres://${role}:${password}@localhost:${SOCKET_PORT}/${database}?host=${host}&sslmode=disable`;
}
