import type { Socket } from "node:net";
import type { RelayEvents, RelayMeter } from "#src/relay/relay-host.ts";
import type { Expiring, TimerWheel } from "#src/session/timer-wheel.ts";
import type { EndReader, Taker } from "./backend-reader.ts";
import { passOn } from "./pass-on.ts";

/** One side of a relay; its socket was opened with `allowHalfOpen`. */
interface RelayEnd {
  readonly socket: Socket;
  readonly reader: EndReader;
}

export interface RelayEnds {
  readonly player: RelayEnd;
  /** Connected. */
  readonly backend: RelayEnd;
  /** As `RelayOrder` has them. */
  readonly header: Buffer;
  readonly head: Buffer;
  readonly meter: RelayMeter;
  readonly events: Omit<RelayEvents, "onClosed">;
}

/** Silence before the kernel asks whether the other end is still there. */
export const keepAliveAfterMs = 30_000;
/**
 * Both ends are silent for this long: the player is gone. (The game itself gives up after 30 s.)
 */
const idleMs = 10 * 60_000;
/** One end has finished and the other sends nothing more. */
const halfOpenMs = 60_000;
/**
 * One end is gone; the other gets this long for the bytes on their way to it, as long as it takes
 * any.
 */
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
  /** Bytes that both sockets had moved at the last check. */
  #progress = -1;
  /** True also if it has hung up before that. */
  #isAnswered = false;

  constructor(ends: RelayEnds, wheel: TimerWheel, onClosed: () => void) {
    this.#ends = ends;
    this.#wheel = wheel;
    this.#onClosed = onClosed;
  }

  start(): void {
    const { player, backend, header, head, meter } = this.#ends;
    meter.bytesUp += head.length;
    // Here and not at accept: most connections are pings and need neither.
    player.socket.setNoDelay(true);
    player.socket.setKeepAlive(true, keepAliveAfterMs);
    this.#watch(player, backend);
    this.#watch(backend, player);
    this.#watchAnswer();
    this.#takeUp();
    this.#takeDown();
    // One segment for header and head.
    backend.socket.cork();
    if (header.length > 0) backend.socket.write(header);
    const room = backend.socket.write(head);
    backend.socket.uncork();
    backend.socket.resume();
    if (room) player.socket.resume();
    else player.socket.pause();
    this.#wheel.schedule(this, idleMs);
  }

  /** Ends both sides without waiting for either. */
  destroy(): void {
    this.#ends.player.socket.destroy();
    this.#ends.backend.socket.destroy();
  }

  /** A deadline has passed: goes on if bytes have moved since the last one. */
  expire(): void {
    const { player, backend } = this.#ends;
    const progress = passed(player.socket) + passed(backend.socket);
    const moved = progress !== this.#progress;
    this.#progress = progress;
    if (!moved) this.destroy();
    else if (this.#open === 1) this.#wheel.schedule(this, lingerMs);
    else this.#wheel.schedule(this, this.#ended > 0 ? halfOpenMs : idleMs);
  }

  #takeUp(): void {
    const { player, backend, meter, events } = this.#ends;
    const take = takerTo(backend.socket, player.reader, (bytes) => void (meter.bytesUp += bytes));
    player.reader.take((bytes) => {
      // Replaces this deadline: no check for every packet.
      player.reader.take(take);
      events.onSpoke();
      return take(bytes);
    });
  }

  #takeDown(): void {
    const { player, backend, meter, events } = this.#ends;
    const take = takerTo(player.socket, backend.reader, (bytes) => void (meter.bytesDown += bytes));
    backend.reader.take((bytes) => {
      backend.reader.take(take);
      this.#isAnswered = true;
      events.onAnswered();
      return take(bytes);
    });
  }

  #watchAnswer(): void {
    const { player, backend, events } = this.#ends;
    const onEnd = (): void => {
      const isPlayersDoing = player.socket.readableEnded || player.socket.destroyed;
      if (this.#isAnswered || isPlayersDoing) return;
      this.#isAnswered = true;
      events.onHungUp();
    };
    backend.socket.once("end", onEnd).once("close", onEnd);
  }

  #watch({ socket: from }: RelayEnd, to: RelayEnd): void {
    to.socket.on("drain", () => from.resume());
    from.on("end", () => {
      this.#ended++;
      to.socket.end();
      this.#wheel.schedule(this, halfOpenMs);
    });
    from.once("close", () => this.#sideClosed(to));
  }

  #sideClosed({ socket: other, reader }: RelayEnd): void {
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
    reader.take(discard);
    other.resume();
    if (other.readableEnded) other.destroySoon();
    else other.once("end", () => other.destroySoon());
    this.#progress = passed(other);
    this.#wheel.schedule(this, lingerMs);
  }
}

/** Counts what a reader gives and writes it; what will not hold is copied. */
function takerTo(to: Socket, { keeps }: EndReader, count: (bytes: number) => void): Taker {
  return (bytes) => {
    count(bytes.length);
    return keeps ? to.write(bytes) : passOn(to, bytes);
  };
}

/** Bytes read from the socket and bytes the kernel has taken for it. */
function passed(socket: Socket): number {
  return socket.bytesRead + socket.bytesWritten - socket.writableLength;
}

/** For a socket whose other side is gone. */
function discard(): true {
  return true;
}
