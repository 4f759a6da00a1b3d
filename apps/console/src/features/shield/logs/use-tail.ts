import type { LogEntry } from "@palisade/contract/http/logs";
import { startTransition, useEffect, useState } from "react";
import { statusOf } from "#src/api/errors.ts";
import { tailLog } from "./logs.queries.ts";
import type { LogSearch } from "./logs-search.ts";

/** Entries on the page; older ones are in the list that is not live. */
const shownMax = 2_000;
const reconnectMs = 250;
const retryMsMin = 1_000;
const retryMsMax = 15_000;

interface Tail {
  /** The newest first. */
  readonly entries: readonly LogEntry[];
  /** The newest that has arrived, shown or not; empty before the first. */
  readonly newest: string;
  /** Arrived since the list is held. */
  readonly waiting: number;
  readonly state: "connecting" | "live" | "lost";
  /** The reason of an end for good: the right is gone. */
  readonly error: unknown;
}

/**
 * Follows the log. Mount it anew for other filters.
 *
 * @param heldAt the id of the newest entry that is shown; null: all are
 */
export function useTail(shieldId: string, search: LogSearch, heldAt: string | null): Tail {
  const [arrived, setArrived] = useState<readonly LogEntry[]>([]);
  const [state, setState] = useState<Tail["state"]>("connecting");
  const [error, setError] = useState<unknown>(null);
  // A new object on every render; its content is what counts.
  const key = JSON.stringify(search);

  useEffect(() => {
    const ended = new AbortController();
    const seen = new Set<string>();
    const arrive = (entries: readonly LogEntry[]) => {
      const fresh = entries.filter(({ id }) => !seen.has(id)).toReversed();
      if (fresh.length === 0) return;
      for (const { id } of fresh) seen.add(id);
      forgetOldest(seen, 2 * shownMax);
      // The first rows of all are too many for one frame.
      startTransition(() => setArrived((old) => [...fresh, ...old].slice(0, 2 * shownMax)));
    };
    void follow(shieldId, JSON.parse(key) as LogSearch, ended.signal, {
      arrive,
      setState,
      setError,
    });
    return () => ended.abort();
  }, [shieldId, key]);

  const waiting = heldAt === null ? 0 : countBefore(arrived, heldAt);
  const entries = arrived.slice(waiting, waiting + shownMax);
  return { entries, newest: arrived[0]?.id ?? "", waiting, state, error };
}

/** How many are newer than the entry; where it has gone, the newest that are not shown. */
function countBefore(entries: readonly LogEntry[], id: string): number {
  const index = entries.findIndex((entry) => entry.id === id);
  return index === -1 ? Math.min(entries.length, shownMax) : index;
}

interface Listener {
  readonly arrive: (entries: readonly LogEntry[]) => void;
  readonly setState: (state: Tail["state"]) => void;
  readonly setError: (error: unknown) => void;
}

async function follow(
  shieldId: string,
  search: LogSearch,
  signal: AbortSignal,
  { arrive, setState, setError }: Listener,
): Promise<void> {
  let after: string | undefined;
  let retryMs = retryMsMin;
  setState("connecting");
  while (!signal.aborted) {
    try {
      for await (const line of tailLog(shieldId, search, after, signal)) {
        if (signal.aborted) return;
        setState("live");
        retryMs = retryMsMin;
        if (line.kind !== "entries") continue;
        after = line.entries.at(-1)?.id ?? after;
        arrive(line.entries);
      }
      // A proxy may end streams at once.
      await pause(reconnectMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      const status = statusOf(error);
      if (status === 403 || status === 404 || status === 410 || status === 422) {
        setError(error);
        return;
      }
      setState("lost");
      await pause(retryMs, signal);
      retryMs = Math.min(2 * retryMs, retryMsMax);
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function forgetOldest(seen: Set<string>, max: number): void {
  for (const id of seen) {
    if (seen.size <= max) return;
    seen.delete(id);
  }
}
