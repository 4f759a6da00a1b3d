import type { SocketAddresses } from "@palisade/sockets/socket-address";
import type { DatagramVerdict } from "#src/telemetry/datagram-counts.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { BedrockDeps } from "./bedrock-deps.ts";
import type { OpenedByClient } from "./upstream-handshake.ts";

/** A session as its port sees it: of a player, or of a client that is being refused. */
export interface PortSession {
  /**
   * Whether a client's request to open a connection is the one that has opened this session, and not for
   * another connection.
   */
  isOpenedBy(guid: bigint): boolean;
  /** Tells the client again that its connection is open: it may have missed it. */
  answerAgain(): void;
  end(): undefined;
}

/** The port of a session. */
export interface SessionHome {
  readonly fd: number;
  readonly port: number;
  readonly deps: BedrockDeps;
  readonly shield: CompiledShield;
  readonly isClosed: boolean;
  /** Addresses of clients, by the numbers of sessions. */
  readonly table: { readonly addresses: SocketAddresses };
  /** Answers the client of a session at once. */
  send(number: number, bytes: Uint8Array): void;
  /** Counts a datagram that gets no answer, as traffic that is not the shield's. */
  drop(verdict: DatagramVerdict, bytes: number): void;
  /** The session is over. */
  forget(number: number): void;
  /** Shows a client the reason of its refusal, in place of its session. */
  refuse(session: RefusedSession, mtu: number, message: string): void;
}

export interface RefusedSession extends PortSession {
  readonly number: number;
  readonly request: OpenedByClient;
}
