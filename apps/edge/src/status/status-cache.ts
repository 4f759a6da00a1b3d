import type { StatusEntry, StatusSlot } from "./status-slot.ts";

/** Answers of all backends together. */
const bytesMax = 64 * 1024 * 1024;
/** Entries of all backends together, those without an answer too; some 150 bytes each. */
const entriesMax = 200_000;

/**
 * Memory of status answers, per backend, host and protocol. It is bounded: the
 * entry that was least recently made or filled gives way.
 */
export class StatusCache {
  readonly #bytesMax: number;
  readonly #entriesMax: number;
  readonly #entries = new Set<StatusEntry>();
  #bytes = 0;

  constructor(limits: { readonly bytesMax?: number; readonly entriesMax?: number } = {}) {
    this.#bytesMax = limits.bytesMax ?? bytesMax;
    this.#entriesMax = limits.entriesMax ?? entriesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** What is known; nothing of it from before another purge. */
  entry(slot: StatusSlot, host: string, protocol: number, purge: number): StatusEntry {
    const known = slot.hosts.get(host)?.get(protocol);
    if (known === undefined) return this.#create(slot, host, protocol, purge);
    if (known.purge !== purge) {
      this.#empty(known);
      known.purge = purge;
      // Who waits for it gets it; who comes from now on does not.
      known.fetching = undefined;
    }
    return known;
  }

  /** Takes over an answer in place of the one before. */
  fill(entry: StatusEntry, frame: Buffer, nowMs: number): void {
    this.#drop(entry);
    entry.home.set(entry.protocol, entry);
    entry.frame = frame;
    entry.fetchedAtMs = nowMs;
    this.#entries.add(entry);
    this.#bytes += frame.length;
    this.#makeRoom(entry);
  }

  /** Takes the answer away. */
  clear(entry: StatusEntry): void {
    this.#empty(entry);
  }

  /** Forgets everything fetched or made before, except what is being fetched. */
  sweep(beforeMs: number): void {
    for (const entry of this.#entries) {
      const newestMs = Math.max(entry.fetchedAtMs, entry.failedAtMs);
      if (newestMs < beforeMs && entry.fetching === undefined) this.#drop(entry);
    }
  }

  #create(slot: StatusSlot, host: string, protocol: number, purge: number): StatusEntry {
    const home = slot.hosts.get(host) ?? new Map<number, StatusEntry>();
    slot.hosts.set(host, home);
    const entry: StatusEntry = {
      home,
      protocol,
      purge,
      frame: undefined,
      fetchedAtMs: Number.NEGATIVE_INFINITY,
      failedAtMs: Number.NEGATIVE_INFINITY,
      fetching: undefined,
    };
    home.set(protocol, entry);
    this.#entries.add(entry);
    this.#makeRoom(entry);
    return entry;
  }

  #makeRoom(newest: StatusEntry): void {
    for (const entry of this.#entries) {
      if (this.#bytes <= this.#bytesMax && this.#entries.size <= this.#entriesMax) return;
      if (entry !== newest && entry.fetching === undefined) this.#drop(entry);
    }
  }

  #drop(entry: StatusEntry): void {
    this.#empty(entry);
    if (this.#entries.delete(entry)) entry.home.delete(entry.protocol);
  }

  #empty(entry: StatusEntry): void {
    if (entry.frame !== undefined && this.#entries.has(entry)) this.#bytes -= entry.frame.length;
    entry.frame = undefined;
  }
}
