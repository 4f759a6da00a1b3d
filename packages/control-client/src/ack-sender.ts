import { edgeRoutes, type Ack } from "@palisade/contract/edge/edge-routes";
import { CallError, type Client } from "@palisade/contract/http/client";
import { createBackoff } from "./backoff.ts";
import type { Log } from "./log.ts";
import { sleep } from "./sleep.ts";

/** Acknowledgements of one call, as the contract caps them. */
const batchMax = 10_000;

export interface AckSenderOptions {
  /** Version that serves now, sent along; 0 until it is known to be the control plane's. */
  readonly version: () => number;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly retry?: { readonly baseMs: number; readonly capMs: number };
  /** Pause after the credential was refused. */
  readonly refusedRetryMs?: number;
  readonly timeoutMs?: number;
}

export interface AckSender {
  /** Starts sending; acknowledgements queued before go first. */
  start(call: Client): void;
  /** Queues an acknowledgement; it replaces an older one of the same shield. */
  add(ack: Ack): void;
  /** Reports the version if it differs from the last one that was answered. */
  reportVersion(): void;
  /** Forgets which version was reported: the next connection may reach another control plane. */
  resetReportedVersion(): void;
  /** Acknowledgements not answered yet; never more than there are shields. */
  pending(): number;
}

/**
 * Sends acknowledgements until they are answered. Those queued during a call go together in the
 * next one, so a snapshot takes few calls and a single change does not wait.
 */
export function createAckSender(options: AckSenderOptions): AckSender {
  const { log, signal } = options;
  const queue = new Map<string, Ack>();
  const backoff = createBackoff(options.retry ?? { baseMs: 200, capMs: 10_000 });
  let client: Client | null = null;
  let sending = false;
  let reported = 0;

  function isDue(): boolean {
    const version = options.version();
    return queue.size > 0 || (version !== 0 && version !== reported);
  }

  async function drain(call: Client): Promise<void> {
    // Acknowledgements of one line of the stream go together.
    await Promise.resolve();
    while (isDue() && !signal.aborted) {
      const acks = [...queue.values()].slice(0, batchMax);
      const version = options.version();
      try {
        await call(edgeRoutes.acks, {
          body: { version, acks },
          signal: AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs ?? 10_000)]),
        });
        settle(acks);
        reported = version;
        backoff.reset();
      } catch (error) {
        if (signal.aborted) return;
        await failed(error, acks);
      }
    }
  }

  function settle(acks: readonly Ack[]): void {
    for (const ack of acks) if (queue.get(ack.shield_id) === ack) queue.delete(ack.shield_id);
  }

  async function failed(error: unknown, acks: readonly Ack[]): Promise<void> {
    const status = error instanceof CallError ? error.status : 0;
    if (status === 401) {
      await sleep(options.refusedRetryMs ?? 300_000, signal);
      return;
    }
    if (status === 400 || status === 413 || status === 422) {
      // The same acknowledgements would be refused again and block those behind them.
      log.error({ err: error, acks: acks.length }, "acknowledgements refused and dropped");
      settle(acks);
      reported = options.version();
      return;
    }
    log.debug({ err: error }, "acknowledgements not delivered, trying again");
    await sleep(backoff.next(), signal);
  }

  function kick(): void {
    if (sending || client === null || !isDue()) return;
    sending = true;
    void drain(client).finally(() => {
      sending = false;
      // One may have been queued since the loop ended.
      if (!signal.aborted) kick();
    });
  }

  return {
    start(call) {
      client = call;
      kick();
    },
    add(ack) {
      queue.set(ack.shield_id, ack);
      kick();
    },
    reportVersion: kick,
    resetReportedVersion() {
      reported = 0;
    },
    pending: () => queue.size,
  };
}
