/** Subjects that are remembered; beyond it the one counted first is forgotten. */
const subjectsMax = 50_000;

export interface WindowCounter {
  /** Counts a hit. A window starts with its first hit. */
  hit(
    subject: string,
    windowSeconds: number,
    nowMs: number,
  ): { readonly hits: number; readonly expiresAtMs: number };
}

/** Fixed windows in the memory of this process, for limits too cheap to be worth a write to PostgreSQL. */
export function createWindowCounter(max: number = subjectsMax): WindowCounter {
  const windows = new Map<string, { hits: number; expiresAtMs: number }>();
  return {
    hit(subject, windowSeconds, nowMs) {
      const known = windows.get(subject);
      if (known !== undefined && known.expiresAtMs > nowMs) {
        known.hits += 1;
        return known;
      }
      // Deleted first, so that the oldest windows come first.
      windows.delete(subject);
      const [oldest] = windows.keys();
      if (windows.size >= max && oldest !== undefined) windows.delete(oldest);
      const fresh = { hits: 1, expiresAtMs: nowMs + windowSeconds * 1000 };
      windows.set(subject, fresh);
      return fresh;
    },
  };
}
