import type { ChildProcess } from "node:child_process";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { locatePackage, prepareBinaries } from "./binaries.ts";
import {
  SOCKET_PORT,
  DATABASE,
  ensureDatabase,
  ensureDataFolder,
  ensureSocketFolder,
  OWNER_ROLE,
  RUNTIME_ROLE,
  socketUrl,
} from "./cluster.ts";
import { postgresIdentity, type Identity } from "./identity.ts";
import { chooseClusterFolders, type ClusterFolders } from "./cluster-folders.ts";
import { loadPasswords, refusalOf, requirePasswords } from "./passwords.ts";
import { endPreviousServer } from "./previous-server.ts";
import { programEnd, startProgram } from "./program.ts";

export interface EmbeddedPostgresOptions {
  /** Folder of the cluster. Only one start at a time may use it; the caller holds a lock on it. */
  readonly root: string;
  /** Additional server settings, e.g. `{ fsync: "off" }` for tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Receives the messages of PostgreSQL and of the launcher. */
  readonly log?: (line: string) => void;
}

export interface EmbeddedPostgres {
  /** Superuser, for migrations. Like the other it holds a password. */
  readonly ownerUrl: string;
  /** NOSUPERUSER role; its rights come from migrations. */
  readonly runtimeUrl: string;
  readonly pid: number;
  /** Stops the server, disconnecting its clients. */
  stop(): Promise<void>;
  /** Resolves when the server has ended, expectedly or not. */
  readonly exited: Promise<void>;
}

/** Recovery after a crash replays the log before the server answers. */
const READY_CAP_MS = 120_000;
const READY_POLL_MS = 20;
/** Backends of a killed postmaster end within moments and block a start until then. */
const TAKEOVER_CAP_MS = 5_000;
const TAKEOVER_REASONS = /pre-existing shared memory|lock file|could not bind/;
const FAST_STOP_MS = 20_000;

/**
 * Starts PostgreSQL on a Unix socket and creates missing cluster, roles and database. The server ends
 * when this process ends, also by SIGKILL (if `setpriv` exists).
 *
 * @throws Error with the server's last lines when it does not start
 * @example
 * const postgres = await startEmbeddedPostgres({ root: "/srv/palisade/postgres" });
 * const client = new Client({ connectionString: postgres.runtimeUrl });
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  const identity = postgresIdentity();
  const folders = await chooseClusterFolders(options.root, identity, log);
  const binaries = await prepareBinaries(locatePackage(), folders.binariesParent, identity);
  const isDurable = options.settings?.["fsync"] !== "off";
  await ensureDataFolder(folders.data, binaries, { identity, isDurable, log });
  await ensureSocketFolder(folders.socketFolder, identity);
  await endPreviousServer(folders.data, log);
  const passwords = await loadPasswords(options.root);
  const urlOf = (role: keyof typeof passwords, database: string): string =>
    socketUrl(folders.socketFolder, role, database, passwords[role]);
  const adminUrl = urlOf(OWNER_ROLE, "postgres");
  const { child, ended } = await startServer(
    { binaries, folders, identity, adminUrl },
    options.settings,
    log,
  );
  try {
    await requirePasswords({
      dataFolder: folders.data,
      socketFolder: folders.socketFolder,
      identity,
      passwords,
      reload: () => child.kill("SIGHUP"),
    });
    await ensureDatabase(adminUrl);
  } catch (error) {
    await stopServer(child, ended);
    throw error;
  }
  return {
    ownerUrl: urlOf(OWNER_ROLE, DATABASE),
    runtimeUrl: urlOf(RUNTIME_ROLE, DATABASE),
    pid: child.pid ?? 0,
    exited: ended,
    stop: () => stopServer(child, ended),
  };
}

interface RunningServer {
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
}

interface ServerToStart {
  readonly binaries: string;
  readonly folders: ClusterFolders;
  readonly identity: Identity | undefined;
  readonly adminUrl: string;
}

async function startServer(
  { binaries, folders, identity, adminUrl }: ServerToStart,
  settings: Readonly<Record<string, string>> = {},
  log: (line: string) => void,
): Promise<RunningServer> {
  const takeoverDeadline = Date.now() + TAKEOVER_CAP_MS;
  for (;;) {
    const lastLines: string[] = [];
    const child = await startProgram(
      path.join(binaries, "bin/postgres"),
      serverArgs(folders, settings),
      {
        identity,
        endsWithUs: true,
        log: (line) => {
          lastLines.push(line);
          if (lastLines.length > 20) lastLines.shift();
          log(line);
        },
      },
    );
    const ended = programEnd(child).then(() => undefined);
    if (await becomesReady(child, ended, adminUrl)) return { child, ended };
    const report = lastLines.join("\n");
    if (Date.now() > takeoverDeadline || !TAKEOVER_REASONS.test(report)) {
      throw new Error(`PostgreSQL does not start:\n${report}`);
    }
    await delay(READY_POLL_MS * 10);
  }
}

function serverArgs(folders: ClusterFolders, settings: Readonly<Record<string, string>>): string[] {
  const all = {
    listen_addresses: "",
    port: SOCKET_PORT,
    unix_socket_directories: folders.socketFolder,
    unix_socket_permissions: "0700",
    ...settings,
  };
  return [
    "-D",
    folders.data,
    ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
}

/** False when the server ended, or was stopped because it did not answer in time. */
async function becomesReady(
  child: ChildProcess,
  ended: Promise<void>,
  adminUrl: string,
): Promise<boolean> {
  const deadline = Date.now() + READY_CAP_MS;
  while (child.exitCode === null && child.signalCode === null) {
    if (await answers(adminUrl)) return true;
    if (Date.now() > deadline) await stopServer(child, ended);
    await Promise.race([ended, delay(READY_POLL_MS)]);
  }
  return false;
}

/** A server that asks for a password answers as well. */
async function answers(url: string): Promise<boolean> {
  return refusalOf(url).then(
    () => true,
    () => false,
  );
}

/** Fast shutdown: disconnects clients and writes a checkpoint. After the cap, an immediate one without it. */
async function stopServer(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill("SIGINT");
  const cap = new AbortController();
  const stopped = await Promise.race([
    ended.then(() => true),
    delay(FAST_STOP_MS, false, { signal: cap.signal }).catch(() => false),
  ]);
  cap.abort();
  if (!stopped) child.kill("SIGQUIT");
  await ended;
}
