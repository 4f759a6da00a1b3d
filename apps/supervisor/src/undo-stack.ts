/** What was started, to be stopped in reverse order, also when a stop comes during the start. */
export interface UndoStack {
  readonly signal: AbortSignal;
  /** Adds a stop. When everything is being stopped already, it runs at once and this throws. */
  add(stop: () => Promise<void>): Promise<void>;
  /** Runs every stop, last added first, each once. One that fails does not keep the others. */
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
