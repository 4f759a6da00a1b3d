import type { Socket } from "node:net";
import { encodeProxyV2, proxyV2Local } from "@palisade/minecraft-protocol/proxy/proxy-v2";
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

/** Which header a backend is asked with next. */
export interface OwnHeaderChoice {
  kind: OwnHeader;
  /** Answered to since it was last refused. */
  isProven: boolean;
}

/** A backend, as far as it is asked. */
interface Asked {
  readonly ownHeader: OwnHeaderChoice;
}

/** The header to try with this backend: LOCAL until it was that which got no answer. */
export function ownHeaderFor({ ownHeader: { kind } }: Asked): OwnHeader {
  return kind;
}

/** The backend gave an answer. */
export function headerTook({ ownHeader: choice }: Asked, used: OwnHeader): void {
  if (used === choice.kind) choice.isProven = true;
}

/**
 * The backend took the connection and gave no answer: the other header is tried next time, or the
 * time after where this one had worked. Of attempts that fail together, one changes the choice.
 */
export function headerRefused({ ownHeader: choice }: Asked, used: OwnHeader): void {
  if (used !== choice.kind) return;
  if (!choice.isProven) choice.kind = used === "local" ? "proxy" : "local";
  choice.isProven = false;
}
