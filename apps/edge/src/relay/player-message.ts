import type { RelayIds, RelayOrder } from "./relay-host.ts";

/** Bytes of a message that brings players. */
export const playerMessageMax = 128 * 1_024;

/** A player who is handed over; the message has the descriptors of player and backend with it. */
export interface HandedPlayer extends Pick<RelayOrder, "header" | "head"> {
  readonly id: number;
  readonly ids: RelayIds;
}

/**
 * Before each player's bytes, little-endian: id (double), 1 where the connection is not parsed, bytes
 * of the texts shield, backend and source (one byte each), bytes of header and head (32 bits each).
 */
const lengths = { isUnparsed: 8, texts: 9, header: 12, head: 16, bytes: 20 } as const;

/** Bytes of a character in UTF-8, at most, of those that a text here may have. */
const characterBytesMax = 3;

/** A player takes no more bytes of a message. A connection keeps fewer of each than fit into one. */
export function bytesOfPlayer({ ids, header, head }: HandedPlayer): number {
  const characters = ids.shield.length + ids.backend.length + ids.source.length;
  return lengths.bytes + characterBytesMax * characters + header.length + head.length;
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
  { id, ids, header, head }: HandedPlayer,
): number {
  message.writeDoubleLE(id, start);
  message.writeUInt8(ids.isUnparsed ? 1 : 0, start + lengths.isUnparsed);
  message.writeUInt32LE(header.length, start + lengths.header);
  message.writeUInt32LE(head.length, start + lengths.head);
  let end = start + lengths.bytes;
  let textLength = start + lengths.texts;
  for (const text of [ids.shield, ids.backend, ids.source]) {
    const bytes = message.write(text, end);
    message.writeUInt8(bytes, textLength++);
    end += bytes;
  }
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
    const isUnparsed = message.readUInt8(start + lengths.isUnparsed) === 1;
    const headerBytes = message.readUInt32LE(start + lengths.header);
    const headBytes = message.readUInt32LE(start + lengths.head);
    const ids = { shield: text(), backend: text(), source: text(), isUnparsed };
    const headStart = end + headerBytes;
    const header = Buffer.from(message.subarray(end, headStart));
    start = headStart + headBytes;
    if (start > message.length) throw new RangeError("a message of players is cut off");
    players.push({ id, ids, header, head: Buffer.from(message.subarray(headStart, start)) });
  }
  return players;
}
