import { connect, type Socket } from "node:net";
import type { HostPort } from "../product/palisade.ts";

export interface ConnectionFlood {
  /** First answers of the edge as text, and how often each came. */
  readonly answers: Map<string, number>;
  /** Connections that were answered. */
  readonly answered: () => number;
  stop(): void;
}

/**
 * Connects again and again and sends the same bytes each time.
 *
 * @param network first two parts of an address on loopback; each connection uses another address of it
 * @param parallel number of connections at any time
 */
export function startConnectionFlood(
  edge: HostPort,
  network: string,
  hello: Uint8Array,
  parallel: number,
): ConnectionFlood {
  const answers = new Map<string, number>();
  const open = new Set<Socket>();
  let attempts = 0;
  let answered = 0;
  let isStopped = false;

  function again(): void {
    if (isStopped) return;
    const localAddress = `${network}.${(attempts >> 7) & 0xff}.${(attempts & 0x7f) + 1}`;
    attempts++;
    const socket = connect({ ...edge, localAddress });
    open.add(socket);
    socket.on("connect", () => socket.write(hello));
    // Nothing listens while the edge restarts.
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => {
      const text = chunk.toString("latin1").replaceAll(/[^ -~]/g, "");
      answers.set(text, (answers.get(text) ?? 0) + 1);
      answered++;
      socket.destroy();
    });
    socket.on("close", () => {
      open.delete(socket);
      setTimeout(again, 5);
    });
  }
  for (let n = 0; n < parallel; n++) again();
  return {
    answers,
    answered: () => answered,
    stop() {
      isStopped = true;
      for (const socket of open) socket.destroy();
    },
  };
}
