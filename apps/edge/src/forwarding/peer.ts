import type { Socket } from "node:net";
import { formatIp, type IpBytes, parseIp } from "@palisade/minecraft-protocol/proxy/address";
import type { Endpoint } from "@palisade/minecraft-protocol/proxy/proxy-v2";

/** Both ends of a player's connection, as the player sees them. */
export interface Peer {
  readonly source: Endpoint;
  /** The address the player connected to. */
  readonly destination: Endpoint;
}

const unspecified = new Uint8Array(4);
const namedPeer = Symbol("peer");

interface NamedSocket extends Socket {
  [namedPeer]?: Peer;
}

/** Address of a socket's text, which may carry a zone (`fe80::1%eth0`). */
export function ipOfSocketAddress(text: string | undefined): IpBytes {
  if (text === undefined) return unspecified;
  const zone = text.indexOf("%");
  return parseIp(zone < 0 ? text : text.slice(0, zone)) ?? unspecified;
}

export function endpoint(address: string | undefined, port: number | undefined): Endpoint {
  return { ip: ipOfSocketAddress(address), port: port ?? 0 };
}

/** Sets the ends of a connection that a trusted proxy has named. */
export function namePeer(socket: NamedSocket, peer: Peer): void {
  socket[namedPeer] = peer;
}

/** The ends of the connection: those that a trusted proxy has named, else the socket's own. */
export function peerOf(socket: NamedSocket): Peer {
  return (
    socket[namedPeer] ?? {
      source: endpoint(socket.remoteAddress, socket.remotePort),
      destination: endpoint(socket.localAddress, socket.localPort),
    }
  );
}

/** The player's address alone. */
export function playerIp(socket: NamedSocket): IpBytes {
  return socket[namedPeer]?.source.ip ?? ipOfSocketAddress(socket.remoteAddress);
}

/** The player's address as it is written in logs. */
export function playerAddress(socket: NamedSocket): string | undefined {
  const named = socket[namedPeer];
  return named === undefined ? socket.remoteAddress : formatIp(named.source.ip);
}
