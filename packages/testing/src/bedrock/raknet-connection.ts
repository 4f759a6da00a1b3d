import { EventEmitter } from "node:events";
import {
  encodeFrameSet,
  encodeRecords,
  frameBytes,
  frameHeadBytes,
  framePartBytes,
  frameSetHeadBytes,
  readDatagram,
  reliabilities,
  type Frame,
  type FrameSet,
} from "./raknet-datagrams.ts";
import { FrameReceiver } from "./raknet-frame-receiver.ts";
import {
  connectedIds,
  encodeConnectedPing,
  encodeConnectedPong,
  rakNetTime,
} from "./raknet-messages.ts";

export interface RakNetConnectionOptions {
  /** Bytes of a whole packet, with the headers of IP and UDP. */
  readonly mtu: number;
  /** Of IP and UDP. */
  readonly headerBytes: number;
  readonly send: (datagram: Buffer) => void;
  /** Without any datagram for so long, the other side is gone. */
  readonly silenceMs?: number;
  readonly pingEveryMs?: number;
}

export interface RakNetConnectionEvents {
  /** A whole message, RakNet's own ones of the handshake among them; in order. */
  readonly frame: [body: Buffer];
  readonly close: [reason: string];
}

interface SentSet {
  readonly frames: readonly Frame[];
  readonly sentAtMs: number;
  readonly tries: number;
}

/** Datagrams on the way at once: few enough for the buffer of a socket that nothing has been set on. */
const flightMax = 48;
const firstTimeoutMs = 400;
const timeoutMsMin = 120;
const timeoutMsMax = 2_000;
const defaultSilenceMs = 15_000;
const defaultPingEveryMs = 3_000;
const indexesMax = 1 << 24;
/** Acknowledgements that fit into the smallest datagram, if no two are neighbours. */
const recordsMax = 120;

/**
 * One side of an open connection: reliable, ordered messages both ways over lossy datagrams. Indexes do
 * not start again after 2^24 messages, which no test sends.
 */
export class RakNetConnection extends EventEmitter<RakNetConnectionEvents> {
  readonly #options: RakNetConnectionOptions;
  readonly #receiver: FrameReceiver;
  readonly #waiting: Frame[] = [];
  readonly #sent = new Map<number, SentSet>();
  readonly #toAck = new Set<number>();
  readonly #toNack = new Set<number>();
  readonly counts = { resent: 0, repeated: 0, datagramsIn: 0, datagramsOut: 0 };
  #sequence = 0;
  #messageIndex = 0;
  #orderIndex = 0;
  #splitId = 0;
  #expectedSequence = 0;
  #timeoutMs = firstTimeoutMs;
  #isFlushing = false;
  #isClosed = false;
  #resendTimer: NodeJS.Timeout | undefined;
  readonly #pingTimer: NodeJS.Timeout;
  #heardAtMs = performance.now();

  constructor(options: RakNetConnectionOptions) {
    super();
    this.#options = options;
    this.#receiver = new FrameReceiver((body) => this.#deliver(body));
    const { silenceMs = defaultSilenceMs } = options;
    const { pingEveryMs = Math.min(defaultPingEveryMs, silenceMs / 4) } = options;
    this.#pingTimer = setInterval(() => {
      if (performance.now() - this.#heardAtMs > silenceMs) this.#end("silence");
      else this.#sendNow([this.#unreliable(encodeConnectedPing(rakNetTime()))]);
    }, pingEveryMs);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get mtu(): number {
    return this.#options.mtu;
  }

  /** Everything that was sent has arrived. */
  get isIdle(): boolean {
    return this.#sent.size === 0 && this.#waiting.length === 0;
  }

  /** Reliable and in order; split where it does not fit into a datagram. */
  sendReliable(body: Buffer): void {
    if (this.#isClosed) return;
    const room = this.#bodyBytesMax();
    const orderIndex = this.#orderIndex++;
    const rest = { reliability: reliabilities.reliableOrdered, orderIndex, channel: 0 };
    if (body.length <= room + framePartBytes) {
      this.#waiting.push({ ...rest, messageIndex: this.#nextMessageIndex(), body });
    } else {
      const id = this.#splitId++ & 0xffff;
      const count = Math.ceil(body.length / room);
      for (let index = 0; index < count; index += 1) {
        this.#waiting.push({
          ...rest,
          messageIndex: this.#nextMessageIndex(),
          part: { count, id, index },
          body: body.subarray(index * room, (index + 1) * room),
        });
      }
    }
    this.#flushSoon();
  }

  /** Tells the other side and ends; what is not acknowledged is lost. */
  close(reason = "closed here"): void {
    if (this.#isClosed) return;
    this.flush();
    const frame = { reliability: reliabilities.reliableOrdered, channel: 0 };
    this.#sendNow([
      {
        ...frame,
        messageIndex: this.#nextMessageIndex(),
        orderIndex: this.#orderIndex++,
        body: Buffer.from([connectedIds.disconnect]),
      },
    ]);
    this.#end(reason);
  }

  /** Ends without a word, as a program that is killed. */
  abandon(): void {
    this.#end("abandoned");
  }

  /** @throws Error on bytes that no RakNet peer sends */
  receive(bytes: Buffer): void {
    if (this.#isClosed) return;
    this.#heardAtMs = performance.now();
    this.counts.datagramsIn += 1;
    const datagram = readDatagram(bytes);
    if (datagram.kind === "frames") this.#receiveSet(datagram.set);
    else if (datagram.kind === "ack") this.#acknowledged(datagram.sequences);
    else this.#resend(datagram.sequences);
  }

  #receiveSet({ sequence, frames }: FrameSet): void {
    if (this.#toAck.size === recordsMax) this.flush();
    this.#toAck.add(sequence);
    this.#toNack.delete(sequence);
    for (let missing = this.#expectedSequence; missing < sequence; missing += 1) {
      if (this.#toNack.size < recordsMax) this.#toNack.add(missing);
    }
    this.#expectedSequence = Math.max(this.#expectedSequence, sequence + 1);
    for (const frame of frames) {
      if (!this.#receiver.receive(frame)) this.counts.repeated += 1;
    }
    this.#flushSoon();
  }

  #deliver(body: Buffer): void {
    if (this.#isClosed) return;
    const [id] = body;
    if (id === connectedIds.ping) {
      this.#sendNow([this.#unreliable(encodeConnectedPong(body, rakNetTime()))]);
    } else if (id === connectedIds.disconnect) {
      this.flush();
      this.#end("disconnected by the other side");
    } else if (id !== connectedIds.pong) this.emit("frame", body);
  }

  #acknowledged(sequences: readonly number[]): void {
    for (const sequence of sequences) {
      const sent = this.#sent.get(sequence);
      if (sent === undefined) continue;
      this.#sent.delete(sequence);
      if (sent.tries === 1) this.#learnTimeout(performance.now() - sent.sentAtMs);
    }
    this.#flushSoon();
  }

  #learnTimeout(roundTripMs: number): void {
    const wanted = Math.min(Math.max(4 * roundTripMs, timeoutMsMin), timeoutMsMax);
    this.#timeoutMs += (wanted - this.#timeoutMs) / 8;
  }

  /** Frames that got lost go out again, in a datagram with a new number. */
  #resend(sequences: Iterable<number>): void {
    for (const sequence of sequences) {
      const sent = this.#sent.get(sequence);
      if (sent === undefined) continue;
      this.#sent.delete(sequence);
      this.counts.resent += 1;
      this.#sendNow(sent.frames, sent.tries + 1);
    }
  }

  #flushSoon(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setImmediate(() => {
      this.#isFlushing = false;
      if (!this.#isClosed) this.flush();
    });
  }

  /** Sends what waits: acknowledgements, and as many frames as may be on the way. */
  flush(): void {
    if (this.#toAck.size > 0) this.#send(encodeRecords("ack", this.#toAck));
    this.#toAck.clear();
    if (this.#toNack.size > 0) this.#send(encodeRecords("nack", this.#toNack));
    this.#toNack.clear();
    while (this.#waiting.length > 0 && this.#sent.size < flightMax) {
      this.#sendNow(this.#takeFrames());
    }
    this.#scheduleResend();
  }

  #takeFrames(): Frame[] {
    const room = this.#options.mtu - this.#options.headerBytes - frameSetHeadBytes;
    let bytes = 0;
    let count = 0;
    for (const frame of this.#waiting) {
      bytes += frameBytes(frame);
      if (bytes > room) break;
      count += 1;
    }
    return this.#waiting.splice(0, Math.max(count, 1));
  }

  #sendNow(frames: readonly Frame[], tries = 1): void {
    if (this.#isClosed) return;
    const sequence = this.#sequence++;
    if (sequence >= indexesMax) throw new Error("a connection of the tests sent too much");
    const kept = frames.filter(({ messageIndex }) => messageIndex !== undefined);
    if (kept.length > 0) {
      this.#sent.set(sequence, { frames: kept, sentAtMs: performance.now(), tries });
    }
    this.#send(encodeFrameSet({ sequence, frames }));
  }

  #send(datagram: Buffer): void {
    this.counts.datagramsOut += 1;
    this.#options.send(datagram);
  }

  #scheduleResend(): void {
    if (this.#resendTimer !== undefined || this.#sent.size === 0 || this.#isClosed) return;
    this.#resendTimer = setTimeout(() => {
      this.#resendTimer = undefined;
      const now = performance.now();
      const late = [...this.#sent].filter(([, sent]) => now - sent.sentAtMs >= this.#timeoutMs);
      // A machine that is busy gets more time, instead of more datagrams.
      if (late.length > 0) this.#timeoutMs = Math.min(this.#timeoutMs * 1.5, timeoutMsMax);
      this.#resend(late.map(([sequence]) => sequence));
      this.flush();
    }, this.#timeoutMs / 2);
  }

  #end(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#resendTimer);
    clearInterval(this.#pingTimer);
    this.#sent.clear();
    this.#waiting.length = 0;
    this.emit("close", reason);
  }

  #unreliable(body: Buffer): Frame {
    return { reliability: reliabilities.unreliable, body };
  }

  #nextMessageIndex(): number {
    return this.#messageIndex++;
  }

  #bodyBytesMax(): number {
    const { mtu, headerBytes } = this.#options;
    return mtu - headerBytes - frameSetHeadBytes - frameHeadBytes - framePartBytes;
  }
}
