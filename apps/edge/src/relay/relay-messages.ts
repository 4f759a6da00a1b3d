import type { Socket } from "node:net";
import type { RelayIds, RelayOrder } from "./relay-host.ts";

/**
 * Raised with every change of these messages: a front also finds relay processes of the release
 * before, and starts ones of the next once its files are installed.
 */
export const relayProtocol = 2;

/** Relay processes of these tell their news alike, so a front can adopt their players. */
export const adoptedProtocols: readonly number[] = [1, 2];

/** Checks, one a second, of a silent relay process until it counts as hung. */
export const hungLooks = 30;

/** Bytes of the message that brings a player. */
export const playerMessageMax = 128 * 1_024;

/** A player who is handed over; the message has the descriptors of player and backend with it. */
export interface PlayerMessage extends Pick<RelayOrder, "header" | "head"> {
  readonly id: number;
  readonly ids: RelayIds;
}

/** Two lengths: of the facts in JSON, and of the header. */
const lengthsBytes = 8;

/** A session keeps fewer bytes of a player than fit in. */
export function encodePlayer({ id, ids, header, head }: PlayerMessage): Buffer {
  const facts = Buffer.from(JSON.stringify({ id, ids }));
  const lengths = Buffer.alloc(lengthsBytes);
  lengths.writeUInt32LE(facts.length, 0);
  lengths.writeUInt32LE(header.length, 4);
  return Buffer.concat([lengths, facts, header, head]);
}

/** @param message of `encodePlayer`; its bytes are copied */
export function decodePlayer(message: Buffer): PlayerMessage {
  const headerStart = lengthsBytes + message.readUInt32LE(0);
  const headStart = headerStart + message.readUInt32LE(4);
  // Our front sends nothing else.
  const facts = JSON.parse(message.toString("utf8", lengthsBytes, headerStart)) as Pick<
    PlayerMessage,
    "id" | "ids"
  >;
  return {
    ...facts,
    header: Buffer.from(message.subarray(headerStart, headStart)),
    head: Buffer.from(message.subarray(headStart)),
  };
}

export interface PlayerNews {
  readonly id: number;
  readonly ids: RelayIds;
}

/** Messages of a relay process to the connected front, one line of JSON each. */
export type RelayNews =
  /** The first message: the players it relays now. */
  | {
      readonly kind: "hello";
      readonly protocol: number;
      readonly players: readonly PlayerNews[];
    }
  | { readonly kind: "answered" | "spoke" | "hung-up" | "closed"; readonly id: number }
  /**
   * At least twice a second. Since the last message, to whichever front: shield, bytes up, bytes
   * down.
   */
  | { readonly kind: "moved"; readonly moved: readonly (readonly [string, number, number])[] };

/** Messages to the relay process. */
export type RelayCommand =
  | { readonly kind: "destroy"; readonly id: number }
  /** Disconnects every player and ends the process. */
  | { readonly kind: "end" };

/** A message of the other end that cannot be read, or must not be accepted. */
export class NotUnderstood extends Error {}

/**
 * Calls back with every line of JSON that comes. Both ends are programs of ours, but they may be of
 * different releases: what cannot be taken ends the connection, and nothing else.
 */
export function onLines(socket: Socket, take: (line: unknown) => void): void {
  /** Length limit of an unfinished line: one may be of many megabytes. */
  let pieces: string[] = [];
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    const [first = "", ...more] = chunk.split("\n");
    pieces.push(first);
    try {
      for (const piece of more) {
        take(JSON.parse(pieces.join("")));
        pieces = [piece];
      }
    } catch (cause) {
      socket.destroy(new NotUnderstood("a line was not understood", { cause }));
    }
  });
}

export function sendLines(socket: Socket, lines: readonly (RelayNews | RelayCommand)[]): void {
  if (!socket.writable) return;
  socket.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}
