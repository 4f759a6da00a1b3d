import { endKey } from "@palisade/contract/edge/plain-values";
import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import type { ApplyResult, ShieldSink } from "#src/ports.ts";

/** A shield is not compiled more often than this because entries end one after the other. */
const pauseMs = 5_000;

const tickMs = 1_000;

interface Ending {
  readonly config: ShieldConfig;
  /** When the next entry ends, but not before the pause is over. */
  readonly dueMs: number;
}

interface EndingEntriesDeps {
  readonly sink: ShieldSink;
  readonly nowMs: () => number;
}

/**
 * Ends entries of lists at their time, without the control plane: passes configurations on without the
 * entries that have ended, and once more when another one ends. Below it, lists have no times.
 */
export class EndingEntries implements ShieldSink {
  readonly #deps: EndingEntriesDeps;
  /** Shields with an entry that will end. */
  readonly #ending = new Map<string, Ending>();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: EndingEntriesDeps) {
    this.#deps = deps;
  }

  apply(config: ShieldConfig): ApplyResult {
    return this.#pass(config, 0);
  }

  remove(shieldId: string): void {
    this.#ending.delete(shieldId);
    this.#deps.sink.remove(shieldId);
  }

  /** Ends what is due. */
  tick(): void {
    const now = this.#deps.nowMs();
    for (const { config, dueMs } of this.#ending.values()) {
      if (dueMs <= now) this.#pass(config, now + pauseMs);
    }
  }

  start(): void {
    this.#timer = setInterval(() => this.tick(), tickMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #pass(config: ShieldConfig, notBeforeMs: number): ApplyResult {
    const now = this.#deps.nowMs();
    const result = this.#deps.sink.apply(inForce(config, now));
    if (!result.ok) return result;
    const nextMs = nextEnd(config, now);
    if (nextMs === undefined) this.#ending.delete(config.shield_id);
    else this.#ending.set(config.shield_id, { config, dueMs: Math.max(nextMs, notBeforeMs) });
    return result;
  }
}

/** The configuration with the entries that hold now, and without ends. */
function inForce(config: ShieldConfig, nowMs: number): ShieldConfig {
  const { lists } = config;
  const { expires } = lists;
  const ends = Object.values(expires);
  if (ends.length === 0) return config;
  const whole = { ...config, lists: { ...lists, expires: {} } };
  if (ends.every((endMs) => endMs > nowMs)) return whole;
  const holding = (list: "blacklist" | "whitelist", entries: readonly string[]): string[] =>
    entries.filter((entry) => (expires[endKey(list, entry)] ?? Infinity) > nowMs);
  return {
    ...whole,
    lists: {
      ...whole.lists,
      blacklist: holding("blacklist", lists.blacklist),
      whitelist: holding("whitelist", lists.whitelist),
      blacklist_names: holding("blacklist", lists.blacklist_names),
      whitelist_names: holding("whitelist", lists.whitelist_names),
    },
  };
}

function nextEnd({ lists }: ShieldConfig, nowMs: number): number | undefined {
  let next: number | undefined;
  for (const endMs of Object.values(lists.expires)) {
    if (endMs > nowMs && (next === undefined || endMs < next)) next = endMs;
  }
  return next;
}
