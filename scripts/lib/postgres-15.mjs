import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { aptInstall } from "./apt.mjs";
import { Stop } from "./progress.mjs";
import { capture } from "./run-command.mjs";

const DEBIAN_BIN = "/usr/lib/postgresql/15/bin";
const DEBIAN_CLUSTER_SETTINGS = "/etc/postgresql-common/createcluster.conf";
/** PostgreSQL refuses to run as root. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };

/** Folder of PostgreSQL 15's programs: PG15_BIN, Debian's, or Debian's after installing it. */
export async function ensurePostgres15() {
  const folder = process.env["PG15_BIN"] || DEBIAN_BIN;
  if (existsSync(path.join(folder, "initdb"))) return folder;
  if (folder !== DEBIAN_BIN) throw new Stop(`PG15_BIN names ${folder}, which holds no initdb.`);
  forbidSystemCluster();
  await aptInstall("postgresql-15", {
    alternative: "or set PG15_BIN to the folder with the programs of a PostgreSQL 15.",
  });
  return DEBIAN_BIN;
}

/** Debian's package starts a server unless this is set; the tests need only the programs. */
function forbidSystemCluster() {
  if (process.getuid?.() !== 0 || existsSync(DEBIAN_CLUSTER_SETTINGS)) return;
  mkdirSync(path.dirname(DEBIAN_CLUSTER_SETTINGS), { recursive: true });
  writeFileSync(DEBIAN_CLUSTER_SETTINGS, "create_main_cluster = false\n");
}

/** Starts a temporary cluster on its own socket. */
export async function startCluster(bin) {
  const folder = mkdtempSync(path.join(tmpdir(), "palisade-pg15-"));
  const identity = process.getuid?.() === 0 ? UNPRIVILEGED : {};
  if ("uid" in identity) chownSync(folder, identity.uid, identity.gid);
  const data = path.join(folder, "data");
  const run = async (program, args) => {
    const result = await capture(path.join(bin, program), args, {
      ...identity,
      cwd: "/",
      stdio: ["ignore", "pipe", "pipe"],
    });
    if (result.code !== 0) throw new Stop(`${program} failed:\n${result.output}`);
    return result.output;
  };
  const version = (await run("postgres", ["--version"])).trim();
  await run("initdb", ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"]);
  const settings = [
    "listen_addresses=",
    `unix_socket_directories=${folder}`,
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "max_connections=200",
  ];
  const options = settings.map((setting) => `-c ${setting}`).join(" ");
  const log = path.join(folder, "log");
  await run("pg_ctl", ["-D", data, "-w", "-l", log, "-o", options, "start"]);
  return {
    version,
    adminUrl: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`,
    stop: async () => {
      await run("pg_ctl", ["-D", data, "-w", "-m", "immediate", "stop"]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
