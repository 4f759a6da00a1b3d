/** What is known of one backend's status: its answers, and when it last failed. */
export interface StatusSlot {
  readonly shieldId: string;
  /** By the host it was asked for, then by protocol; `StatusCache` bounds them. */
  readonly hosts: Map<string, Map<number, StatusEntry>>;
  /** That was answered last. */
  newest: StatusEntry | undefined;
  /** The fetch begun last, as long as any is under way. */
  latest: Promise<Buffer | undefined> | undefined;
  /** When it was last found unreachable; -Infinity once it answered again. */
  failedAtMs: number;
  /** Fetches under way, of all protocols. */
  fetches: number;
}

export interface StatusEntry {
  readonly slot: StatusSlot;
  readonly host: string;
  readonly protocol: number;
  /** Number of the owner's purge it was fetched under. */
  purge: number;
  /** The answer, ready to be written. */
  frame: Buffer | undefined;
  fetchedAtMs: number;
  /** Of use to nobody once it is older. */
  keepMs: number;
  /** When the last attempt for this protocol failed; -Infinity once one succeeded. */
  failedAtMs: number;
  /** The one fetch under way, of which everybody takes the outcome. */
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
