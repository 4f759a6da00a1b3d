import {
  encodeFrameSet,
  frameBytes,
  namesSequence,
  reliabilities,
  type Acknowledgement,
  type Frame,
} from "./frames.ts";
import { headerBytes } from "./offline-messages.ts";

/** Messages of a kick exchange, in the order in which they are sent. */
type Kind = "accepted" | "settings" | "kick";

interface OutgoingFrame {
  readonly kind: Kind;
  readonly frame: Frame;
  /** Numbers of the last datagrams that had it; an answer may be about any of them. */
  readonly sequences: number[];
  isAcknowledged: boolean;
  isDue: boolean;
}

/** Each answer may have this many times the bytes of what was received. */
const answerFactor = 3;
const mtuMin = 400;
const mtuMax = 1_500;
const frameSetHeadBytes = 4;
const sequencesMax = 16;

/** The messages that a kick exchange sends, reliable on one ordered channel and within a budget of bytes. */
export class Outbox {
  readonly #payloadMax: number;
  readonly #frames: OutgoingFrame[] = [];
  /** Ready datagrams, which are sent once and dropped where the budget does not reach. */
  #ready: Buffer[] = [];
  #sequence = 0;
  #orderIndex = 0;
  #budget: number;

  constructor(mtu: number, family: keyof typeof headerBytes) {
    this.#payloadMax = Math.min(Math.max(mtu, mtuMin), mtuMax) - headerBytes[family];
    this.#budget = this.#payloadMax;
  }

  addReceived(bytes: number): void {
    this.#budget += answerFactor * bytes;
  }

  addDatagram(datagram: Buffer): void {
    this.#ready.push(datagram);
  }

  addUnreliable(body: Buffer): void {
    const frame: Frame = { ...plainFrame(body), reliability: reliabilities.unreliable };
    this.#ready.push(this.#encode(frame));
  }

  /** Sends the message, or once more what the client has not acknowledged of it. */
  say(kind: Kind, encode: () => Buffer): void {
    if (this.#frames.some((each) => each.kind === kind)) this.repeat(kind);
    else for (const frame of this.#framesOf(encode())) this.#frames.push(outgoing(kind, frame));
  }

  repeat(kind: Kind): void {
    for (const each of this.#frames) if (each.kind === kind) each.isDue = !each.isAcknowledged;
  }

  /** Whether the client has the whole message. */
  isAcknowledged(kind: Kind): boolean {
    const frames = this.#frames.filter((each) => each.kind === kind);
    return frames.length > 0 && frames.every((each) => each.isAcknowledged);
  }

  acknowledge(acknowledgement: Acknowledgement): void {
    for (const each of this.#frames) {
      if (!each.sequences.some((sequence) => namesSequence(acknowledgement, sequence))) continue;
      if (acknowledgement.kind === "ack") each.isAcknowledged = true;
      else each.isDue = !each.isAcknowledged;
    }
  }

  /** @returns what the budget allows; frames that it does not reach wait for the next call */
  takeDatagrams(): readonly Buffer[] {
    const datagrams = this.#ready.filter((datagram) => this.#spend(datagram.length));
    this.#ready = [];
    for (const each of this.#frames) {
      if (!each.isDue) continue;
      if (!this.#spend(frameSetHeadBytes + frameBytes(each.frame))) break;
      each.isDue = false;
      each.sequences.push(this.#sequence);
      if (each.sequences.length > sequencesMax) each.sequences.shift();
      datagrams.push(this.#encode(each.frame));
    }
    return datagrams;
  }

  #spend(bytes: number): boolean {
    if (bytes > this.#budget) return false;
    this.#budget -= bytes;
    return true;
  }

  #encode(frame: Frame): Buffer {
    const datagram = encodeFrameSet(this.#sequence, [frame]);
    this.#sequence += 1;
    return datagram;
  }

  #framesOf(body: Buffer): readonly Frame[] {
    const order = { index: this.#orderIndex++, channel: 0 };
    const whole: Frame = {
      ...plainFrame(body),
      reliability: reliabilities.reliableOrdered,
      reliableIndex: this.#frames.length,
      order,
    };
    if (frameSetHeadBytes + frameBytes(whole) <= this.#payloadMax) return [whole];
    const split = { count: 1, id: order.index, index: 0 };
    const room =
      this.#payloadMax - frameSetHeadBytes - frameBytes({ ...whole, split }) + body.length;
    const count = Math.ceil(body.length / room);
    return Array.from({ length: count }, (_, index) => ({
      ...whole,
      reliableIndex: this.#frames.length + index,
      split: { ...split, count, index },
      body: body.subarray(index * room, (index + 1) * room),
    }));
  }
}

function plainFrame(body: Buffer): Frame {
  return {
    reliability: reliabilities.unreliable,
    reliableIndex: undefined,
    sequenceIndex: undefined,
    order: undefined,
    split: undefined,
    body,
  };
}

function outgoing(kind: Kind, frame: Frame): OutgoingFrame {
  return { kind, frame, sequences: [], isAcknowledged: false, isDue: true };
}
