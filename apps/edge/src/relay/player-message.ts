import type { RelayIds, RelayOrder } from "./relay-host.ts";

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
