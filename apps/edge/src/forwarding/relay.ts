import type { Socket } from "node:net";
import type { Expiring, TimerWheel } from "#src/session/timer-wheel.ts";
import type { BackendReader } from "./backend-reader.ts";
import { passOn } from "./pass-on.ts";

/** Where a relay counts what it moved. */
export interface RelayMeter {
  /** Bytes from the player to the backend. */
  bytesUp: number;
  bytesDown: number;
}

export interface RelayEnds {
  readonly player: Socket;
  /** Connected; opened with `allowHalfOpen`, as the player's socket is. */
  readonly backend: Socket;
  /** The backend's. */
  readonly reader: BackendReader;
  /** What goes to the backend before anything the player's socket still gives. */
  readonly head: Buffer;
  readonly meter: RelayMeter;
  /** Called with the backend's first bytes. */
  readonly onAnswered: () => void;
}

/** Silence before the kernel asks whether the other end is still there. */
export const keepAliveAfterMs = 30_000;
/** Both ends silent for this long: nobody is playing. (The game itself gives up after 30 s.) */
const idleMs = 10 * 60_000;
/** One end has finished and the other says nothing more. */
const halfOpenMs = 60_000;
/** One end is gone; the other gets this long, as long as it takes bytes, for what is on its way to it. */
const lingerMs = 30_000;

/**
 * Passes bytes between a player and a backend until both have finished. Each
 * side is read only as fast as the other takes it; an end (FIN) travels through
 * by itself, and where one side breaks off, what it sent before still arrives.
 * Calls `onClosed` once, when both sockets are gone.
 */
export class Relay implements Expiring {
  readonly #ends: RelayEnds;
  readonly #wheel: TimerWheel;
  readonly #onClosed: () => void;
  #open = 2;
  /** Finished directions. */
  #ended = 0;
  /** Sum of what both sockets had passed on at the last look. */
  #progress = -1;

  constructor(ends: RelayEnds, wheel: TimerWheel, onClosed: () => void) {
    this.#ends = ends;
    this.#wheel = wheel;
    this.#onClosed = onClosed;
  }

  start(): void {
    const { player, backend, reader, head, meter, onAnswered } = this.#ends;
    meter.bytesUp += head.length;
    // Here and not at accept: most connections are pings and need neither.
    player.setNoDelay(true);
    player.setKeepAlive(true, keepAliveAfterMs);
    this.#watch(player, backend);
    this.#watch(backend, player);
    player.on("data", (chunk: Buffer) => {
      meter.bytesUp += chunk.length;
      if (!backend.write(chunk)) player.pause();
    });
    const take = (bytes: Buffer): boolean => {
      meter.bytesDown += bytes.length;
      return passOn(player, bytes);
    };
    reader.take((bytes) => {
      // Takes this one's place: no look at every packet.
      reader.take(take);
      onAnswered();
      return take(bytes);
    });
    const room = backend.write(head);
    backend.resume();
    if (room) player.resume();
    else player.pause();
    this.#wheel.schedule(this, idleMs);
  }

  /** Ends both sides without waiting for either. */
  destroy(): void {
    this.#ends.player.destroy();
    this.#ends.backend.destroy();
  }

  /** A deadline has passed: goes on where bytes have moved since the last one. */
  expire(): void {
    const { player, backend } = this.#ends;
    const progress = passed(player) + passed(backend);
    const moved = progress !== this.#progress;
    this.#progress = progress;
    if (!moved) this.destroy();
    else if (this.#open === 1) this.#wheel.schedule(this, lingerMs);
    else this.#wheel.schedule(this, this.#ended > 0 ? halfOpenMs : idleMs);
  }

  #watch(from: Socket, to: Socket): void {
    to.on("drain", () => from.resume());
    from.on("end", () => {
      this.#ended++;
      to.end();
      this.#wheel.schedule(this, halfOpenMs);
    });
    from.once("close", () => this.#sideClosed(to));
  }

  #sideClosed(other: Socket): void {
    this.#open--;
    if (this.#open === 0) {
      this.#wheel.cancel(this);
      this.#onClosed();
      return;
    }
    if (other.destroyed) return;
    // Closing while the other still sends would reset the connection and could
    // take from it what it has not read yet: it is read, and ends by itself.
    other.end();
    this.#discard(other);
    other.resume();
    if (other.readableEnded) other.destroySoon();
    else other.once("end", () => other.destroySoon());
    this.#progress = passed(other);
    this.#wheel.schedule(this, lingerMs);
  }

  #discard(socket: Socket): void {
    const { backend, reader } = this.#ends;
    if (socket === backend) reader.take(discard);
    else socket.removeAllListeners("data").on("data", discard);
  }
}

/** Bytes read from the socket and bytes the kernel has taken for it. */
function passed(socket: Socket): number {
  return socket.bytesRead + socket.bytesWritten - socket.writableLength;
}

/** For a socket whose other side is gone. */
function discard(): true {
  return true;
}
