import { tryLogin } from "../minecraft/java-client.ts";
import type { HostPort } from "../product/palisade.ts";

/** Logins at each edge. */
const loginsPerTick = 10;
const tickMs = 500;
/** Number of networks from which the bots come. */
export const networks = 8;

export interface Bots {
  /** Logins so far, answered or not. */
  sent(): number;
  /** Bots that were kicked because there are too many connections. */
  refused(): number;
  /** Resolves once the last bot was answered. */
  stop(): Promise<void>;
}

/** Sends the same number of bots from a few networks to each edge in the list at that time; the edge has to answer all of them. */
export function sendBots(edges: readonly HostPort[], host: string): Bots {
  const logins: Promise<unknown>[] = [];
  let failure: unknown;
  let refused = 0;
  const timer = setInterval(() => {
    for (const edge of edges) {
      for (let n = 0; n < loginsPerTick; n += 1) {
        const from = `127.1.${logins.length % networks}.1`;
        const login = tryLogin({ edge, host, from }, `Bot${logins.length}`).then((answer) => {
          if (answer.kind === "kicked" && answer.text.includes("Too many players")) refused += 1;
        });
        logins.push(login.catch((error: unknown) => (failure ??= error)));
      }
    }
  }, tickMs);
  return {
    sent: () => logins.length,
    refused: () => refused,
    async stop() {
      clearInterval(timer);
      await Promise.all(logins);
      if (failure !== undefined) throw new Error("A bot was not answered", { cause: failure });
    },
  };
}
