import type { Frame } from "./frames.ts";

/** Bytes of a message that are kept, from its start on. */
const bytesMax = 40 * 1_024;
/** These bytes in the smallest datagrams that clients use. */
const partsMax = 128;
/** Messages whose parts may arrive at the same time. */
const messagesMax = 2;
const firstStartBytes = 2_048;

/** The bytes of a message that have arrived without a gap. */
export interface MessageStart {
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

interface Message {
  readonly count: number;
  readonly parts: (Buffer | undefined)[];
  /** Bytes of all parts. */
  bytes: number;
  /** Parts without a gap from the first on, and their bytes. */
  joinedParts: number;
  joinedBytes: number;
  /** The start is given when it has so many bytes, twice as many each time. */
  nextStartBytes: number;
}

/**
 * Joins the first parts of messages that were split over datagrams. Parts may come in any order and more
 * than once; the first copy of a part counts.
 */
export class SplitMessages {
  readonly #messages = new Map<number, Message | "over">();

  /**
   * @param body is copied
   * @returns the message's start when it is whole or has grown much, or "too-many" where the client has
   *   more messages on the way than the game ever does
   */
  add(split: NonNullable<Frame["split"]>, body: Buffer): MessageStart | "too-many" | undefined {
    const known = this.#messages.get(split.id);
    if (known === "over" || split.index >= partsMax) return undefined;
    if (known === undefined && this.#messages.size >= messagesMax) return "too-many";
    const message = known ?? newMessage(split.count);
    this.#messages.set(split.id, message);
    // All parts but the last are equally long, so this one begins behind what is kept.
    if (split.index * body.length >= bytesMax) return undefined;
    const isWanted = split.count === message.count && message.parts[split.index] === undefined;
    if (!isWanted || message.bytes + body.length > 2 * bytesMax) return undefined;
    message.parts[split.index] = Buffer.from(body);
    message.bytes += body.length;
    return this.#startOf(split.id, message);
  }

  clear(): void {
    this.#messages.clear();
  }

  #startOf(id: number, message: Message): MessageStart | undefined {
    const { parts, count } = message;
    for (let part = parts[message.joinedParts]; part !== undefined;) {
      message.joinedBytes += part.length;
      message.joinedParts += 1;
      part = parts[message.joinedParts];
    }
    const isWhole = message.joinedParts === count;
    const isLast = isWhole || message.joinedBytes >= bytesMax || message.joinedParts === partsMax;
    if (!isLast && message.joinedBytes < message.nextStartBytes) return undefined;
    message.nextStartBytes = 2 * message.joinedBytes;
    const joined = parts.slice(0, message.joinedParts).filter((part) => part !== undefined);
    if (isLast) this.#messages.set(id, "over");
    return { bytes: Buffer.concat(joined), isWhole };
  }
}

function newMessage(count: number): Message {
  return {
    count,
    parts: [],
    bytes: 0,
    joinedParts: 0,
    joinedBytes: 0,
    nextStartBytes: firstStartBytes,
  };
}
