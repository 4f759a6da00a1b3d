import { closeDescriptor } from "@palisade/sockets/descriptors";
import { epollEvents } from "@palisade/sockets/epoll";
import { SplicePipe } from "@palisade/sockets/splice-pipe";
import { send, setOption, shutDown } from "@palisade/sockets/tcp";
import type { Descriptors, EventHandler, Slot } from "@palisade/sockets/reactor";
import { openFilesMax } from "#src/admission/open-files.ts";
import type { BandwidthShare, ShareWaiter } from "./bandwidth-share.ts";
import { OutgoingBytes } from "./outgoing-bytes.ts";

/** Silence before the kernel asks whether the other end is still there. */
const keepAliveAfterSeconds = 30;
/** Sent bytes that are not acknowledged for this long: the other end is gone. */
const unacknowledgedMs = 30_000;

export const pipeBytes = 1_024 * 1_024;
/** A read of so many bytes is no small packet. */
export const packetBytes = 16 * 1_024;

/** Pipes of this process: their two descriptors each leave most to players. */
const pipesMax = Math.floor(openFilesMax() / 16);
let pipesOpen = 0;

/** The pair that a side belongs to. */
interface SideOwner {
  readonly reactor: Descriptors;
  readonly share: BandwidthShare;
  ready(side: RelaySide, events: number): void;
  /** The share of its shield has room again. */
  resume(side: RelaySide): void;
}

/** A pipe, and how often it has moved little. */
export class BulkPipe extends SplicePipe {
  /** Small packets in a row. */
  smallSplices = 0;
}

/** Bits of a side. As fields of their own they would be a tenth of what an idle player takes. */
const flags = {
  isOpen: 1,
  hasEnded: 2,
  isShut: 4,
  isBulk: 8,
  hasGot: 16,
  isTuned: 32,
  wasRead: 64,
  isLasting: 128,
} as const;

/** Events of a side that has not been read twice, beside those that it waits for. */
const newcomerEvents = epollEvents.peerEnded | epollEvents.edgeTriggered;

/** One end of a relayed player, and the direction that leads to it. */
export class RelaySide implements EventHandler, ShareWaiter {
  readonly fd: number;
  readonly #owner: SideOwner;
  #slot: Slot = -1;
  interest = 0;
  /** Of `flags`. */
  #set: number = flags.isOpen;
  /** Bytes for it that it has not taken yet. */
  outgoing: OutgoingBytes | undefined = undefined;
  /** Carries the bytes for it while they are bulk. */
  pipe: BulkPipe | undefined = undefined;

  constructor(fd: number, owner: SideOwner) {
    this.fd = fd;
    this.#owner = owner;
  }

  /** Bytes for it wait in this process. */
  get isBehind(): boolean {
    return this.outgoing !== undefined || (this.pipe?.held ?? 0) > 0;
  }

  get isOpen(): boolean {
    return (this.#set & flags.isOpen) !== 0;
  }

  /** It sends no more. */
  get hasEnded(): boolean {
    return (this.#set & flags.hasEnded) !== 0;
  }

  /** It was told that no more comes. */
  get isShut(): boolean {
    return (this.#set & flags.isShut) !== 0;
  }

  /** It sends more than small packets. */
  get isBulk(): boolean {
    return (this.#set & flags.isBulk) !== 0;
  }

  ended(): void {
    this.#set |= flags.hasEnded;
  }

  /** @param bytes of the last read from it */
  sent(bytes: number): void {
    if (bytes >= packetBytes) this.#set |= flags.isBulk;
    else this.#set &= ~flags.isBulk;
  }

  /**
   * It begins edge-triggered: most players of a flood end within their first bytes, and an end that is
   * reported once needs no further call, not even before the descriptor is closed.
   *
   * @throws SystemCallError if the kernel has no memory for another connection
   */
  begin(): void {
    this.interest = epollEvents.readable;
    this.#slot = this.#owner.reactor.add(this.fd, newcomerEvents | this.interest, this);
  }

  /**
   * It was read, and has not ended. Bytes may be left, so it is reported again; from the second read on
   * level-triggered, which needs no call of its own for that.
   */
  goesOn(): void {
    if (!this.isOpen || this.#isLasting) return;
    this.#set |= (this.#set & flags.wasRead) === 0 ? flags.wasRead : flags.isLasting;
    this.#change();
  }

  /**
   * Bytes are sent to it next. The kernel sends the first ones at once, whatever the options are, and a
   * player that the backend turns away gets no others: their connection ends without options.
   */
  beforeSend(): void {
    if ((this.#set & flags.hasGot) !== 0) this.tune();
    this.#set |= flags.hasGot;
  }

  /** Sets the options of a connection that lasts. */
  tune(): void {
    if ((this.#set & flags.isTuned) !== 0) return;
    this.#set |= flags.isTuned;
    try {
      setOption(this.fd, "noDelay", 1);
      setOption(this.fd, "keepAlive", 1);
      setOption(this.fd, "keepAliveIdleSeconds", keepAliveAfterSeconds);
      setOption(this.fd, "userTimeoutMs", unacknowledgedMs);
    } catch {
      // The connection is gone, which its next event says.
    }
  }

  ready(events: number): void {
    this.#owner.ready(this, events);
  }

  resume(): void {
    this.#owner.resume(this);
  }

  /** Keeps bytes for it that it has not taken; they are copied. */
  keep(bytes: Uint8Array): void {
    this.tune();
    this.outgoing = new OutgoingBytes(bytes);
    if (this.outgoing.isLarge) this.#owner.share.blocksChanged(1);
  }

  /** Waits for these events from now on. */
  want(interest: number): void {
    const wanted = interest & ~epollEvents.oneShot;
    if (!this.isOpen || this.interest === wanted) return;
    const isLess = (wanted & ~this.interest) === 0;
    this.interest = wanted;
    if (this.#isLasting || !isLess) this.#change();
  }

  /**
   * The side is gone, but bytes of it wait in the kernel until the other one has room for them. Until
   * then it would report its error again and again: reported once more, it is silent until the next
   * `want`.
   */
  silence(): void {
    if (!this.#isLasting || this.interest === epollEvents.oneShot) return;
    this.interest = epollEvents.oneShot;
    this.#change();
  }

  get #isLasting(): boolean {
    return (this.#set & flags.isLasting) !== 0;
  }

  #change(): void {
    const events = this.#isLasting ? this.interest : newcomerEvents | this.interest;
    this.#owner.reactor.change(this.#slot, this.fd, events);
  }

  /** Sends bytes that wait. @returns as `send`; 0 if none wait */
  sendWaiting(): number {
    const { outgoing, pipe } = this;
    if (outgoing === undefined)
      return pipe !== undefined && pipe.held > 0 ? pipe.drain(this.fd) : 0;
    const sent = send(this.fd, outgoing.address, outgoing.length);
    if (sent >= 0 && outgoing.took(sent)) this.#releaseOutgoing();
    return sent;
  }

  /** No more comes for it, once it has what waits. */
  shut(): void {
    if (!this.isOpen || this.isShut || this.isBehind) return;
    this.#set |= flags.isShut;
    shutDown(this.fd, "send");
  }

  /** From now on bytes for it are spliced. */
  openPipe(): void {
    if (pipesOpen >= pipesMax || !this.#owner.share.takesPipe()) return;
    this.tune();
    try {
      this.pipe = new BulkPipe(pipeBytes);
      pipesOpen++;
    } catch {
      // No descriptors are left: they are copied on.
      this.#owner.share.pipeClosed();
    }
  }

  closePipe(): void {
    if (this.pipe === undefined) return;
    this.pipe.close();
    this.pipe = undefined;
    pipesOpen--;
    this.#owner.share.pipeClosed();
  }

  close(): void {
    this.#set &= ~flags.isOpen;
    this.#owner.share.forget(this);
    this.closePipe();
    this.#releaseOutgoing();
    this.#unregister();
    closeDescriptor(this.fd);
  }

  #unregister(): void {
    if (this.#slot < 0) return;
    const { reactor } = this.#owner;
    // The worker may have its copy of the descriptor still, and then closing ours ends no events.
    if (this.#isLasting) reactor.detach(this.#slot, this.fd);
    else reactor.remove(this.#slot);
  }

  #releaseOutgoing(): void {
    if (this.outgoing?.isLarge === true) this.#owner.share.blocksChanged(-1);
    this.outgoing?.release();
    this.outgoing = undefined;
  }
}
