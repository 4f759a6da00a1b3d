import { duplicate, handOver } from "@palisade/sockets/descriptors";
import { SystemCallError } from "@palisade/sockets/errno";
import type { HeldSession } from "./session-record.ts";

export type SessionCopyMessage =
  /** The descriptor belongs to the main thread from now on. */
  | { readonly kind: "session-copy"; readonly id: number; readonly session: HeldSession }
  | { readonly kind: "session-gone"; readonly id: number };

/**
 * Copies of the sessions of one thread, for the process that holds the edge's sockets: where the edge is
 * killed, the next one continues them. A copy is a second descriptor of the same socket, so datagrams of the
 * backend wait in it.
 */
export class SessionCopies {
  readonly #send: (message: SessionCopyMessage) => void;
  #lastId = 0;

  /** @param send to the main thread */
  constructor(send: (message: SessionCopyMessage) => void) {
    this.#send = send;
  }

  /** @returns by which the copy is removed; undefined where there is no room for one */
  add({ fd, record }: HeldSession): number | undefined {
    try {
      const copy = duplicate(fd);
      handOver(copy);
      this.#lastId += 1;
      this.#send({ kind: "session-copy", id: this.#lastId, session: { fd: copy, record } });
      return this.#lastId;
    } catch (error) {
      // Without descriptors left, the player is lost if the edge is killed.
      if (error instanceof SystemCallError) return undefined;
      throw error;
    }
  }

  remove(id: number): void {
    this.#send({ kind: "session-gone", id });
  }
}
