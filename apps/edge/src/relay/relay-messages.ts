import type { Socket } from "node:net";
import type { RelayIds } from "./relay-host.ts";

/**
 * Raised with every change of what is told or handed over here: a front also finds relay processes of
 * the release before, and starts ones of the next once its files are there.
 */
export const relayProtocol = 1;

/** Looks, a second each, at a relay process that says nothing: then it hangs. */
export const hungLooks = 30;

/** From a front to its own relay process, each with a socket, the player's first. */
export type PairMessage =
  | {
      readonly kind: "player";
      readonly id: number;
      readonly ids: RelayIds;
      /** In base64, as the next two. */
      readonly header: string;
      readonly head: string;
      /** What the backend was heard to say. */
      readonly early: string;
    }
  | { readonly kind: "backend"; readonly id: number };

export interface PlayerNews {
  readonly id: number;
  readonly ids: RelayIds;
}

/** What a relay process tells whichever front listens, a line of JSON each. */
export type RelayNews =
  /** First. Whom it relays now. */
  | {
      readonly kind: "hello";
      readonly protocol: number;
      readonly players: readonly PlayerNews[];
    }
  | { readonly kind: "answered" | "spoke" | "hung-up" | "closed"; readonly id: number }
  /** Twice a second at least. Since the last time, whoever heard that: shield, bytes up, bytes down. */
  | { readonly kind: "moved"; readonly moved: readonly (readonly [string, number, number])[] };

/** What it is told there. */
export type RelayCommand =
  | { readonly kind: "destroy"; readonly id: number }
  /** Every player is to be let go, and the process to end. */
  | { readonly kind: "end" };

/** What the other end has said cannot be read here, or not be taken. */
export class NotUnderstood extends Error {}

/**
 * Calls back with every line of JSON that comes. Both ends are programs of ours, but they may be of
 * different releases: what cannot be taken ends the connection, and nothing else.
 */
export function onLines(socket: Socket, take: (line: unknown) => void): void {
  /** Of a line that is not whole yet: one may be of many megabytes. */
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

export function sendLine(socket: Socket, line: RelayNews | RelayCommand): void {
  if (socket.writable) socket.write(`${JSON.stringify(line)}\n`);
}
