import type { Socket } from "node:net";
import type { RelayIds } from "./relay-host.ts";

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
  | { readonly kind: "hello"; readonly players: readonly PlayerNews[] }
  | { readonly kind: "answered" | "spoke" | "hung-up" | "closed"; readonly id: number }
  /** Since the last time, whoever heard that: shield, bytes up, bytes down. */
  | { readonly kind: "moved"; readonly moved: readonly (readonly [string, number, number])[] };

/** What it is told there. */
export type RelayCommand =
  | { readonly kind: "destroy"; readonly id: number }
  /** Every player is to be let go, and the process to end. */
  | { readonly kind: "end" };

/** Calls back with every line of JSON that comes. Both ends are programs of ours. */
export function onLines(socket: Socket, take: (line: unknown) => void): void {
  let rest = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(JSON.parse(line));
  });
}

export function sendLine(socket: Socket, line: RelayNews | RelayCommand): void {
  if (socket.writable) socket.write(`${JSON.stringify(line)}\n`);
}
