import { encodeProxyV2, proxyV2Local } from "@palisade/minecraft-protocol/proxy/proxy-v2";
import type { Connection } from "#src/reactor/tcp-connection.ts";
import type { OwnHeader, OwnHeaderChoice } from "#src/shields/compiled-shield.ts";
import { endpoint, peerOf } from "#src/reactor/peer.ts";

/** The header with which a backend sees the player in place of the edge. */
export function playerHeader(player: Connection): Buffer {
  const { source, destination } = peerOf(player);
  return encodeProxyV2(source, destination);
}

export function ownHeader(kind: OwnHeader, connection: Connection): Uint8Array {
  if (kind === "local") return proxyV2Local;
  return encodeProxyV2(endpoint(connection.local), endpoint(connection.remote));
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
 * The backend accepted the connection and gave no answer: the other header is tried next time, or
 * the time after if this one had worked. If several attempts fail together, only one changes the
 * choice.
 */
export function headerRefused({ ownHeader: choice }: Asked, used: OwnHeader): void {
  if (used !== choice.kind) return;
  if (!choice.isProven) choice.kind = used === "local" ? "proxy" : "local";
  choice.isProven = false;
}
