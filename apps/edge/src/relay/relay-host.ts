import type { Socket } from "node:net";
import type { BackendReader } from "#src/forwarding/backend-reader.ts";

/** Where a relay counts what it moved. */
export interface RelayMeter {
  /** Bytes from the player to the backend. */
  bytesUp: number;
  bytesDown: number;
}

/** What becomes of a player who is relayed. Each is told once at most, `onClosed` last and always. */
export interface RelayEvents {
  /** The backend has sent something. */
  onAnswered(): void;
  /** The player has sent something, beyond what he is handed over with. */
  onSpoke(): void;
  /** The backend has ended without a word to a player who was still there. */
  onHungUp(): void;
  /** Both connections are gone. */
  onClosed(): void;
}

/** Who plays where: with it another front goes on counting him. */
export interface RelayIds {
  readonly shield: string;
  readonly backend: string;
  /** Of `sourceKey`. */
  readonly source: string;
  /** One of those of which a shield may only have so many. */
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
 * Who passes on the bytes of admitted players. Nobody has written to either socket so far, and from
 * `take` on both are the host's alone.
 */
export interface RelayHost {
  take(order: RelayOrder): RunningRelay;
  /** Ends every player; some hosts need a moment for it. */
  stop(): void | Promise<void>;
}
