import { closeDescriptor } from "@palisade/sockets/descriptors";
import { epollEvents } from "@palisade/sockets/epoll";
import { SplicePipe } from "@palisade/sockets/splice-pipe";
import { send, setOption, shutDown } from "@palisade/sockets/tcp";
import type { Descriptors } from "@palisade/sockets/reactor";
import { openFilesMax } from "#src/admission/open-files.ts";
import type { BandwidthShare, ShareWaiter } from "./bandwidth-share.ts";
import { OutgoingBytes } from "./outgoing-bytes.ts";
import { fields, flags, packetBytes, sideTable } from "./side-table.ts";

/** Silence before the kernel asks whether the other end is still there. */
const keepAliveAfterSeconds = 30;
/** Sent bytes that are not acknowledged for this long: the other end is gone. */
const unacknowledgedMs = 30_000;

export const pipeBytes = 1_024 * 1_024;

/** Pipes of this process: their two descriptors each leave most to players. */
const pipesMax = Math.floor(openFilesMax() / 16);
let pipesOpen = 0;

/** The pair that a side belongs to. */
interface SideOwner {
  readonly reactor: Descriptors;
  readonly share: BandwidthShare;
  /** The share of its shield has room again. */
  resume(side: RelaySide): void;
}

/** A pipe, and how often it has moved little. */
export class BulkPipe extends SplicePipe {
  /** Small packets in a row. */
  smallSplices = 0;
}

/** Events of a side that has not been read twice, beside those that it waits for. */
const newcomerEvents = epollEvents.peerEnded | epollEvents.edgeTriggered;

/** One end of a relayed player, and the direction that leads to it. Its state is in `sideTable`. */
export class RelaySide implements ShareWaiter {
  readonly #owner: SideOwner;
  #number: number;
  /** Bytes for it that it has not taken yet. */
  outgoing: OutgoingBytes | undefined = undefined;
  /** Carries the bytes for it while they are bulk. */
  pipe: BulkPipe | undefined = undefined;

  /** @param number in `sideTable` */
  constructor(number: number, owner: SideOwner) {
    this.#number = number;
    this.#owner = owner;
  }

  get fd(): number {
    return this.#get(fields.fd);
  }

  /** The events that it waits for. */
  get interest(): number {
    return this.#get(fields.interest);
  }

  /** Bytes for it wait in this process. */
  get isBehind(): boolean {
    return this.outgoing !== undefined || (this.pipe?.held ?? 0) > 0;
  }

  get isOpen(): boolean {
    return this.#has(flags.isOpen);
  }

  /** It sends no more. */
  get hasEnded(): boolean {
    return this.#has(flags.hasEnded);
  }

  /** It was told that no more comes. */
  get isShut(): boolean {
    return this.#has(flags.isShut);
  }

  /** It sends more than small packets. */
  get isBulk(): boolean {
    return this.#has(flags.isBulk);
  }

  /** Its first byte was told of. */
  get isHeard(): boolean {
    return this.#has(flags.isHeard);
  }

  heard(): void {
    this.#add(flags.isHeard);
  }

  /** Bytes of it or for it go on. */
  moved(): void {
    this.#add(flags.hasMoved);
  }

  /** Whether bytes went on since the last call. */
  takeMoved(): boolean {
    const hasMoved = this.#has(flags.hasMoved);
    this.#take(flags.hasMoved);
    return hasMoved;
  }

  ended(): void {
    this.#add(flags.hasEnded);
  }

  /** @param bytes of the last read from it */
  sent(bytes: number): void {
    this.moved();
    if (bytes >= packetBytes) this.#add(flags.isBulk);
    else this.#take(flags.isBulk);
  }

  /**
   * It begins edge-triggered: most players of a flood end within their first bytes, and an end that is
   * reported once needs no further call, not even before the descriptor is closed.
   *
   * @throws SystemCallError if the kernel has no memory for another connection
   */
  begin(): void {
    const { reactor } = this.#owner;
    const events = newcomerEvents | epollEvents.readable;
    this.#put(fields.slot, reactor.add(this.fd, events, sideTable, this.#number));
    this.#put(fields.interest, epollEvents.readable);
  }

  /**
   * It was read, and has not ended. Bytes may be left, so it is reported again; from the second read on
   * level-triggered, which needs no call of its own for that.
   */
  goesOn(): void {
    if (!this.isOpen || this.#isLasting) return;
    this.#add(this.#has(flags.wasRead) ? flags.isLasting : flags.wasRead);
    this.#change();
  }

  /**
   * Bytes are sent to it next. The kernel sends the first ones at once, whatever the options are, and a
   * player that the backend turns away gets no others: their connection ends without options.
   */
  beforeSend(): void {
    if (this.#has(flags.hasGot)) this.tune();
    else this.#add(flags.hasGot);
  }

  /** Sets the options of a connection that lasts. */
  tune(): void {
    if (this.#has(flags.isTuned)) return;
    this.#add(flags.isTuned);
    try {
      setOption(this.fd, "noDelay", 1);
      setOption(this.fd, "keepAlive", 1);
      setOption(this.fd, "keepAliveIdleSeconds", keepAliveAfterSeconds);
      setOption(this.fd, "userTimeoutMs", unacknowledgedMs);
    } catch {
      // The connection is gone, which its next event says.
    }
  }

  resume(): void {
    this.#owner.resume(this);
  }

  /** Keeps bytes for it that it has not taken; they are copied. */
  keep(bytes: Uint8Array): void {
    this.tune();
    this.#add(flags.isSlow);
    this.outgoing = new OutgoingBytes(bytes);
    if (this.outgoing.isLarge) this.#owner.share.blocksChanged(1);
  }

  /** Waits for these events from now on; for room level-triggered, because a send may take a part again. */
  want(interest: number): void {
    const wanted = interest & ~epollEvents.oneShot;
    if (!this.isOpen || this.interest === wanted) return;
    const isLess = (wanted & ~this.interest) === 0;
    this.#put(fields.interest, wanted);
    if ((wanted & epollEvents.writable) !== 0) this.#add(flags.isLasting);
    if (this.#isLasting || !isLess) this.#change();
  }

  /**
   * The side is gone, but bytes of it wait in the kernel until the other one has room for them. Until
   * then it would report its error again and again: reported once more, it is silent until the next
   * `want`.
   */
  silence(): void {
    if (!this.#isLasting || this.interest === epollEvents.oneShot) return;
    this.#put(fields.interest, epollEvents.oneShot);
    this.#change();
  }

  get #isLasting(): boolean {
    return this.#has(flags.isLasting);
  }

  #change(): void {
    const events = this.#isLasting ? this.interest : newcomerEvents | this.interest;
    this.#owner.reactor.change(this.#get(fields.slot), this.fd, events);
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
    this.#add(flags.isShut);
    shutDown(this.fd, "send");
  }

  /** From now on bytes for it are spliced. */
  openPipe(): void {
    if (pipesOpen >= pipesMax || !this.#owner.share.takesPipe()) return;
    this.tune();
    try {
      this.pipe = new BulkPipe(pipeBytes);
      this.#add(flags.isSlow);
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
    if (this.outgoing === undefined) this.#take(flags.isSlow);
    pipesOpen--;
    this.#owner.share.pipeClosed();
  }

  close(): void {
    this.#take(flags.isOpen);
    this.#owner.share.forget(this);
    this.closePipe();
    this.#releaseOutgoing();
    this.#unregister();
    closeDescriptor(this.fd);
  }

  /** Both sides are closed, and their numbers are others'. */
  forget(): void {
    this.#number = 0;
  }

  #unregister(): void {
    const slot = this.#get(fields.slot);
    if (slot < 0) return;
    const { reactor } = this.#owner;
    // The worker may have its copy of the descriptor still, and then closing ours ends no events.
    if (this.#isLasting) reactor.detach(slot, this.fd);
    else reactor.remove(slot);
  }

  #releaseOutgoing(): void {
    if (this.outgoing?.isLarge === true) this.#owner.share.blocksChanged(-1);
    this.outgoing?.release();
    this.outgoing = undefined;
    if (this.pipe === undefined) this.#take(flags.isSlow);
  }

  #get(field: number): number {
    return sideTable.state[this.#number * fields.count + field] ?? 0;
  }

  #put(field: number, value: number): void {
    sideTable.state[this.#number * fields.count + field] = value;
  }

  #has(flag: number): boolean {
    return (this.#get(fields.set) & flag) !== 0;
  }

  #add(flag: number): void {
    this.#put(fields.set, this.#get(fields.set) | flag);
  }

  #take(flag: number): void {
    this.#put(fields.set, this.#get(fields.set) & ~flag);
  }
}
