import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import type { ResponseLimiter } from "#src/limits/response-limiter.ts";
import type { Responder } from "#src/responder.ts";

export interface UdpListener {
  /** Answers that the kernel did not take. */
  readonly sendFailures: number;
  close(): Promise<void>;
}

/** Answers datagrams on the address and port. The port is never 0: TCP chooses it first. */
export async function listenUdp(
  host: string,
  port: number,
  responder: Responder,
  limiter: ResponseLimiter,
): Promise<UdpListener> {
  let sendFailures = 0;
  const socket: Socket = createSocket({ type: isIPv6(host) ? "udp6" : "udp4", reuseAddr: false });
  socket.on("message", (message, from) => {
    const verdict = limiter.take(from.address, performance.now());
    if (verdict === "drop" || from.port === 0) return;
    const reply = responder.respond(message, "udp", verdict === "slip");
    if (reply === null) return;
    // Errors are only counted: the source may be unreachable.
    socket.send(reply, from.port, from.address, (error) => {
      if (error !== null) sendFailures += 1;
    });
  });
  socket.bind(port, host);
  await once(socket, "listening");
  socket.on("error", () => undefined);
  return {
    get sendFailures() {
      return sendFailures;
    },
    async close() {
      const closed = once(socket, "close");
      socket.close();
      await closed;
    },
  };
}
