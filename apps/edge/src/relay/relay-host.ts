import type { Socket } from "node:net";
import type { BackendReader } from "#src/forwarding/backend-reader.ts";

/** Counts the bytes that a relay has moved. */
export interface RelayMeter {
  /** Bytes from the player to the backend. */
  bytesUp: number;
  bytesDown: number;
}

/** Events of a relayed player. Each is sent at most once, `onClosed` last and always. */
export interface RelayEvents {
  /** The backend has sent something. */
  onAnswered(): void;
  /** The player has sent more than the bytes they were handed over with. */
  onSpoke(): void;
  /** The backend has closed without sending a byte to a player who was still connected. */
  onHungUp(): void;
  /** Both connections are gone. */
  onClosed(): void;
}

/** The player and the backend; another front needs it to go on counting. */
export interface RelayIds {
  readonly shield: string;
  readonly backend: string;
  /** Of `sourceKey`. */
  readonly source: string;
  /** The connection counts towards a limit of its shield. */
  readonly isUnparsed: boolean;
}

export interface RelayOrder {
  readonly player: Socket;
  /** Connected, and opened with `allowHalfOpen`, as the player's is. */
  readonly backend: Socket;
  /** The backend's. */
  readonly reader: BackendReader;
  /** PROXY header, or nothing: goes to the backend first, and is no traffic of the player's. */
  readonly header: Buffer;
  /** Every byte the player was heard to send: goes to the backend next. */
  readonly head: Buffer;
  readonly ids: RelayIds;
  readonly meter: RelayMeter;
  readonly events: RelayEvents;
}

export interface RunningRelay {
  /** Ends both sides without waiting for either; `onClosed` follows. */
  destroy(): void;
}

/**
 * Forwards the bytes of admitted players. No byte has been written to either socket before `take`;
 * from then on both belong to the host.
 */
export interface RelayHost {
  take(order: RelayOrder): RunningRelay;
  /** Ends every player; some hosts need a moment for it. */
  stop(): void | Promise<void>;
}
