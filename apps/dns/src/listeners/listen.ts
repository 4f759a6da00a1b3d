import type { ResponseLimiter } from "#src/limits/response-limiter.ts";
import { listenTcp } from "#src/listeners/tcp-listener.ts";
import { listenUdp } from "#src/listeners/udp-listener.ts";
import type { Responder } from "#src/responder.ts";

/** Attempts to find a port that is free for both; only with port 0. */
const attemptsMax = 20;

export interface ListenerStats {
  /** Open TCP connections. */
  readonly connections: number;
  /** TCP connections that made room for newer ones. */
  readonly shed: number;
  /** Answers over UDP that the kernel did not take. */
  readonly sendFailures: number;
}

export interface Listeners {
  readonly port: number;
  stats(): ListenerStats;
  close(): Promise<void>;
}

/** Listens on the same port for TCP and UDP. */
export async function listenBoth(
  host: string,
  port: number,
  responder: Responder,
  limiter: ResponseLimiter,
): Promise<Listeners> {
  for (let attempt = 1; ; attempt += 1) {
    const tcp = await listenTcp(host, port, responder);
    try {
      const udp = await listenUdp(host, tcp.port, responder, limiter);
      return {
        port: tcp.port,
        stats: () => ({
          connections: tcp.connections,
          shed: tcp.shed,
          sendFailures: udp.sendFailures,
        }),
        async close() {
          await Promise.all([tcp.close(), udp.close()]);
        },
      };
    } catch (error) {
      await tcp.close();
      if (port !== 0 || attempt >= attemptsMax) throw error;
    }
  }
}
