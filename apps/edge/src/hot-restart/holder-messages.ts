import type { InternetAddress } from "@palisade/sockets/socket-address";
import type { SessionCopy } from "#src/workers/listening-sockets.ts";

/**
 * Raised when messages change so that an older side would misunderstand them. A holder that hears
 * another number ends, and the edge opens its ports itself.
 */
export const holderProtocol = 1;

/** Most bytes of a message. */
export const holderMessageMax = 512;

/**
 * Sessions that are sent before the other side has answered: the kernel has room for them, and both
 * sides have descriptors for as many twice.
 */
export const sessionsAtOnce = 64;

/**
 * Copies of sessions that a holder keeps of one edge: it has a descriptor for each, and about a kilobyte.
 * The players of others are lost if the edge is killed.
 */
export const copiesMax = 20_000;

/** `transport` is missing for TCP: holders of earlier releases know nothing else. */
export interface HeldAddress extends InternetAddress {
  readonly transport?: "udp";
}

/** From an edge to the process that holds its listening sockets. */
export type ToHolder =
  /** Asks for duplicates of all sockets. */
  | { readonly kind: "adopt" }
  /** Comes with a socket, which replaces one of the same address. */
  | { readonly kind: "keep"; readonly address: HeldAddress }
  | { readonly kind: "drop"; readonly address: HeldAddress }
  /** Comes with the socket of a Bedrock player, for the next edge; `record` is the edge's own. */
  | { readonly kind: "keep-session"; readonly record: string }
  /** Comes with the socket of a Bedrock player of this edge, for the next one if this one is killed. */
  | ({ readonly kind: "copy-session"; readonly record: string } & SessionCopy)
  | ({ readonly kind: "forget-session" } & SessionCopy)
  /** All copies of a worker. */
  | ({ readonly kind: "forget-sessions" } & Pick<SessionCopy, "worker">)
  /** The worker has ended: `take-sessions` brings its copies. */
  | ({ readonly kind: "leave-sessions" } & Pick<SessionCopy, "worker">)
  /**
   * Asks for some of these sockets, which the holder does not have any more. There are no others once
   * the answer brings none.
   */
  | { readonly kind: "take-sessions" }
  /** Asks for a word once everything before is there. */
  | { readonly kind: "sync" }
  /** The edge accepts players. */
  | { readonly kind: "serve" }
  /** The edge stops and has no successor: closes everything and ends. */
  | { readonly kind: "end" };

export type FromHolder =
  /** Comes with a socket. */
  | { readonly kind: "socket"; readonly address: HeldAddress }
  | { readonly kind: "session"; readonly record: string }
  | { readonly kind: "synced" }
  /** Every socket has been sent. Holders of earlier releases leave out what they cannot do. */
  | { readonly kind: "adopted"; readonly takesCopies?: true; readonly leavesCopies?: true }
  /** It has every socket that was sent before `serve`, and the next edge will find it. */
  | { readonly kind: "served" };

export function encodeMessage(message: ToHolder | FromHolder): Buffer {
  return Buffer.from(JSON.stringify({ protocol: holderProtocol, ...message }));
}

/** @returns undefined for a message of another protocol */
export function decodeMessage(bytes: Buffer): unknown {
  try {
    const message: unknown = JSON.parse(bytes.toString());
    const isKnown =
      typeof message === "object" &&
      message !== null &&
      "protocol" in message &&
      message.protocol === holderProtocol;
    return isKnown ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Names a held socket. */
export function addressKey({ ip, port, transport }: HeldAddress): string {
  return `${transport ?? "tcp"} ${ip} ${port}`;
}
