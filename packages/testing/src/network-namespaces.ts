import { execFileSync, spawn, type ChildProcess, type SpawnOptions } from "node:child_process";

/**
 * Two machines on one cable, as network namespaces: the edge's, and the clients', which has whole
 * networks of addresses. Nothing in them reaches the machine's own network.
 */
export interface TestNetwork {
  readonly edge: Namespace;
  readonly clients: Namespace;
  /** Ends all processes in them and removes them. */
  remove(): void;
}

export interface Namespace {
  readonly name: string;
  readonly ip4: string;
  readonly ip6: string;
  /** Like `spawn`, inside the namespace. */
  spawn(command: string, args: readonly string[], options?: SpawnOptions): ChildProcess;
  /** Runs a command and waits. @throws when it fails */
  run(command: string, ...args: string[]): string;
}

/** All addresses of these networks belong to the clients' namespace. */
export const clientNetworks = { ip4: "10.64.0.0/10", ip6: "fd64::/32" } as const;

/** The program of iproute2. */
const ipProgram = "ip";
const searchPath = `/usr/sbin:/sbin:/usr/bin:/bin:${process.env["PATH"] ?? ""}`;
const environment = { ...process.env, PATH: searchPath };

/** Why namespaces cannot be created here; undefined when they can. */
export function namespacesMissing(): string | undefined {
  if (process.getuid?.() !== 0) return "network namespaces need root";
  const name = `palisade-probe-${process.pid}`;
  try {
    run("ip", "netns", "add", name);
    run("ip", "netns", "delete", name);
    return undefined;
  } catch (error) {
    return `no network namespaces here: ${error instanceof Error ? error.message : String(error)}`;
  }
}

let networks = 0;

export function createTestNetwork(): TestNetwork {
  const id = `pl${process.pid}-${++networks}`;
  const edge = namespace(`${id}-edge`, "10.63.0.2", "fd63::2");
  const clients = namespace(`${id}-clients`, "10.63.0.1", "fd63::1");
  const remove = (): void => {
    for (const { name } of [edge, clients]) removeNamespace(name);
    process.off("exit", remove);
  };
  process.on("exit", remove);
  try {
    for (const { name } of [edge, clients]) run("ip", "netns", "add", name);
    const ends = ["type", "veth", "peer", "name", "cable", "netns", clients.name];
    run("ip", "link", "add", "cable", "netns", edge.name, ...ends);
    for (const side of [edge, clients]) {
      side.run("ip", "link", "set", "lo", "up");
      side.run("ip", "addr", "add", `${side.ip4}/24`, "dev", "cable");
      side.run("ip", "addr", "add", `${side.ip6}/64`, "dev", "cable", "nodad");
      side.run("ip", "link", "set", "cable", "up");
    }
    clients.run("ip", "route", "add", "local", clientNetworks.ip4, "dev", "lo");
    clients.run("ip", "-6", "route", "add", "local", clientNetworks.ip6, "dev", "lo");
    // Binding to an IPv6 address needs the address itself, not only a route to it.
    clients.run("sh", "-c", "echo 1 > /proc/sys/net/ipv6/ip_nonlocal_bind");
    edge.run("ip", "route", "add", clientNetworks.ip4, "via", clients.ip4);
    edge.run("ip", "-6", "route", "add", clientNetworks.ip6, "via", clients.ip6);
  } catch (error) {
    remove();
    throw error;
  }
  return { edge, clients, remove };
}

function namespace(name: string, ip4: string, ip6: string): Namespace {
  const inside = ["netns", "exec", name];
  return {
    name,
    ip4,
    ip6,
    spawn: (command, args, options = {}) =>
      spawn(ipProgram, [...inside, command, ...args], { env: environment, ...options }),
    run: (command, ...args) => run("ip", ...inside, command, ...args),
  };
}

/** Kills the processes in it by pid, then removes the namespace itself. */
function removeNamespace(name: string): void {
  try {
    for (const pid of run("ip", "netns", "pids", name).split("\n").filter(Boolean)) {
      if (Number(pid) !== process.pid) process.kill(Number(pid), "SIGKILL");
    }
    run("ip", "netns", "delete", name);
  } catch {
    // It was never created, or is gone already.
  }
}

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, {
    encoding: "utf8",
    env: environment,
    stdio: "pipe",
    maxBuffer: 64 * 1024 * 1024,
  });
}
