import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { freePort } from "@palisade/testing/free-port";
import { createTemporaryFolder, type TemporaryFolder } from "@palisade/testing/temporary-folder";
import { until } from "@palisade/testing/until";

const run = promisify(execFile);
const program = "/usr/sbin/named";

/** For `skip(...)`: `npm test` installs it where it may. */
export const bindMissing = [program, "/usr/bin/dig", "/usr/bin/nsupdate"].every(existsSync)
  ? undefined
  : "needs BIND: apt-get install bind9 bind9-dnsutils";

export const bindKey = {
  name: "palisade-export",
  secret: Buffer.from("a secret of 32 bytes for testing").toString("base64"),
};
/** Known to the server, and not allowed to change anything. */
export const powerlessKey = { ...bindKey, name: "palisade-powerless" };

export interface BindRecord {
  /** Full name without the trailing dot. */
  readonly name: string;
  readonly ttl: number;
  readonly type: string;
  readonly value: string;
}

export interface Bind {
  readonly port: number;
  /** All records of the zone but its SOA, by transfer. */
  records(): Promise<BindRecord[]>;
  serial(): Promise<number>;
  /** Lines for nsupdate, as a person at the provider's would change the zone. */
  change(...lines: string[]): Promise<void>;
  /** Ends it as a restart of its machine would: it keeps what it has on disk. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Ends it and brings the zone back to what it was at first. */
  reset(): Promise<void>;
  remove(): Promise<void>;
}

/** A real BIND, primary of the zone, on a free port of loopback and from a folder of its own. */
export async function startBind(zone: string): Promise<Bind> {
  const folder = await createTemporaryFolder("bind");
  // A copy, because the distribution's AppArmor profile keeps the installed one out of our folder.
  await copyFile(program, path.join(folder.path, "named"));
  await writeZone(folder, zone, 1);
  let port = await freePort();
  let child = await launch(folder, zone, port);
  for (let attempt = 1; child === null; attempt += 1) {
    // Another program took the port in between.
    if (attempt === 5) throw new Error("named does not start");
    port = await freePort();
    child = await launch(folder, zone, port);
  }
  const dig = async (...args: string[]): Promise<string> => {
    const common = ["@127.0.0.1", "-p", String(port), "+tcp", "+noall", "+answer", "+onesoa"];
    return (await run("/usr/bin/dig", [...common, ...args])).stdout;
  };
  const stop = async (): Promise<void> => {
    if (child !== null) await end(child);
    child = null;
  };
  const start = async (): Promise<void> => {
    child = await launch(folder, zone, port);
    if (child === null) throw new Error("named does not start again");
  };
  return {
    get port() {
      return port;
    },
    async records() {
      const text = await dig("axfr", zone);
      return text.split("\n").flatMap((line) => recordOf(line));
    },
    async serial() {
      return Number((await dig(zone, "SOA")).split(/\s+/)[6]);
    },
    async change(...lines) {
      const child = spawn("/usr/bin/nsupdate", [
        "-y",
        `hmac-sha256:${bindKey.name}:${bindKey.secret}`,
      ]);
      child.stdin.end(
        [`server 127.0.0.1 ${port}`, `zone ${zone}`, ...lines, "send", ""].join("\n"),
      );
      const [code] = (await once(child, "close")) as [number];
      if (code !== 0) throw new Error(`nsupdate ended with ${code}`);
    },
    stop,
    start,
    async reset() {
      await stop();
      await writeZone(folder, zone, 1);
    },
    async remove() {
      await stop();
      await folder.remove();
    },
  };
}

async function writeZone(folder: TemporaryFolder, zone: string, serial: number): Promise<void> {
  await rm(path.join(folder.path, "zone.db.jnl"), { force: true });
  await writeFile(
    path.join(folder.path, "zone.db"),
    `$ORIGIN ${zone}.
$TTL 300
@ IN SOA ns.provider.test. hostmaster.provider.test. ${serial} 300 60 604800 30
@ IN NS ns.provider.test.
@ IN TXT "of the provider"
www IN A 192.0.2.80
abcdefghijkl.sub IN A 192.0.2.81
abcdefghijk8 IN A 192.0.2.82
`,
  );
  const key = ({ name, secret }: typeof bindKey): string =>
    `key "${name}" { algorithm hmac-sha256; secret "${secret}"; };\n`;
  await writeFile(path.join(folder.path, "keys.conf"), `${key(bindKey)}${key(powerlessKey)}`);
}

async function launch(
  folder: TemporaryFolder,
  zone: string,
  port: number,
): Promise<ChildProcess | null> {
  const file = path.join(folder.path, "named.conf");
  await writeFile(
    file,
    `include "${folder.path}/keys.conf";
controls { };
options {
  directory "${folder.path}";
  listen-on port ${port} { 127.0.0.1; };
  listen-on-v6 { none; };
  pid-file none;
  session-keyfile none;
  recursion no;
  dnssec-validation no;
  empty-zones-enable no;
  allow-transfer { 127.0.0.1; };
};
zone "${zone}" {
  type primary;
  file "zone.db";
  allow-update { key "${bindKey.name}"; };
};
`,
  );
  const child = spawn(path.join(folder.path, "named"), ["-g", "-n", "1", "-c", file], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said = `${said}${chunk.toString()}`.slice(-8_000);
  });
  try {
    await until(() => child.exitCode !== null || said.includes("running\n"), { what: "named" });
  } catch (error) {
    await end(child);
    throw error;
  }
  if (child.exitCode === null && !said.includes("could not listen")) return child;
  await end(child);
  return null;
}

function recordOf(line: string): BindRecord[] {
  const [name = "", ttl = "", , type = "", ...value] = line.split(/\s+/);
  if (line.startsWith(";") || name === "" || type === "SOA") return [];
  return [{ name: name.replace(/\.$/, ""), ttl: Number(ttl), type, value: value.join(" ").trim() }];
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const kill = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await ended;
  clearTimeout(kill);
}
