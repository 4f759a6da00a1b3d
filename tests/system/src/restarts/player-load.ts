import { setTimeout as delay } from "node:timers/promises";
import { pingStatus, tryLogin } from "../minecraft/java-client.ts";
import type { HostPort } from "../product/palisade.ts";

export interface PlayerLoad {
  /** Answered pings and joins so far, and attempts that failed. */
  counts(): { readonly pings: number; readonly joins: number; readonly failures: number };
  stop(): Promise<void>;
}

const pauseMs = 100;

/** Pings and joins through the edge, in turn, until stopped. */
export function startPlayerLoad(edge: () => HostPort, host: string): PlayerLoad {
  const ending = new AbortController();
  let pings = 0;
  let joins = 0;
  let failures = 0;

  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      try {
        await pingStatus({ edge: edge(), host });
        pings += 1;
        const outcome = await tryLogin({ edge: edge(), host }, "Visitor");
        if (outcome.kind === "admitted") joins += 1;
        else failures += 1;
      } catch {
        failures += 1;
      }
      await delay(pauseMs);
    }
  }
  const running = run();

  return {
    counts: () => ({ pings, joins, failures }),
    async stop() {
      ending.abort();
      await running;
    },
  };
}
