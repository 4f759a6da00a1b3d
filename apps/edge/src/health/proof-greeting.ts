import type { TimerWheel } from "@palisade/sockets/timer-wheel";
import type { Connection } from "@palisade/sockets/tcp-connection";

/** For the first bytes; a server that greets does so at once. */
const greetingMs = 1_500;

/**
 * Whether the first bytes that the server sends by itself are the token. Nothing is sent, so that no
 * server can be made to repeat the token. Uses the connection up, and never rejects.
 */
export async function greetsWith(
  socket: Connection,
  token: string,
  { wheel, signal }: { readonly wheel: TimerWheel; readonly signal: AbortSignal },
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const wanted = Buffer.from(token, "latin1");
  let heard = Buffer.alloc(0);
  const giveUp = (): void => resolve(false);
  const deadline = { expire: giveUp };
  socket.listen({
    received(chunk) {
      heard = Buffer.concat([heard, chunk]).subarray(0, wanted.length);
      const isEqual = heard.equals(wanted.subarray(0, heard.length));
      if (!isEqual || heard.length === wanted.length) resolve(isEqual);
    },
    ended: giveUp,
    closed: giveUp,
  });
  wheel.schedule(deadline, greetingMs);
  signal.addEventListener("abort", giveUp, { once: true });
  if (signal.aborted) giveUp();
  socket.resume();
  try {
    return await promise;
  } finally {
    wheel.cancel(deadline);
    signal.removeEventListener("abort", giveUp);
    socket.destroy();
  }
}
