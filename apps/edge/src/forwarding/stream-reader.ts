import type { Socket } from "node:net";
import type { EndReader, Taker } from "./backend-reader.ts";

/** Reads a socket as a stream: what is accepted here can be read in no other way. */
export class StreamReader implements EndReader {
  readonly keeps = true;
  readonly #socket: Socket;
  #taker: Taker | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  take(taker: Taker): void {
    if (this.#taker === undefined) this.#socket.on("data", (chunk: Buffer) => this.#read(chunk));
    this.#taker = taker;
  }

  #read(chunk: Buffer): void {
    if (this.#taker?.(chunk) === false) this.#socket.pause();
  }
}
