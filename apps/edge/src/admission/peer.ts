import { formatIp, type IpBytes, parseIp } from "@palisade/minecraft-protocol/proxy/address";
import type { Endpoint } from "@palisade/minecraft-protocol/proxy/proxy-v2";
import type { InternetAddress } from "@palisade/sockets/socket-address";
import type { NamedEnds } from "@palisade/sockets/tcp-connection";

/** Both ends of a player's connection, as the player sees them. */
export type Peer = NamedEnds;

/** A connection, as far as its ends are concerned. */
interface Ends {
  /** As a trusted proxy has named them. */
  readonly named: Peer | undefined;
  readonly remote: InternetAddress;
  readonly local: InternetAddress;
}

const unspecified = new Uint8Array(4);

export function ipOfText(text: string): IpBytes {
  return parseIp(text) ?? unspecified;
}

export function endpoint({ ip, port }: InternetAddress): Endpoint {
  return { ip: ipOfText(ip), port };
}

/** The ends of the connection: those that a trusted proxy has named, else the socket's own. */
export function peerOf(connection: Ends): Peer {
  const { named, remote, local } = connection;
  return named ?? { source: endpoint(remote), destination: endpoint(local) };
}

/** The player's address alone. */
export function playerIp({ named, remote }: Omit<Ends, "local">): IpBytes {
  return named?.source.ip ?? (remote.bytes ??= ipOfText(remote.ip));
}

/** The player's address as it is written in logs. */
export function playerAddress({ named, remote }: Omit<Ends, "local">): string {
  return named === undefined ? remote.ip : formatIp(named.source.ip);
}
