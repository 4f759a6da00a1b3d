/** Stops what was started, in reverse order, also when the stop comes during the start. */
export interface UndoStack {
  readonly signal: AbortSignal;
  /** Adds a stop function. When a stop is under way already, runs it at once and throws. */
  add(stop: () => Promise<void>): Promise<void>;
  /** Runs every stop function once, the last added first. A failure does not skip the others. */
  undo(): Promise<void>;
}

export function createUndoStack(onError: (error: unknown) => void): UndoStack {
  const controller = new AbortController();
  const stops: (() => Promise<void>)[] = [];
  let undoing: Promise<void> | undefined;

  async function runAll(): Promise<void> {
    for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) {
      await stop().catch(onError);
    }
  }

  return {
    signal: controller.signal,
    add: async (stop) => {
      if (controller.signal.aborted) {
        await stop().catch(onError);
        controller.signal.throwIfAborted();
      }
      stops.push(stop);
    },
    undo: () => {
      controller.abort();
      undoing ??= runAll();
      return undoing;
    },
  };
}
