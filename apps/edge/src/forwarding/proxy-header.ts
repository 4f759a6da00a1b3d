import type { Socket } from "node:net";
import { encodeProxyV2, proxyV2Local } from "@palisade/minecraft-protocol/proxy/proxy-v2";
import type { Backend } from "#src/shields/compiled-shield.ts";
import { endpoint, peerOf } from "./peer.ts";

/** The header with which a backend sees the player in place of the edge. */
export function playerHeader(player: Socket): Buffer {
  const { source, destination } = peerOf(player);
  return encodeProxyV2(source, destination);
}

/**
 * Headers of a connection of the edge's own. `local` is what the specification has for it; but
 * Velocity reads an address from every header and breaks on one without, so there is also
 * `proxy`, which names the edge as the player.
 */
export type OwnHeader = "local" | "proxy";

export function ownHeader(kind: OwnHeader, socket: Socket): Uint8Array {
  if (kind === "local") return proxyV2Local;
  return encodeProxyV2(
    endpoint(socket.localAddress, socket.localPort),
    endpoint(socket.remoteAddress, socket.remotePort),
  );
}

type Refusing = Pick<Backend, "refusedHeader">;

/** The header to try with this backend: LOCAL until it was that which got no answer. */
export function ownHeaderFor({ refusedHeader }: Refusing): OwnHeader {
  return refusedHeader === "local" ? "proxy" : "local";
}

/**
 * The backend took the connection and gave no answer: the other header is tried next time. One
 * failure is not enough to be down, so a backend that needs `proxy` is never taken for it.
 */
export function headerRefused(backend: Refusing): void {
  backend.refusedHeader = ownHeaderFor(backend);
}
