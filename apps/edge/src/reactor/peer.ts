import { formatIp, type IpBytes, parseIp } from "@palisade/minecraft-protocol/proxy/address";
import type { Endpoint } from "@palisade/minecraft-protocol/proxy/proxy-v2";
import type { Connection, Peer } from "./tcp-connection.ts";

const unspecified = new Uint8Array(4);

export function ipOfText(text: string): IpBytes {
  return parseIp(text) ?? unspecified;
}

export function endpoint({ ip, port }: Connection["remote"]): Endpoint {
  return { ip: ipOfText(ip), port };
}

/** The ends of the connection: those that a trusted proxy has named, else the socket's own. */
export function peerOf(connection: Connection): Peer {
  const { named, remote, local } = connection;
  return named ?? { source: endpoint(remote), destination: endpoint(local) };
}

/** The player's address alone. */
export function playerIp({ named, remote }: Connection): IpBytes {
  return named?.source.ip ?? (remote.bytes ??= ipOfText(remote.ip));
}

/** The player's address as it is written in logs. */
export function playerAddress({ named, remote }: Connection): string {
  return named === undefined ? remote.ip : formatIp(named.source.ip);
}
