import { setTimeout as delay } from "node:timers/promises";
import { CallError, type Client } from "@palisade/contract/http/client";

/** One api of the product, with the account's client for it. */
export interface ApiClient {
  readonly url: string;
  readonly call: Client;
}

const capMs = 90_000;
const pauseMs = 100;

/**
 * Calls one api and, while there is no answer, the others in turn, like a caller that lost its
 * connection.
 *
 * @throws any error that is no reason to try again
 */
export async function retryAcross<T>(
  apis: readonly ApiClient[],
  work: (api: ApiClient) => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + capMs;
  for (let attempt = 0; ; attempt += 1) {
    const api = apis[attempt % apis.length];
    if (api === undefined) throw new Error("There is no api to ask");
    try {
      return await work(api);
    } catch (error) {
      if (!mayRepeat(error) || performance.now() > deadline) throw error;
    }
    await delay(pauseMs);
  }
}

function mayRepeat(error: unknown): boolean {
  if (!(error instanceof CallError)) return false;
  const isRunning = error.problem?.code === "idempotency_in_progress";
  return error.status === 0 || error.status === 503 || isRunning;
}
