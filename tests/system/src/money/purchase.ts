import { CallError } from "@palisade/contract/http/client";
import { routes } from "@palisade/contract/http/routes";
import { retryAcross, type ApiClient } from "./retry-across.ts";

/** One submit of the wizard. It keeps its key when it is repeated. */
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

/** Id of the bought shield, or null if the balance was too low. */
export type Outcome = string | null;

/** @throws for any answer except bought, too little money, or try again */
export async function buy(purchase: Purchase, apis: readonly ApiClient[]): Promise<Outcome> {
  return retryAcross(apis, async ({ call }) => {
    try {
      const { data } = await call(routes.servers.createServer, {
        body: purchase.body,
        headers: { "idempotency-key": purchase.key },
      });
      return data.server.id;
    } catch (error) {
      if (error instanceof CallError && error.status === 402) return null;
      throw error;
    }
  });
}
