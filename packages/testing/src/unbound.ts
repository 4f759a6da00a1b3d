import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import { freePort } from "./free-port.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";
import { until } from "./until.ts";

const program = "/usr/sbin/unbound";

/** For `skip(...)`: `npm test` installs it if it can. */
export const unboundMissing = existsSync(program)
  ? undefined
  : "needs unbound: apt-get install unbound";

export interface UnboundOptions {
  /** Authoritative server of each zone, as `address:port`. */
  readonly zones: Readonly<Record<string, string>>;
  /** 0 disables the cache. */
  readonly cacheSecondsMax?: number;
  /** Largest datagram it announces; with 512, larger answers come over TCP. */
  readonly ednsBytes?: number;
}

export interface Unbound {
  /** `address:port`. */
  readonly address: string;
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * A real recursive resolver on a free port of loopback. It knows only the given zones, mixes the case
 * of its questions (0x20) and runs in its own folder.
 */
export async function startUnbound(options: UnboundOptions): Promise<Unbound> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const folder = await createTemporaryFolder("unbound");
    const file = path.join(folder.path, "unbound.conf");
    await writeFile(file, configuration(options, folder.path, port));
    const child = spawn(program, ["-d", "-p", "-c", file], { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said = `${said}${chunk.toString()}`.slice(-4_000);
    });
    const stop = async (): Promise<void> => {
      await end(child);
      await folder.remove();
    };
    try {
      await until(() => child.exitCode !== null || isOpen(port), { what: "unbound" });
      if (child.exitCode === null) return { address: `127.0.0.1:${port}`, port, stop };
    } catch (error) {
      await stop();
      throw error;
    }
    await stop();
    // Another program took the port in between.
    if (attempt === 5) throw new Error(`unbound does not start:\n${said}`);
  }
}

function configuration(options: UnboundOptions, folder: string, port: number): string {
  const zones = Object.entries(options.zones).map(
    ([name, address]) =>
      `stub-zone:\n  name: "${name}."\n  stub-addr: ${address.replace(":", "@")}\n`,
  );
  return `server:
  username: ""
  chroot: ""
  directory: "${folder}"
  use-syslog: no
  logfile: ""
  interface: 127.0.0.1
  port: ${port}
  num-threads: 1
  do-ip6: no
  do-not-query-localhost: no
  module-config: "iterator"
  use-caps-for-id: yes
  edns-buffer-size: ${options.ednsBytes ?? 1232}
  cache-max-ttl: ${options.cacheSecondsMax ?? 86_400}
  cache-max-negative-ttl: ${options.cacheSecondsMax ?? 86_400}
  infra-host-ttl: ${options.cacheSecondsMax ?? 900}
  # Otherwise it answers these itself, with NXDOMAIN.
  local-zone: "localhost." nodefault
  local-zone: "test." nodefault
remote-control:
  control-enable: no
${zones.join("")}`;
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const kill = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await ended;
  clearTimeout(kill);
}
