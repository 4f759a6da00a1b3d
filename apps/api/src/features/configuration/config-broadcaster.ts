import type { Logger } from "pino";
import type { Bus } from "#src/platform/database/bus.ts";
import type { Db } from "#src/platform/database/db.ts";
import { configChannel } from "#src/features/configuration/shield-writes.service.ts";
import { edgesChannel, onlineSeconds } from "#src/features/liveness/liveness.service.ts";
import { selectHead } from "./config-stream.repository.ts";

/** Wakes the configuration streams of this process when there may be something new to send. */
export interface ConfigBroadcaster {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Counts wake-ups; read it before reading the tables. */
  generation(): number;
  /** Resolves once there was a wake-up after `seen`, the time is over or `signal` aborts. */
  wait(seen: number, timeoutMs: number, signal: AbortSignal): Promise<void>;
  /**
   * Whether this process has watched the database long enough to say that an edge is gone: after
   * an outage of the api, no edge could report for a while.
   */
  hasWatchedLongEnough(): boolean;
}

export interface ConfigBroadcasterDeps {
  readonly db: Db;
  readonly bus: Bus;
  readonly log: Logger;
  /** Safety net for lost notifications. */
  readonly pollMs?: number;
}

export function createConfigBroadcaster(deps: ConfigBroadcasterDeps): ConfigBroadcaster {
  const { db, bus, log } = deps;
  const pollMs = deps.pollMs ?? 2_000;
  const waiting = new Set<() => void>();
  const endings: (() => void)[] = [];
  let generation = 0;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let knownHead = "";
  let watchingSince = performance.now();
  let polledAt = performance.now();

  function wake(): void {
    generation += 1;
    for (const resume of waiting) resume();
  }

  async function poll(): Promise<void> {
    try {
      const { version, epoch } = await selectHead(db);
      const head = `${epoch} ${version}`;
      const now = performance.now();
      // No report of an edge could be stored during the gap, so watching starts anew.
      if (now - polledAt > 3 * pollMs + 1_000) watchingSince = now;
      polledAt = now;
      if (head !== knownHead) wake();
      knownHead = head;
    } catch (error) {
      log.warn({ err: error }, "The head of the configuration cannot be read");
    }
    if (!stopped) timer = setTimeout(() => void poll(), pollMs);
  }

  return {
    async start() {
      endings.push(await bus.listen(configChannel, wake, wake));
      endings.push(await bus.listen(edgesChannel, wake, wake));
      await poll();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      for (const end of endings) end();
      wake();
    },
    generation: () => generation,
    async wait(seen, timeoutMs, signal) {
      if (generation !== seen || signal.aborted) return;
      await new Promise<void>((resolve) => {
        const resume = () => {
          clearTimeout(limit);
          waiting.delete(resume);
          signal.removeEventListener("abort", resume);
          resolve();
        };
        const limit = setTimeout(resume, Math.max(1, timeoutMs));
        waiting.add(resume);
        signal.addEventListener("abort", resume);
      });
    },
    hasWatchedLongEnough: () => performance.now() - watchingSince > onlineSeconds * 1_000,
  };
}
