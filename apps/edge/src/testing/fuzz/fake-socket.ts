import { EventEmitter } from "node:events";
import type { Socket } from "node:net";

/** Called when a connection does something that a real socket would punish. */
export type SocketFault = (what: string) => void;

export interface FakeSocketOptions {
  readonly remoteAddress: string;
  /** Takes nothing of what it is sent. */
  readonly isSlow: boolean;
  readonly fault: SocketFault;
  readonly heard: (bytes: Buffer) => void;
  readonly onDestroyed?: () => void;
}

/**
 * The edge's side of a connection, without one: as a socket of `net` behaves towards a session.
 * 'close' comes with `settle`, after whatever led to it.
 */
export class FakeSocket extends EventEmitter {
  readonly remoteAddress: string;
  readonly remotePort = 50_000;
  readonly localAddress = "198.51.100.1";
  readonly localPort = 25_565;
  readonly #facts: FakeSocketOptions;
  destroyed = false;
  writableLength = 0;
  isClosed = false;
  #isPaused = false;
  #hasEnded = false;
  #peerHasEnded = false;
  #waiting: Buffer[] = [];

  constructor(facts: FakeSocketOptions) {
    super();
    this.#facts = facts;
    this.remoteAddress = facts.remoteAddress;
  }

  /** As what the edge's code takes. It implements what that calls, nothing more. */
  get asSocket(): Socket {
    return this as unknown as Socket;
  }

  /** The client has sent this. */
  deliver(bytes: Buffer): void {
    if (this.destroyed || this.#peerHasEnded) return;
    this.#waiting.push(bytes);
    this.settle();
  }

  /** The client has sent its last byte. */
  deliverEnd(): void {
    if (this.destroyed || this.#peerHasEnded) return;
    this.#peerHasEnded = true;
    if (this.#waiting.length === 0) this.emit("end");
    this.settle();
  }

  /** Gives on what waits and what has come of it. */
  settle(): void {
    while (this.#waiting.length > 0 && this.#isRead) {
      this.emit("data", this.#waiting.shift());
      if (this.#waiting.length === 0 && this.#peerHasEnded && !this.destroyed) this.emit("end");
    }
    if (this.#hasEnded && this.#peerHasEnded && this.writableLength === 0) this.destroyed = true;
    if (!this.destroyed || this.isClosed) return;
    this.isClosed = true;
    this.emit("close");
  }

  get #isRead(): boolean {
    return !this.destroyed && !this.#isPaused && this.listenerCount("data") > 0;
  }

  write(bytes: Buffer): boolean {
    if (this.destroyed || this.#hasEnded) this.#facts.fault("wrote to a connection that has ended");
    if (this.#facts.isSlow) this.writableLength += bytes.length;
    else this.#facts.heard(bytes);
    return !this.#facts.isSlow;
  }

  end(bytes?: Buffer): this {
    if (bytes !== undefined) this.write(bytes);
    this.#hasEnded = true;
    return this;
  }

  destroy(): this {
    if (!this.destroyed) this.#facts.onDestroyed?.();
    this.destroyed = true;
    return this;
  }

  resetAndDestroy(): this {
    return this.destroy();
  }

  destroySoon(): void {
    this.#hasEnded = true;
    if (this.writableLength === 0) this.destroyed = true;
  }

  pause(): this {
    this.#isPaused = true;
    return this;
  }

  resume(): this {
    this.#isPaused = false;
    return this;
  }

  isPaused(): boolean {
    return this.#isPaused;
  }

  setNoDelay(): void {
    // Nothing is delayed.
  }

  cork(): void {
    // Segments are nothing a session sees.
  }

  uncork(): void {
    // As above.
  }

  unshift(bytes: Buffer): void {
    this.#waiting.unshift(bytes);
  }
}
