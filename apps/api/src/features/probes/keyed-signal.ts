/** Waits for the signal of a key. A signal between two waits is kept for the next one. */
export interface SignalWaiter {
  /** Resolves once there was a signal since the last call, the time is over or `signal` aborts. */
  next(timeoutMs: number, signal?: AbortSignal): Promise<void>;
  end(): void;
}

export interface KeyedSignal {
  /** Call it before reading the awaited state, so that no signal in between is lost. */
  waiter(key: string): SignalWaiter;
  wake(key: string): void;
  wakeAll(): void;
}

interface Waiting {
  isDue: boolean;
  resume: (() => void) | undefined;
}

export function createKeyedSignal(): KeyedSignal {
  const beds = new Map<string, Set<Waiting>>();

  function rouse(bed: Waiting): void {
    bed.isDue = true;
    bed.resume?.();
  }

  return {
    waiter(key) {
      const bed: Waiting = { isDue: false, resume: undefined };
      const room = beds.get(key) ?? new Set();
      beds.set(key, room.add(bed));
      return {
        async next(timeoutMs, signal) {
          if (!bed.isDue && signal?.aborted !== true) {
            await new Promise<void>((resolve) => {
              const limit = setTimeout(resolve, timeoutMs);
              const resume = () => {
                clearTimeout(limit);
                resolve();
              };
              bed.resume = resume;
              signal?.addEventListener("abort", resume, { once: true });
            }).finally(() => {
              if (bed.resume !== undefined) signal?.removeEventListener("abort", bed.resume);
              bed.resume = undefined;
            });
          }
          bed.isDue = false;
        },
        end() {
          room.delete(bed);
          if (room.size === 0 && beds.get(key) === room) beds.delete(key);
        },
      };
    },
    wake(key) {
      for (const bed of beds.get(key) ?? []) rouse(bed);
    },
    wakeAll() {
      for (const room of beds.values()) for (const bed of room) rouse(bed);
    },
  };
}
