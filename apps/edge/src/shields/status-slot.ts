import type { BackendHealth } from "#src/routing/backends.ts";

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

/**
 * The answer from memory that a shield's pings last got from its first backend: the next ping is
 * mostly alike. It saves that ping a walk through groups, backends and cache, which are cold in
 * memory on an edge of many shields.
 */
export class LastAnswer {
  /** Host and protocol as the client named them. */
  #host = "";
  #protocol = 0;
  #entry: StatusEntry | undefined;
  #health: BackendHealth | undefined;
  /** An integer, so that it is stored in the object itself. */
  #freshUntilMs = 0;

  /** The answer, if it fits this ping too and is as good as when it was kept. */
  answer(host: string, protocol: number, nowMs: number): Buffer | undefined {
    if (nowMs > this.#freshUntilMs || protocol !== this.#protocol || host !== this.#host) {
      return undefined;
    }
    return this.#health?.isDown === false ? this.#entry?.frame : undefined;
  }

  /** @param freshMs age up to which the entry is given without being asked for anew */
  keep(
    host: string,
    protocol: number,
    entry: StatusEntry,
    health: BackendHealth,
    freshMs: number,
  ): void {
    this.#host = host;
    this.#protocol = protocol;
    this.#entry = entry;
    this.#health = health;
    this.#freshUntilMs = Math.floor(entry.fetchedAtMs + freshMs);
  }
}
