import { closeDescriptor } from "@palisade/sockets/descriptors";
import { epollEvents } from "@palisade/sockets/epoll";
import { errno } from "@palisade/sockets/errno";
import { createChannelPair, descriptorsMax, UnixChannel } from "@palisade/sockets/unix-channel";
import {
  type EventHandler,
  type Slot,
  type ThreadReactor,
  threadReactor,
} from "@palisade/sockets/reactor";
import type { EndDescriptors, RelayIds, RelayOrder } from "./relay-host.ts";

/** Bytes of a message that brings players. */
export const playerMessageMax = 128 * 1_024;

/** A player who is handed over; the message has the descriptors of player and backend with it. */
export interface HandedPlayer extends Pick<RelayOrder, "header" | "head"> {
  readonly id: number;
  readonly ids: RelayIds;
  /**
   * Bandwidth of their shield, with its first player: the command with it comes by another way, perhaps
   * later.
   */
  readonly rate?: number;
}

/**
 * Before each player's bytes, little-endian: id (double), flags, bytes of the texts shield, backend
 * and source (one byte each), bytes of header and head (32 bits each). Then the texts, the rate (a
 * double) where the flags say so, header and head.
 */
const lengths = { flags: 8, texts: 9, header: 12, head: 16, bytes: 20 } as const;
const rateBytes = 8;
/** An edge of an earlier release, which may start this program, never sets the second. */
const flags = { isUnparsed: 1, hasRate: 2 } as const;

/** Bytes of a character in UTF-8, at most, of those that a text here may have. */
const characterBytesMax = 3;

/** A player takes no more bytes of a message. A connection keeps fewer of each than fit into one. */
export function bytesOfPlayer({ ids, header, head }: HandedPlayer): number {
  const characters = ids.shield.length + ids.backend.length + ids.source.length;
  return lengths.bytes + characterBytesMax * characters + rateBytes + header.length + head.length;
}

/**
 * Appends a player to a message.
 *
 * @param start bytes of the players before
 * @returns the bytes with this one
 */
export function writePlayer(
  message: Buffer,
  start: number,
  { id, ids, header, head, rate }: HandedPlayer,
): number {
  message.writeDoubleLE(id, start);
  const flagsOfRate = rate === undefined ? 0 : flags.hasRate;
  message.writeUInt8(flagsOfRate | (ids.isUnparsed ? flags.isUnparsed : 0), start + lengths.flags);
  message.writeUInt32LE(header.length, start + lengths.header);
  message.writeUInt32LE(head.length, start + lengths.head);
  let end = start + lengths.bytes;
  let textLength = start + lengths.texts;
  for (const text of [ids.shield, ids.backend, ids.source]) {
    const bytes = message.write(text, end);
    message.writeUInt8(bytes, textLength++);
    end += bytes;
  }
  if (rate !== undefined) end = message.writeDoubleLE(rate, end);
  message.set(header, end);
  message.set(head, end + header.length);
  return end + header.length + head.length;
}

/**
 * The players of a message, whose bytes are copied.
 *
 * @throws RangeError for a message that `writePlayer` has not made
 */
export function readPlayers(message: Buffer): HandedPlayer[] {
  const players: HandedPlayer[] = [];
  for (let start = 0; start < message.length;) {
    let end = start + lengths.bytes;
    let textLength = start + lengths.texts;
    const text = (): string => {
      const from = end;
      end += message.readUInt8(textLength++);
      return message.toString("utf8", from, end);
    };
    const id = message.readDoubleLE(start);
    const set = message.readUInt8(start + lengths.flags);
    const isUnparsed = (set & flags.isUnparsed) !== 0;
    const headerBytes = message.readUInt32LE(start + lengths.header);
    const headBytes = message.readUInt32LE(start + lengths.head);
    const ids = { shield: text(), backend: text(), source: text(), isUnparsed };
    const hasRate = (set & flags.hasRate) !== 0;
    const rate = hasRate ? { rate: message.readDoubleLE(end) } : undefined;
    if (hasRate) end += rateBytes;
    const headStart = end + headerBytes;
    const header = Buffer.from(message.subarray(end, headStart));
    start = headStart + headBytes;
    if (start > message.length) throw new RangeError("a message of players is cut off");
    const head = Buffer.from(message.subarray(headStart, start));
    players.push({ id, ids, header, head, ...rate });
  }
  return players;
}

interface Waiting {
  readonly player: HandedPlayer;
  readonly ends: EndDescriptors;
  readonly onSent: (isSent: boolean) => void;
}

const playersPerMessage = descriptorsMax / 2;

/**
 * An edge's end of the channel to one relay process. Players go out in order, those of a millisecond
 * together if the thread is busy: each message makes the process interrupt it. While the process is
 * behind, they wait here.
 */
export class PlayerSender implements EventHandler {
  readonly #channel: UnixChannel;
  readonly #reactor = threadReactor();
  /** The other end, for the process that is to be started. */
  readonly childFd: number;
  #waiting: Waiting[] = [];
  #slot: Slot = -1;
  #isDue = false;
  #isClosed = false;

  /** @throws SystemCallError `EMFILE`, `ENFILE` */
  constructor() {
    const [own, other] = createChannelPair();
    this.#channel = new UnixChannel(own, playerMessageMax);
    this.childFd = other;
  }

  /** The process has the other end. */
  started(): void {
    closeDescriptor(this.childFd);
  }

  /** Players are still on their way. */
  get isBusy(): boolean {
    return this.#waiting.length > 0;
  }

  /**
   * Sends a player and closes the descriptors, which are the process's from then on.
   *
   * @param onSent called later, with false if the process is gone
   */
  send(player: HandedPlayer, ends: EndDescriptors, onSent: (isSent: boolean) => void): void {
    this.#waiting.push({ player, ends, onSent });
    if (this.#isDue || this.#slot >= 0) return;
    this.#isDue = true;
    this.#reactor.whenQuiet(() => {
      this.#isDue = false;
      this.#flush();
    });
  }

  ready(): void {
    this.#flush();
  }

  /** Players that have not gone out are lost. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#unregister();
    this.#channel.close();
    for (const lost of this.#waiting.splice(0)) finish(lost, false);
  }

  #flush(): void {
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch();
      const result = this.#isClosed ? -errno.EPIPE : this.#sendBatch(batch);
      if (result === -errno.EAGAIN || result === -errno.ENOBUFS) {
        this.#register();
        return;
      }
      this.#waiting.splice(0, batch.length);
      for (const sent of batch) finish(sent, result === 0);
    }
    this.#unregister();
  }

  /** As many as one message takes, and one at least. */
  #nextBatch(): readonly Waiting[] {
    let bytes = 0;
    const end = this.#waiting.findIndex(({ player }, index) => {
      bytes += bytesOfPlayer(player);
      return index === playersPerMessage || (index > 0 && bytes > playerMessageMax);
    });
    return this.#waiting.slice(0, end < 0 ? undefined : end);
  }

  /** @returns as of `UnixChannel.send` */
  #sendBatch(batch: readonly Waiting[]): number {
    let length = 0;
    const descriptors: number[] = [];
    for (const { player, ends } of batch) {
      length = writePlayer(this.#channel.room, length, player);
      descriptors.push(ends.player, ends.backend);
    }
    return this.#channel.sendWritten(length, descriptors);
  }

  #register(): void {
    if (this.#slot >= 0) return;
    try {
      this.#slot = this.#reactor.add(this.#channel.fd, epollEvents.writable, this);
    } catch {
      // The kernel has no memory: these players are lost, others may have more luck.
      for (const lost of this.#waiting.splice(0)) finish(lost, false);
    }
  }

  #unregister(): void {
    if (this.#slot < 0) return;
    this.#reactor.detach(this.#slot, this.#channel.fd);
    this.#slot = -1;
  }
}

function finish({ ends, onSent }: Waiting, isSent: boolean): void {
  closeDescriptor(ends.player);
  closeDescriptor(ends.backend);
  onSent(isSent);
}

/** Joins are counted over this time. */
const windowMs = 10;
/** More than a thousand players a second are a flood. */
const joinsPerMs = 1;
/** Short beside the 50 ms between two packets of the game. */
const pauseMs = 0.3;

/**
 * Lets events gather in a flood of joins. Without it, each of the few packets of a new connection wakes
 * the relay process, which interrupts a worker on the same core: a seventh of the cost of a join. Packets
 * of other players wait as long.
 */
export class JoinPause {
  readonly #nowMs: () => number;
  #sinceMs: number;
  #joins = 0;
  #isFlooded = false;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#sinceMs = nowMs();
  }

  /** A player has been handed over. */
  joined(): void {
    this.#joins++;
  }

  /** To be asked before each wait for events. @returns milliseconds to pause first */
  beforeWait(): number {
    // Without joins it costs no look at the clock.
    if (this.#joins === 0 && !this.#isFlooded) return 0;
    const nowMs = this.#nowMs();
    const passedMs = nowMs - this.#sinceMs;
    if (passedMs >= windowMs) {
      this.#isFlooded = this.#joins > joinsPerMs * passedMs;
      this.#joins = 0;
      this.#sinceMs = nowMs;
    }
    return this.#isFlooded ? pauseMs : 0;
  }
}

/** Messages of one event: the packets of players have their turn between them. */
const messagesPerEvent = 2;

export interface PlayerIntakeEvents {
  /** Without the connections if this process could not open them. */
  readonly onPlayer: (player: HandedPlayer, ends: EndDescriptors | undefined) => void;
  /** The edge is gone, and no more players come. */
  readonly onEnd: () => void;
}

/** The channel by which an edge hands over its players. */
export class PlayerIntake implements EventHandler {
  readonly #reactor: ThreadReactor;
  readonly #channel: UnixChannel;
  readonly #events: PlayerIntakeEvents;
  readonly #pause = new JoinPause(() => performance.now());
  readonly #slot: Slot;

  /** @param fd which belongs to it from now on */
  constructor(reactor: ThreadReactor, fd: number, events: PlayerIntakeEvents) {
    this.#reactor = reactor;
    this.#channel = new UnixChannel(fd, playerMessageMax);
    this.#events = events;
    this.#slot = reactor.add(fd, epollEvents.readable, this);
    reactor.pauseBeforeWaits(() => this.#pause.beforeWait());
  }

  ready(): void {
    for (let count = 0; count < messagesPerEvent; count++) {
      const message = this.#channel.receive();
      if (message === -errno.EAGAIN) return;
      if (message === null || typeof message === "number") {
        this.#end();
        return;
      }
      this.#take(message.bytes, message.descriptors);
    }
  }

  #take(bytes: Buffer, descriptors: readonly number[]): void {
    let players: readonly HandedPlayer[] = [];
    try {
      players = readPlayers(bytes);
    } catch {
      // Our edge sends no such message; the others' players play on.
    }
    const isWhole = descriptors.length === 2 * players.length;
    if (!isWhole) for (const fd of descriptors) closeDescriptor(fd);
    players.forEach((handed, index) => {
      this.#pause.joined();
      const [player = -1, backend = -1] = descriptors.slice(2 * index, 2 * index + 2);
      this.#events.onPlayer(handed, isWhole ? { player, backend } : undefined);
    });
  }

  #end(): void {
    this.#reactor.remove(this.#slot);
    this.#channel.close();
    this.#events.onEnd();
  }
}
