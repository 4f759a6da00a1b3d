import { closeDescriptor } from "./descriptors.ts";
import { epollEvents } from "./epoll.ts";
import { errno } from "./errno.ts";
import { NativeMemory } from "./native-memory.ts";
import { boundAddress, receive, resetOnClose, send, sendLast, setOption, shutDown } from "./tcp.ts";
import type { InternetAddress } from "./socket-address.ts";
import type { EventHandler, Slot, ThreadReactor } from "./reactor.ts";

/** Events of a connection for its owner. */
export interface ConnectionListener {
  /** @param chunk which the listener may keep */
  received(chunk: Buffer): void;
  /** The peer has sent its last byte. */
  ended(): void;
  /** The connection is gone. Once, never while another call of the listener runs. */
  closed(): void;
  /** All bytes are taken that `write` has kept. */
  drained?(): void;
  /** False while nothing of it uses promises; undefined counts as true. */
  readonly usesNode?: boolean;
}

/** The 4 or 16 bytes of its address, and its port. */
interface NamedEnd {
  readonly ip: Uint8Array;
  readonly port: number;
}

/** Both ends of a connection, as a proxy in front has named them. */
export interface NamedEnds {
  readonly source: NamedEnd;
  /** The address that the source has connected to. */
  readonly destination: NamedEnd;
}

/** The part of a connection that its users need; tests have one without a socket. */
export type Connection = Pick<
  TcpConnection,
  | "closeWhenSent"
  | "destroy"
  | "end"
  | "freed"
  | "isGone"
  | "isPaused"
  | "listen"
  | "local"
  | "named"
  | "pause"
  | "putBack"
  | "release"
  | "remote"
  | "reset"
  | "resume"
  | "setNoDelay"
  | "takeBack"
  | "unsentBytes"
  | "write"
>;

const readBytesMax = 64 * 1_024;
/** Reads of one event: a fast sender delays others no longer. */
const readsPerEvent = 4;

/** One for all connections of the thread: bytes are copied out of it, or sent, before the next use. */
const incoming = new NativeMemory(readBytesMax);
const outgoing = new NativeMemory(readBytesMax);

const nothing = Buffer.alloc(0);

/** So few bytes take less time than a call of Node's. */
const copiedHereMax = 256;

function copyOfIncoming(length: number): Buffer {
  const copy = Buffer.allocUnsafe(length);
  const { bytes } = incoming;
  if (length > copiedHereMax) bytes.copy(copy, 0, 0, length);
  else for (let at = 0; at < length; at++) copy[at] = bytes[at] ?? 0;
  return copy;
}

/**
 * One connected TCP socket of this thread. It begins paused, without a listener; bytes that arrive
 * before it is resumed wait in the kernel. Nothing here throws for what the peer does.
 */
export class TcpConnection implements EventHandler {
  readonly #fd: number;
  readonly #reactor: ThreadReactor;
  readonly remote: InternetAddress;
  /** Its ends as a trusted proxy has named them. */
  named: NamedEnds | undefined = undefined;
  #local: InternetAddress | undefined;
  #listener: ConnectionListener | undefined;
  #slot: Slot = -1;
  #interest = 0;
  #wantsBytes = false;
  /** It is in its first turn: see `firstTurn`. */
  #isFirstTurn = false;
  /** Bytes that the kernel had no room for. */
  #unsent: Buffer[] = [];
  #unsentBytes = 0;
  /** Bytes that come before those of the kernel. */
  #unread: Buffer | undefined;
  #hasEnded = false;
  #isEnding = false;
  #isShut = false;
  #closesWhenSent = false;
  #isGone = false;
  readonly #onFreed: (() => void) | undefined;

  /** @param onFreed called once its descriptor is closed, or its new owner has called `freed` */
  constructor(reactor: ThreadReactor, fd: number, remote: InternetAddress, onFreed?: () => void) {
    this.#reactor = reactor;
    this.#fd = fd;
    this.remote = remote;
    this.#onFreed = onFreed;
  }

  get local(): InternetAddress {
    try {
      return (this.#local ??= boundAddress(this.#fd));
    } catch {
      return { ip: "", port: 0 };
    }
  }

  /** Closed, or given away. */
  get isGone(): boolean {
    return this.#isGone;
  }

  get isPaused(): boolean {
    return !this.#wantsBytes;
  }

  /** Bytes written that the kernel has not taken yet. */
  get unsentBytes(): number {
    return this.#unsentBytes;
  }

  /** Events go to this listener from now on. */
  listen(listener: ConnectionListener | undefined): void {
    this.#listener = listener;
  }

  resume(): void {
    this.#wantsBytes = true;
    if (this.#unread !== undefined) this.#reactor.later(() => this.#giveUnread());
    else this.#update();
  }

  pause(): void {
    this.#wantsBytes = false;
    this.#update();
  }

  /** Bytes that were read and are to be read again, before all others. */
  putBack(bytes: Buffer): void {
    if (bytes.length > 0) this.#unread = bytes;
  }

  /** Bytes that were put back. */
  takeBack(): Buffer {
    const bytes = this.#unread ?? nothing;
    this.#unread = undefined;
    return bytes;
  }

  setNoDelay(): void {
    try {
      setOption(this.#fd, "noDelay", 1);
    } catch {
      this.destroy();
    }
  }

  /**
   * @param bytes which are copied
   * @returns false if some of the bytes are kept until the peer takes them; `drained` follows then
   */
  write(bytes: Uint8Array): boolean {
    return this.#write(bytes, send);
  }

  /** Sends the bytes, then the end of this direction: as one packet, if they fit into one. */
  end(bytes: Uint8Array = nothing): void {
    this.#write(bytes, sendLast);
    this.#isEnding = true;
    this.#shutIfSent();
  }

  /** Sends the bytes and closes as soon as the kernel has all: as one packet, if they fit into one. */
  closeWhenSent(bytes: Uint8Array = nothing): void {
    this.#write(bytes, sendLast);
    this.#isEnding = true;
    this.#closesWhenSent = true;
    if (this.#unsentBytes === 0) this.destroy();
  }

  /** Closes at once; what is not sent is lost. */
  destroy(): void {
    if (this.#isGone) return;
    this.#leave();
    closeDescriptor(this.#fd);
    this.freed();
    this.#reactor.later(() => {
      const listener = this.#listener;
      this.#listener = undefined;
      if (listener?.usesNode !== false) this.#reactor.wakeNode();
      listener?.closed();
    });
  }

  /** Closes at once with RST, which leaves no TIME_WAIT behind. */
  reset(): void {
    if (this.#isGone) return;
    resetOnClose(this.#fd);
    this.destroy();
  }

  /**
   * Gives the descriptor away, which belongs to the caller from now on; this object is gone without
   * a call of its listener.
   *
   * @returns undefined if it is gone already
   */
  release(): number | undefined {
    if (this.#isGone) return undefined;
    this.#leave(true);
    this.#listener = undefined;
    return this.#fd;
  }

  /** The descriptor is no longer this process's. */
  freed(): void {
    this.#onFreed?.();
  }

  /**
   * The turn in which it was accepted: its first bytes have mostly come with it, and are read without
   * waiting for an event. It is registered with epoll only after that, so that a connection that
   * is handed over or closed at once never is.
   *
   * @param begin gives it a listener
   */
  firstTurn(begin: (connection: TcpConnection) => void): void {
    this.#isFirstTurn = true;
    begin(this);
    const listener = this.#listener;
    if (!this.#isGone && this.#isRead) this.#read();
    this.#isFirstTurn = false;
    this.#update();
    this.#wakeNodeFor(listener);
  }

  ready(events: number): void {
    const listener = this.#listener;
    if ((events & epollEvents.writable) !== 0) this.#flush();
    const others = events & ~epollEvents.writable;
    if (!this.#isGone && others !== 0) {
      if (this.#isRead) this.#read();
      else if ((others & (epollEvents.error | epollEvents.hangUp)) !== 0) this.destroy();
    }
    this.#wakeNodeFor(listener);
  }

  /** Bytes are taken from the kernel: those that were put back come first, and none follow the end. */
  get #isRead(): boolean {
    return this.#wantsBytes && !this.#hasEnded && this.#unread === undefined;
  }

  /** @param listener of the event that was handled, which may have given the connection away */
  #wakeNodeFor(listener: ConnectionListener | undefined): void {
    if (listener?.usesNode !== false) this.#reactor.wakeNode();
  }

  #read(): void {
    for (let count = 0; count < readsPerEvent; count++) {
      const length = receive(this.#fd, incoming.address, readBytesMax);
      if (length <= 0) {
        this.#notRead(length);
        return;
      }
      this.#listener?.received(copyOfIncoming(length));
      if (length < readBytesMax || !this.#isRead || this.#isGone) return;
    }
  }

  #notRead(result: number): void {
    if (result === -errno.EAGAIN) return;
    if (result < 0) {
      this.destroy();
      return;
    }
    this.#hasEnded = true;
    this.#listener?.ended();
    this.#closeIfDone();
    // Last: most are closed by now, which takes them out of epoll without a call for it.
    this.#update();
  }

  #giveUnread(): void {
    if (this.#isGone || !this.#wantsBytes) return;
    const bytes = this.takeBack();
    this.#update();
    const listener = this.#listener;
    if (bytes.length > 0) listener?.received(bytes);
    this.#wakeNodeFor(listener);
  }

  #write(bytes: Uint8Array, call: typeof send): boolean {
    if (this.#isGone || this.#isEnding) return true;
    if (this.#unsentBytes > 0) return this.#keep(bytes);
    const sent = this.#send(bytes, call);
    if (sent < bytes.length && !this.#isGone) return this.#keep(bytes.subarray(sent));
    return true;
  }

  /** @returns the bytes that the kernel has taken */
  #send(bytes: Uint8Array, call: typeof send): number {
    let at = 0;
    while (at < bytes.length) {
      const length = Math.min(bytes.length - at, readBytesMax);
      outgoing.bytes.set(length === bytes.length ? bytes : bytes.subarray(at, at + length));
      const sent = call(this.#fd, outgoing.address, length);
      if (sent < 0) {
        if (sent !== -errno.EAGAIN) this.destroy();
        return at;
      }
      at += sent;
      if (sent < length) return at;
    }
    return at;
  }

  #keep(bytes: Uint8Array): boolean {
    if (bytes.length > 0) {
      this.#unsent.push(Buffer.from(bytes));
      this.#unsentBytes += bytes.length;
      this.#update();
    }
    return this.#unsentBytes === 0;
  }

  #flush(): void {
    let first = this.#unsent[0];
    while (first !== undefined) {
      const sent = this.#send(first, send);
      if (this.#isGone) return;
      this.#unsentBytes -= sent;
      if (sent < first.length) {
        this.#unsent[0] = first.subarray(sent);
        return;
      }
      this.#unsent.shift();
      [first] = this.#unsent;
    }
    this.#update();
    if (this.#closesWhenSent) this.destroy();
    else if (this.#isEnding) this.#shutIfSent();
    else this.#listener?.drained?.();
  }

  #shutIfSent(): void {
    if (this.#isGone || this.#isShut || this.#unsentBytes > 0) return;
    this.#isShut = true;
    shutDown(this.#fd, "send");
    this.#closeIfDone();
  }

  /** Both directions are finished. */
  #closeIfDone(): void {
    if (this.#hasEnded && this.#isShut) this.destroy();
  }

  #update(): void {
    if (this.#isGone || this.#isFirstTurn) return;
    const interest =
      (this.#isRead ? epollEvents.readable : 0) |
      (this.#unsentBytes > 0 ? epollEvents.writable : 0);
    if (interest === this.#interest) return;
    this.#interest = interest;
    try {
      if (interest === 0) {
        this.#reactor.detach(this.#slot, this.#fd);
        this.#slot = -1;
      } else if (this.#slot < 0) this.#slot = this.#reactor.add(this.#fd, interest, this);
      else this.#reactor.change(this.#slot, this.#fd, interest);
    } catch {
      // The kernel has no memory, or the peer is gone.
      this.destroy();
    }
  }

  #leave(staysOpen = false): void {
    this.#isGone = true;
    if (this.#slot < 0) return;
    if (staysOpen) this.#reactor.detach(this.#slot, this.#fd);
    else this.#reactor.remove(this.#slot);
    this.#slot = -1;
  }
}
