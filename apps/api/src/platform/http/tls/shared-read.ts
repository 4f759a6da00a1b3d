/**
 * Calls during a read wait for the next one, together: its result is never older than the call, and
 * there is one read at a time.
 */
export function createSharedRead<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> | undefined;
  let next: Promise<T> | undefined;

  function begin(): Promise<T> {
    next = undefined;
    const result = read().finally(() => {
      if (running === result) running = undefined;
    });
    running = result;
    return result;
  }

  return () => {
    if (running === undefined) return begin();
    next ??= running.then(begin, begin);
    return next;
  };
}
