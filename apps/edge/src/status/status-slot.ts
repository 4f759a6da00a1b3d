/** What is known of one backend's status: its answers by protocol, and when it last failed. */
export interface StatusSlot {
  /** As many as the version table has at most. */
  readonly entries: Map<number, StatusEntry>;
  /** When it was last found unreachable; -Infinity once it answered again. */
  failedAtMs: number;
  /** Fetches under way, of all protocols. */
  fetches: number;
}

export interface StatusEntry {
  /** The answer, ready to be written. */
  frame: Buffer | undefined;
  fetchedAtMs: number;
  /** When the last attempt for this protocol failed; -Infinity once one succeeded. */
  failedAtMs: number;
  /** The one fetch under way, of which everybody takes the outcome. */
  fetching: Promise<Buffer | undefined> | undefined;
}

export function createStatusSlot(): StatusSlot {
  return { entries: new Map(), failedAtMs: Number.NEGATIVE_INFINITY, fetches: 0 };
}
