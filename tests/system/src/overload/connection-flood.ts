import { connect, type Socket } from "node:net";
import type { HostPort } from "../product/palisade.ts";

export interface ConnectionFlood {
  /** What the edge said first, as text, with how often. */
  readonly answers: Map<string, number>;
  /** Connections that were answered. */
  readonly answered: () => number;
  stop(): void;
}

/**
 * Connects again and again, whatever becomes of it, and says the same each time.
 *
 * @param network two parts of an address on loopback; each connection comes from another of it
 * @param atOnce connections at any time
 */
export function startConnectionFlood(
  edge: HostPort,
  network: string,
  hello: Uint8Array,
  atOnce: number,
): ConnectionFlood {
  const answers = new Map<string, number>();
  const open = new Set<Socket>();
  let knocks = 0;
  let answered = 0;
  let isStopped = false;

  function again(): void {
    if (isStopped) return;
    const localAddress = `${network}.${(knocks >> 7) & 0xff}.${(knocks & 0x7f) + 1}`;
    knocks++;
    const socket = connect({ ...edge, localAddress });
    open.add(socket);
    socket.on("connect", () => socket.write(hello));
    // Nobody listens while the edge is away.
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
  for (let n = 0; n < atOnce; n++) again();
  return {
    answers,
    answered: () => answered,
    stop() {
      isStopped = true;
      for (const socket of open) socket.destroy();
    },
  };
}
