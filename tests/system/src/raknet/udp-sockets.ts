import { readFileSync } from "node:fs";

/** UDP sockets of the network namespace of a process, as the kernel lists them (proc_net_udp(5)). */

interface UdpLine {
  readonly localPort: number;
  /** As hex, in the order of the machine's bytes, with the port. */
  readonly remote: string;
  readonly drops: number;
}

function socketsOf(pid: number): UdpLine[] {
  return ["udp", "udp6"].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, "utf8")
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields.length > 3)
      .map((fields) => ({
        localPort: Number.parseInt(fields[1]?.split(":")[1] ?? "", 16),
        remote: fields[2] ?? "",
        drops: Number(fields.at(-1)),
      })),
  );
}

/** Sockets that are connected to this IPv4 address and port: one for each session of a backend. */
export function sessionsOf(pid: number, ip: string, port: number): number {
  const bytes = ip.split(".").map(Number).toReversed();
  const hex = [...bytes, port >> 8, port & 255]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .toUpperCase();
  const remote = `${hex.slice(0, 8)}:${hex.slice(8)}`;
  return socketsOf(pid).filter((line) => line.remote === remote).length;
}

/** Datagrams for which sockets of this port had no room. */
export function dropsOf(pid: number, port: number): number {
  return socketsOf(pid)
    .filter(({ localPort }) => localPort === port)
    .reduce((sum, { drops }) => sum + drops, 0);
}
