import type { Socket } from "node:net";
import type { ShareRate } from "./process-shares.ts";
import type { RelayIds } from "./relay-host.ts";

/**
 * Raised with every change of these messages: an edge also finds relay processes of the release
 * before, and starts ones of the next once its files are installed.
 */
export const relayProtocol = 3;

/** An edge understands the news of these, so it can adopt their players. */
export const adoptedProtocols: readonly number[] = [1, 2, 3];

/** Checks, one a second, of a silent relay process until it counts as hung. */
export const hungTicks = 30;

export interface RelayedPlayerState {
  readonly id: number;
  readonly ids: RelayIds;
}

/** In the order in which they happen to a player; see `RelayEvents`. */
export type PlayerEvent = "answered" | "spoke" | "hung-up" | "closed";

export type PlayerEvents = Partial<Readonly<Record<PlayerEvent, readonly number[]>>>;

/** Messages of a relay process to the connected edge, one line of JSON each. */
export type RelayMessage =
  /** The first message: the players it relays now. */
  | {
      readonly kind: "hello";
      readonly protocol: number;
      readonly players: readonly RelayedPlayerState[];
    }
  /** The ids of players, by what has happened to them. */
  | { readonly kind: "players"; readonly events: PlayerEvents }
  /** The same for one player, of protocols 1 and 2. */
  | { readonly kind: PlayerEvent; readonly id: number }
  /**
   * At least twice a second. Since the last message, to whichever edge: shield, bytes up, bytes
   * down.
   */
  | { readonly kind: "moved"; readonly moved: readonly (readonly [string, number, number])[] };

/** Messages to the relay process. */
export type RelayCommand =
  | { readonly kind: "destroy"; readonly id: number }
  /**
   * Bandwidth of shields, for the players of this process. A process of an earlier release ignores it,
   * and one that is never told limits nothing: so it needs no other number of the protocol.
   */
  | { readonly kind: "shares"; readonly rates: readonly ShareRate[] }
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

export function sendLines(socket: Socket, lines: readonly (RelayMessage | RelayCommand)[]): void {
  if (!socket.writable) return;
  socket.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}
