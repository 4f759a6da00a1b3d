import type { Peer } from "#src/admission/peer.ts";
import type { Connection, ConnectionListener } from "@palisade/sockets/tcp-connection";

/** Called when a session does something that a real connection would punish. */
export type ConnectionFault = (what: string) => void;

export interface FakeConnectionOptions {
  readonly remoteAddress: string;
  /** Takes nothing of what it is sent. */
  readonly isSlow: boolean;
  readonly fault: ConnectionFault;
  readonly heard: (bytes: Uint8Array) => void;
  readonly onDestroyed?: () => void;
}

const nothing = Buffer.alloc(0);

/**
 * The edge's side of a connection, without a socket: as `TcpConnection` behaves towards a session.
 * The end is reported with `settle`, after whatever led to it.
 */
export class FakeConnection implements Connection {
  readonly remote: Connection["remote"];
  readonly local = { ip: "198.51.100.1", port: 25_565 };
  readonly #facts: FakeConnectionOptions;
  named: Peer | undefined = undefined;
  isGone = false;
  isClosed = false;
  isPaused = true;
  unsentBytes = 0;
  #listener: ConnectionListener | undefined;
  #hasEnded = false;
  #peerHasEnded = false;
  #isEndTold = false;
  #waiting: Buffer[] = [];

  constructor(facts: FakeConnectionOptions) {
    this.#facts = facts;
    this.remote = { ip: facts.remoteAddress, port: 50_000 };
  }

  /** The client has sent this. */
  deliver(bytes: Buffer): void {
    if (this.isGone || this.#peerHasEnded) return;
    this.#waiting.push(bytes);
    this.settle();
  }

  /** The client has sent its last byte. */
  deliverEnd(): void {
    this.#peerHasEnded = true;
    this.settle();
  }

  /** Passes on the bytes that wait and their consequences. */
  settle(): void {
    while (this.#isRead && this.#waiting.length > 0) {
      const bytes = this.#waiting.shift() ?? nothing;
      this.#listener?.received(bytes);
    }
    if (this.#isRead && this.#peerHasEnded && !this.#isEndTold) {
      this.#isEndTold = true;
      this.#listener?.ended();
    }
    if (this.#hasEnded && this.#isEndTold && this.unsentBytes === 0) this.isGone = true;
    if (!this.isGone || this.isClosed) return;
    this.isClosed = true;
    this.#listener?.closed();
  }

  get #isRead(): boolean {
    return !this.isGone && !this.isPaused && this.#listener !== undefined;
  }

  listen(listener: ConnectionListener | undefined): void {
    this.#listener = listener;
  }

  write(bytes: Uint8Array): boolean {
    if (this.isGone || this.#hasEnded) this.#facts.fault("wrote to a connection that has ended");
    if (this.#facts.isSlow) this.unsentBytes += bytes.length;
    else this.#facts.heard(bytes);
    return !this.#facts.isSlow;
  }

  end(bytes: Uint8Array = nothing): void {
    if (bytes.length > 0) this.write(bytes);
    this.#hasEnded = true;
  }

  closeWhenSent(bytes: Uint8Array = nothing): void {
    if (bytes.length > 0) this.write(bytes);
    this.#hasEnded = true;
    if (this.unsentBytes === 0) this.destroy();
  }

  destroy(): void {
    if (!this.isGone) this.#facts.onDestroyed?.();
    this.isGone = true;
  }

  reset(): void {
    this.destroy();
  }

  release(): undefined {
    return undefined;
  }

  freed(): void {
    // No descriptor is counted here.
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  setNoDelay(): void {
    // Nothing is delayed.
  }

  putBack(bytes: Buffer): void {
    if (bytes.length > 0) this.#waiting.unshift(bytes);
  }

  takeBack(): Buffer {
    return nothing;
  }
}
