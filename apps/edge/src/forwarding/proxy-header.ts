import type { Socket } from "node:net";
import { type IpBytes, parseIp } from "@palisade/minecraft-protocol/proxy/address";
import { encodeProxyV2, type Endpoint } from "@palisade/minecraft-protocol/proxy/proxy-v2";

const unspecified = new Uint8Array(4);

/** Address of a socket's text, which may carry a zone (`fe80::1%eth0`). */
export function ipOfSocketAddress(text: string | undefined): IpBytes {
  if (text === undefined) return unspecified;
  const zone = text.indexOf("%");
  return parseIp(zone < 0 ? text : text.slice(0, zone)) ?? unspecified;
}

function endpoint(address: string | undefined, port: number | undefined): Endpoint {
  return { ip: ipOfSocketAddress(address), port: port ?? 0 };
}

/** The header with which a backend sees the player in place of the edge. */
export function playerHeader(player: Socket): Buffer {
  return encodeProxyV2(
    endpoint(player.remoteAddress, player.remotePort),
    endpoint(player.localAddress, player.localPort),
  );
}

/**
 * The header of the edge's own connection. Not LOCAL, which the specification
 * has for this: Velocity reads an address from every header and breaks on it.
 */
export function ownHeader(socket: Socket): Buffer {
  return encodeProxyV2(
    endpoint(socket.localAddress, socket.localPort),
    endpoint(socket.remoteAddress, socket.remotePort),
  );
}
