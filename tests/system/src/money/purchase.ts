import { setTimeout as delay } from "node:timers/promises";
import { CallError, type Client } from "@palisade/contract/http/client";
import { routes } from "@palisade/contract/http/routes";

/** One submit of the wizard: it keeps its key however often it has to be repeated. */
export interface Purchase {
  readonly key: string;
  readonly body: {
    readonly pricing_plan_id: string;
    readonly server_name: string;
    readonly real_ip: string;
    readonly real_port: number;
    readonly location: string;
    readonly domain: string;
    readonly cname_record: string;
  };
}

/** Id of the shield bought, or null where the balance was too low. */
export type Outcome = string | null;

const capMs = 90_000;
const pauseMs = 100;

/**
 * Buys on one api and, while there is no answer, on the others in turn, as a caller does who
 * lost the connection.
 *
 * @throws for any answer but bought, too little money, or try again
 */
export async function buy(purchase: Purchase, clients: readonly Client[]): Promise<Outcome> {
  const deadline = performance.now() + capMs;
  for (let attempt = 0; ; attempt += 1) {
    const client = clients[attempt % clients.length];
    if (client === undefined) throw new Error("There is no api to buy from");
    try {
      const { data } = await client(routes.servers.createServer, {
        body: purchase.body,
        headers: { "idempotency-key": purchase.key },
      });
      return data.server.id;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (error.status === 402) return null;
      const isRunning = error.problem?.code === "idempotency_in_progress";
      const mayRepeat = error.status === 0 || error.status === 503 || isRunning;
      if (!mayRepeat || performance.now() > deadline) throw error;
    }
    await delay(pauseMs);
  }
}
