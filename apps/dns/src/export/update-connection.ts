import { connect, type Socket } from "node:net";
import type { ExportTarget } from "#src/config.ts";

/** Our messages have at most 16 KiB; an answer is the message, possibly cut, and a signature. */
const answerBytesMax = 32 * 1024;

export interface UpdateConnection {
  /**
   * Sends a message and resolves with the answer; connects first if needed. One call at a time.
   *
   * @throws Error when no answer comes or the signal fires; the connection is then closed
   */
  exchange(message: Buffer, signal: AbortSignal): Promise<Buffer>;
  close(): void;
}

interface Waiting {
  resolve(answer: Buffer): void;
  reject(error: Error): void;
}

/** DNS over TCP (RFC 7766): length before message, one question in flight. */
export function createUpdateConnection(server: ExportTarget["server"]): UpdateConnection {
  let socket: Socket | null = null;
  let waiting: Waiting | null = null;

  function close(reason: Error): void {
    socket?.destroy();
    socket = null;
    waiting?.reject(reason);
    waiting = null;
  }

  function open(): Socket {
    const opened = connect({ ...server, noDelay: true });
    let chunks: Buffer[] = [];
    let bytes = 0;
    let wanted: number | null = null;
    opened.on("error", (error) => {
      if (socket === opened) close(error);
    });
    opened.on("close", () => {
      if (socket === opened) close(new Error("the connection was closed"));
    });
    opened.on("data", (chunk) => {
      if (socket !== opened) return;
      if (waiting === null) return close(new Error("an unexpected answer came"));
      chunks.push(chunk);
      bytes += chunk.length;
      if (wanted === null && bytes >= 2) wanted = 2 + Buffer.concat(chunks).readUInt16BE(0);
      if (wanted === null) return;
      if (wanted > 2 + answerBytesMax) return close(new Error("the answer is too long"));
      if (bytes < wanted) return;
      if (bytes > wanted) return close(new Error("more than one answer came"));
      const answer = Buffer.concat(chunks).subarray(2);
      chunks = [];
      bytes = 0;
      wanted = null;
      waiting.resolve(answer);
      waiting = null;
    });
    return opened;
  }

  return {
    exchange(message, signal) {
      const outcome = Promise.withResolvers<Buffer>();
      if (signal.aborted) return Promise.reject(new Error("there was no answer in time"));
      const giveUp = (): void => close(new Error("there was no answer in time"));
      signal.addEventListener("abort", giveUp, { once: true });
      waiting = outcome;
      socket ??= open();
      const prefix = Buffer.alloc(2);
      prefix.writeUInt16BE(message.length);
      socket.write(Buffer.concat([prefix, message]));
      return outcome.promise.finally(() => signal.removeEventListener("abort", giveUp));
    },
    close: () => close(new Error("the connection was closed")),
  };
}
