import { epollEvents } from "@palisade/sockets/epoll";
import { errno } from "@palisade/sockets/errno";
import { receive, send, sendLast } from "@palisade/sockets/tcp";
import type { Descriptors } from "@palisade/sockets/reactor";
import type { Expiring, TimerWheel } from "@palisade/sockets/timer-wheel";
import { edgeLimits } from "#src/admission/limits.ts";
import type { BandwidthShare } from "./bandwidth-share.ts";
import type { FirstAnswer, RelayEvents, RelayMeter } from "./relay-host.ts";
import { blockBytes } from "./outgoing-bytes.ts";
import { type BulkPipe, pipeBytes, RelaySide } from "./relay-side.ts";
import { buffer, packetBytes, type SlowPath, sideTable } from "./side-table.ts";

/** Both ends are silent for this long: the player is gone. (The game itself gives up after 30 s.) */
const idleMs = 10 * 60_000;
/** One end has finished and the other sends nothing more. */
const halfOpenMs = 28_000;
/**
 * One end is gone. A backend is closed after this time, whatever it does; a player stays as long as
 * they take bytes that wait for them.
 */
const lingerMs = 28_000;

/** A read of this size is bulk: from then on its direction is spliced. */
const bulkBytes = 64 * 1_024;
/** After so many small packets in a row the direction is copied again. */
const packetsInARow = 8;
/** Splices of one turn: a download delays the packets of others no longer. */
const splicesPerTurn = 4;

export interface RelayPairOptions {
  /** Connected sockets that do not block; they belong to the pair from now on. */
  readonly player: number;
  readonly backend: number;
  readonly meter: RelayMeter;
  readonly share: BandwidthShare;
  readonly events: RelayEvents;
  readonly firstAnswer: FirstAnswer;
}

/**
 * Forwards bytes between a player and a backend until both have finished. Each side is read only as
 * fast as the other takes it. An end (FIN) goes through by itself, and if one side breaks off, the
 * bytes that it sent before still arrive. Once one side is gone the other one is closed within 30 s.
 * Bulk is moved by splice(2), small packets are copied.
 */
export class RelayPair implements Expiring, SlowPath {
  place: Expiring["place"] = undefined;
  readonly reactor: Descriptors;
  readonly share: BandwidthShare;
  readonly #wheel: TimerWheel;
  readonly meter: RelayMeter;
  readonly #events: RelayEvents;
  readonly #player: RelaySide;
  readonly #backend: RelaySide;
  readonly #firstAnswer: FirstAnswer;
  #awaitsAnswer = false;
  #isLingering = false;
  readonly #number: number;

  constructor(reactor: Descriptors, wheel: TimerWheel, options: RelayPairOptions) {
    this.#wheel = wheel;
    this.reactor = reactor;
    this.meter = options.meter;
    this.share = options.share;
    this.#events = options.events;
    this.#firstAnswer = options.firstAnswer;
    this.#number = sideTable.add(this, options.player, options.backend);
    this.#player = new RelaySide(this.#number, this);
    this.#backend = new RelaySide(this.#number + 1, this);
  }

  /**
   * Begins to forward. `onClosed` may be called before it returns.
   *
   * @param header PROXY header, or nothing: goes to the backend first, and is no traffic of the player's
   * @param head bytes of the player that go to the backend next
   */
  start(header: Uint8Array, head: Uint8Array): void {
    this.meter.bytesUp += head.length;
    try {
      this.#begin(header, head);
    } catch {
      // The kernel has no memory for another connection.
      this.destroy();
    }
  }

  /** Ends both sides without waiting for either. */
  destroy(): void {
    this.#close(this.#player);
    this.#close(this.#backend);
  }

  /** A deadline has passed: goes on if bytes have moved since the last one. */
  expire(): void {
    if (this.#isSilent && this.share.isWaiting(this.#backend)) {
      // It has sent something, which is not read yet.
      this.#awaitAnswer();
      return;
    }
    if (this.#isSilent) {
      if (this.#player.isOpen && !this.#player.hasEnded) this.#hungUp();
      this.destroy();
      return;
    }
    const hasPlayerMoved = this.#player.takeMoved();
    const hasMoved = this.#backend.takeMoved() || hasPlayerMoved;
    if (!hasMoved || (this.#isLingering && !this.#player.isOpen)) this.destroy();
    else if (this.#isLingering) this.#wheel.schedule(this, lingerMs);
    else this.#wheel.schedule(this, this.#hasHalfEnded ? halfOpenMs : idleMs);
  }

  ready(number: 0 | 1, events: number): void {
    const side = this.#side(number);
    const other = this.#otherOf(side);
    if ((events & side.interest & epollEvents.writable) !== 0 && side.isOpen)
      this.#flush(side, other);
    if (!side.isOpen) return;
    if ((side.interest & epollEvents.readable) !== 0) this.#read(side, other, events);
    else if ((events & (epollEvents.error | epollEvents.hangUp)) !== 0) {
      if (side.hasEnded) this.#broken(side);
      else side.silence();
    }
  }

  wasRead(number: 0 | 1, count: number): void {
    const from = this.#side(number);
    this.#received(from, this.#otherOf(from), count);
  }

  wasSent(number: 0 | 1, count: number, sent: number): void {
    const from = this.#side(number);
    this.#afterSend(this.#otherOf(from), from, count, sent);
  }

  /** The share of the shield has room again: the side is read on, unless something else stops it. */
  resume(side: RelaySide): void {
    const other = this.#otherOf(side);
    if (!side.isOpen || side.hasEnded || (other.isOpen && other.isBehind)) return;
    side.want(side.interest | epollEvents.readable);
  }

  /** The deadline is that of the backend's first byte. */
  get #isSilent(): boolean {
    return this.#awaitsAnswer && !this.#backend.isHeard;
  }

  get #hasHalfEnded(): boolean {
    return this.#player.hasEnded || this.#backend.hasEnded;
  }

  /** @param header and head: bytes for the backend */
  #begin(header: Uint8Array, head: Uint8Array): void {
    this.#player.begin();
    this.#backend.begin();
    this.#wheel.schedule(this, idleMs);
    if (this.#firstAnswer === "head") this.#awaitAnswer();
    if (this.#firstAnswer === "given") {
      this.#player.tune();
      this.#backend.tune();
    }
    const length = header.length + head.length;
    if (length > blockBytes) throw new RangeError(`${length} bytes at the start`);
    // In one segment.
    buffer.bytes.set(header);
    buffer.bytes.set(head, header.length);
    if (length === 0) return;
    this.#backend.moved();
    this.#send(this.#backend, this.#player, length, send);
  }

  #side(number: 0 | 1): RelaySide {
    return number === 0 ? this.#player : this.#backend;
  }

  #otherOf(side: RelaySide): RelaySide {
    return side === this.#player ? this.#backend : this.#player;
  }

  #awaitAnswer(): void {
    this.#awaitsAnswer = true;
    this.#wheel.schedule(this, edgeLimits.dialMs);
  }

  #count(from: RelaySide, bytes: number): void {
    this.share.tokens -= bytes;
    from.sent(bytes);
    if (from === this.#player) {
      this.meter.bytesUp += bytes;
      if (!from.isHeard) this.#spoke();
    } else {
      this.meter.bytesDown += bytes;
      if (!from.isHeard) this.#answered();
    }
  }

  #spoke(): void {
    this.#player.heard();
    this.#events.onSpoke();
    if (this.#firstAnswer === "spoken" && !this.#backend.isHeard) this.#awaitAnswer();
  }

  /** The backend has ended, or its time to say something, before it said anything. */
  #hungUp(): void {
    this.#backend.heard();
    this.#events.onHungUp();
  }

  #answered(): void {
    this.#backend.heard();
    this.#events.onAnswered();
  }

  #read(from: RelaySide, to: RelaySide, events: number): void {
    if (!to.isOpen) {
      this.#discard(from);
      return;
    }
    // Its bytes wait in the kernel until the other side has taken those before; an error shows then.
    if (to.isBehind) {
      from.want(from.interest & ~epollEvents.readable);
      return;
    }
    if (to.pipe !== undefined) {
      this.#splice(from, to, to.pipe);
      return;
    }
    const share = this.share;
    const { readMax } = share;
    const room = share.tokens > share.ample ? readMax : share.allowed(from.isBulk, readMax);
    if (room === 0) {
      this.#waitForShare(from);
      return;
    }
    const count = receive(from.fd, buffer.address, room);
    const isLast = count > 0 && count < room && (events & epollEvents.peerEnded) !== 0;
    if (isLast) this.#readLast(from, to, count, room);
    else this.#received(from, to, count);
  }

  /** @param count as of `receive` */
  #received(from: RelaySide, to: RelaySide, count: number): void {
    if (count <= 0) {
      this.#notRead(from, to, count);
      return;
    }
    this.#count(from, count);
    if (this.#send(to, from, count, send) && count >= bulkBytes) to.openPipe();
    from.goesOn();
  }

  /**
   * The end of `from` is there already. It is passed on as one packet with the last bytes.
   *
   * @param count bytes of it in `buffer`
   */
  #readLast(from: RelaySide, to: RelaySide, count: number, room: number): void {
    const more = receive(from.fd, buffer.address + count, room - count);
    const bytes = count + Math.max(0, more);
    this.#count(from, bytes);
    this.#send(to, from, bytes, more === 0 ? sendLast : send);
    if (more === 0 && to.isOpen) this.#notRead(from, to, 0);
    else from.goesOn();
  }

  /**
   * Sends the first bytes of `buffer`, and keeps what `to` does not take.
   *
   * @returns whether it has taken all
   */
  #send(to: RelaySide, from: RelaySide, count: number, call: typeof send): boolean {
    to.beforeSend();
    return this.#afterSend(to, from, count, call(to.fd, buffer.address, count));
  }

  /** @param sent as of `send`; @returns as of `#send` */
  #afterSend(to: RelaySide, from: RelaySide, count: number, sent: number): boolean {
    if (sent === count) return true;
    if (sent < 0 && sent !== -errno.EAGAIN) {
      this.#broken(to);
      return false;
    }
    to.keep(buffer.bytes.subarray(Math.max(0, sent), count));
    this.#waitFor(from, to);
    return false;
  }

  #splice(from: RelaySide, to: RelaySide, pipe: BulkPipe): void {
    // Bytes may be left after each of the returns below.
    from.goesOn();
    const share = this.share;
    for (let splices = 0; splices < splicesPerTurn; splices += 1) {
      const room = share.allowed(true, Math.min(pipeBytes, share.bulkRoom(this.reactor.turns)));
      if (room === 0) {
        this.#waitForShare(from);
        return;
      }
      const count = pipe.fill(from.fd, room);
      if (count <= 0) {
        this.#notRead(from, to, count);
        return;
      }
      this.#count(from, count);
      share.bulkMoved(count);
      pipe.smallSplices = count < Math.min(packetBytes, room) ? pipe.smallSplices + 1 : 0;
      const sent = pipe.drain(to.fd);
      if (sent < 0 && sent !== -errno.EAGAIN) {
        this.#broken(to);
        return;
      }
      if (pipe.held > 0) {
        this.#waitFor(from, to);
        return;
      }
      if (pipe.smallSplices >= packetsInARow) {
        to.closePipe();
        return;
      }
      if (count < bulkBytes) return;
    }
  }

  /** The shield has used up its share: the side is not read until there is room again. */
  #waitForShare(side: RelaySide): void {
    side.want(side.interest & ~epollEvents.readable);
    this.share.wait(side);
  }

  /** @param result of a read that gave no bytes */
  #notRead(from: RelaySide, to: RelaySide, result: number): void {
    if (result === -errno.EAGAIN) {
      from.goesOn();
      return;
    }
    if (result < 0) {
      this.#broken(from);
      return;
    }
    from.ended();
    if (from === this.#backend && !this.#backend.isHeard && !this.#player.hasEnded) {
      this.#hungUp();
    }
    if (to.hasEnded && !to.isBehind && !from.isBehind) {
      // Closing tells both sides the same as a shutdown before it.
      this.destroy();
      return;
    }
    if (from.isShut) {
      // Nothing more goes to it or comes from it. The other one gets what waits for it.
      this.#broken(from);
      return;
    }
    from.want(from.interest & ~epollEvents.readable);
    to.shut();
    if (!this.#isSilent) this.#wheel.schedule(this, halfOpenMs);
    this.#closeIfDone();
  }

  /** Sends bytes that wait. */
  #flush(to: RelaySide, from: RelaySide): void {
    const sent = to.sendWaiting();
    if (sent < 0 && sent !== -errno.EAGAIN) {
      this.#broken(to);
      return;
    }
    if (sent > 0) to.moved();
    if (to.isBehind) {
      this.#waitFor(from, to);
      return;
    }
    to.want(to.interest & ~epollEvents.writable);
    if (from.hasEnded || !from.isOpen) to.shut();
    else from.want(from.interest | epollEvents.readable);
    this.#closeIfDone();
  }

  /** `to` takes no more now: `from` is not read until it does. */
  #waitFor(from: RelaySide, to: RelaySide): void {
    to.want(to.interest | epollEvents.writable);
    from.want(from.interest & ~epollEvents.readable);
  }

  /** The side is gone. The other one still gets the bytes that wait for it, for a while. */
  #broken(side: RelaySide): void {
    const other = this.#otherOf(side);
    if (side === this.#backend && !this.#backend.isHeard && other.isOpen && !other.hasEnded) {
      this.#hungUp();
    }
    this.#close(side);
    if (!other.isOpen) return;
    this.#isLingering = true;
    if (!this.#isSilent) this.#wheel.schedule(this, lingerMs);
    other.shut();
    // It is read on: a close with unread bytes would reset it, and could take from it what it has
    // not read yet.
    other.want(other.interest | epollEvents.readable);
    this.#closeIfDone();
  }

  /** Reads what a side sends whose other side is gone. */
  #discard(side: RelaySide): void {
    const count = receive(side.fd, buffer.address, blockBytes);
    if (count > 0 || count === -errno.EAGAIN) {
      side.goesOn();
      return;
    }
    if (count < 0) {
      this.#close(side);
      return;
    }
    side.ended();
    side.want(side.interest & ~epollEvents.readable);
    this.#closeIfDone();
  }

  /** Both directions are finished, or the one that is left. */
  #closeIfDone(): void {
    for (const side of [this.#player, this.#backend]) {
      const other = this.#otherOf(side);
      const isDone = side.hasEnded && (other.isShut || !other.isOpen);
      if (side.isOpen && side.isShut && isDone) this.#close(side);
    }
  }

  #close(side: RelaySide): void {
    if (!side.isOpen) return;
    side.close();
    if (this.#otherOf(side).isOpen) return;
    this.#player.forget();
    this.#backend.forget();
    sideTable.remove(this.#number);
    this.#wheel.cancel(this);
    this.#events.onClosed();
  }
}
