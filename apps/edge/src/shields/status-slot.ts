/** Status answers of one backend, and when it last failed. */
export interface StatusSlot {
  readonly shieldId: string;
  /** By requested host, then by protocol; `StatusCache` bounds them. */
  readonly hosts: Map<string, Map<number, StatusEntry>>;
  /** The entry that was answered last. */
  newest: StatusEntry | undefined;
  /** The last fetch that was started, as long as any is running. */
  latest: Promise<Buffer | undefined> | undefined;
  /** When it was last found unreachable; -Infinity once it answered again. */
  failedAtMs: number;
  /** Running fetches, of all protocols. */
  fetches: number;
}

export interface StatusEntry {
  readonly slot: StatusSlot;
  readonly host: string;
  readonly protocol: number;
  /** Number of the owner's purge when it was fetched. */
  purge: number;
  /** The answer, ready to be written. */
  frame: Buffer | undefined;
  fetchedAtMs: number;
  /** Age in ms after which the answer is useless. */
  keepMs: number;
  /** When the last attempt for this protocol failed; -Infinity once one succeeded. */
  failedAtMs: number;
  /** The one running fetch, whose result all waiting pings share. */
  fetching: Promise<Buffer | undefined> | undefined;
}

export function createStatusSlot(shieldId: string): StatusSlot {
  return {
    shieldId,
    hosts: new Map(),
    newest: undefined,
    latest: undefined,
    failedAtMs: Number.NEGATIVE_INFINITY,
    fetches: 0,
  };
}
