/** Runs a limited number of tasks at once; the others wait in order. */
export interface Semaphore {
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createSemaphore(places: number): Semaphore {
  const waiting: (() => void)[] = [];
  let free = places;
  return {
    async run(work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        // The slot is passed on directly, so that no other caller takes it in between.
        if (next === undefined) free += 1;
        else next();
      }
    },
  };
}
