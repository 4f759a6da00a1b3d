import type { LogEntry } from "@palisade/contract/http/logs";
import { useEffect, useRef, useState } from "react";
import { statusOf } from "#src/api/errors.ts";
import { tailLog } from "./logs.queries.ts";
import type { LogSearch } from "./logs-search.ts";

/** Entries on the page; older ones are in the list that is not live. */
const shownMax = 2_000;
const reconnectMs = 250;
const retryMsMin = 1_000;
const retryMsMax = 15_000;

export interface Tail {
  /** The newest first. */
  readonly entries: readonly LogEntry[];
  /** Arrived since the list was paused. */
  readonly waiting: number;
  readonly state: "connecting" | "live" | "lost";
  /** What ended it for good: the right is gone. */
  readonly error: unknown;
  readonly show: () => void;
}

/** Follows the log while `isOn`. Paused, it goes on to arrive and waits to be shown. */
export function useTail(
  shieldId: string,
  search: LogSearch,
  { isOn, isPaused }: { readonly isOn: boolean; readonly isPaused: boolean },
): Tail {
  const [entries, setEntries] = useState<readonly LogEntry[]>([]);
  const [waiting, setWaiting] = useState<readonly LogEntry[]>([]);
  const [state, setState] = useState<Tail["state"]>("connecting");
  const [error, setError] = useState<unknown>(null);
  const paused = useRef(isPaused);
  paused.current = isPaused;
  // A new object on every render; its content is what counts.
  const key = JSON.stringify(search);

  useEffect(() => {
    setEntries([]);
    setWaiting([]);
    setError(null);
    if (!isOn) return undefined;
    const ended = new AbortController();
    const filters = JSON.parse(key) as LogSearch;
    const seen = new Set<string>();
    const arrive = (arrived: readonly LogEntry[]) => {
      const fresh = arrived.filter(({ id }) => !seen.has(id)).toReversed();
      if (fresh.length === 0) return;
      for (const { id } of fresh) seen.add(id);
      forgetOldest(seen, 2 * shownMax);
      const add = (old: readonly LogEntry[]) => [...fresh, ...old].slice(0, shownMax);
      if (paused.current) setWaiting(add);
      else setEntries(add);
    };
    void follow(shieldId, filters, ended.signal, { arrive, setState, setError });
    return () => ended.abort();
  }, [shieldId, key, isOn]);

  const show = () => {
    setEntries((old) => [...waiting, ...old].slice(0, shownMax));
    setWaiting([]);
  };
  // What waited is shown together with what arrives after the pause.
  useEffect(() => {
    if (!isPaused && waiting.length > 0) show();
  });
  return { entries, waiting: waiting.length, state, error, show };
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
