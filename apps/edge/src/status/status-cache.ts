import type { StatusEntry, StatusSlot } from "#src/shields/status-slot.ts";

export interface CacheLimits {
  /** Answers of all backends together. */
  readonly bytesMax: number;
  /** Entries of all backends together, those without an answer too; some 200 bytes each. */
  readonly entriesMax: number;
  /** Entries of one shield: a shield with many names takes room only from itself. */
  readonly shieldBytesMax: number;
  readonly shieldEntriesMax: number;
}

const usualLimits: CacheLimits = {
  bytesMax: 64 * 1024 * 1024,
  entriesMax: 200_000,
  shieldBytesMax: 1024 * 1024,
  shieldEntriesMax: 256,
};

/** How long a failure without an answer is remembered. */
const emptyMs = 60_000;

/** Entries of one shield, least recently made or filled first: few enough to be searched. */
interface Share {
  readonly entries: StatusEntry[];
  bytes: number;
}

/**
 * Memory of status answers, per backend, host and protocol. It is bounded, and so is each shield's
 * part: the entry that was least recently made or filled gives way.
 */
export class StatusCache {
  readonly #limits: CacheLimits;
  readonly #entries = new Set<StatusEntry>();
  readonly #shares = new Map<string, Share>();
  #bytes = 0;

  constructor(limits: Partial<CacheLimits> = {}) {
    this.#limits = { ...usualLimits, ...limits };
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The known entry, unless it is from before another purge. */
  entry(slot: StatusSlot, host: string, protocol: number, purge: number): StatusEntry {
    const known = slot.hosts.get(host)?.get(protocol);
    if (known === undefined) return this.#create(slot, host, protocol, purge);
    if (known.purge !== purge) {
      this.clear(known);
      known.purge = purge;
      // Pings that wait get the answer; later ones do not.
      known.fetching = undefined;
    }
    return known;
  }

  /** Takes over an answer in place of the one before; nothing where the entry has given way. */
  fill(entry: StatusEntry, frame: Buffer, nowMs: number, keepMs: number): void {
    if (!this.#entries.has(entry)) return;
    this.#remove(entry);
    entry.frame = frame;
    entry.fetchedAtMs = nowMs;
    entry.keepMs = keepMs;
    entry.slot.newest = entry;
    this.#add(entry);
  }

  /** Takes the answer away. */
  clear(entry: StatusEntry): void {
    const bytes = entry.frame?.length ?? 0;
    entry.frame = undefined;
    const share = this.#shares.get(entry.slot.shieldId);
    if (bytes === 0 || share === undefined || !this.#entries.has(entry)) return;
    share.bytes -= bytes;
    this.#bytes -= bytes;
  }

  /** Everything of a backend that is gone; what is on its way is not kept. */
  forget({ hosts }: StatusSlot): void {
    for (const home of hosts.values()) for (const entry of home.values()) this.#drop(entry);
  }

  /** Forgets what is too old for anybody, except what is being fetched. */
  sweep(nowMs: number): void {
    for (const entry of this.#entries) {
      const newestMs = Math.max(entry.fetchedAtMs, entry.failedAtMs);
      if (nowMs - newestMs > entry.keepMs && entry.fetching === undefined) this.#drop(entry);
    }
  }

  #create(slot: StatusSlot, host: string, protocol: number, purge: number): StatusEntry {
    const home = slot.hosts.get(host) ?? new Map<number, StatusEntry>();
    slot.hosts.set(host, home);
    const entry: StatusEntry = {
      slot,
      host,
      protocol,
      purge,
      frame: undefined,
      fetchedAtMs: Number.NEGATIVE_INFINITY,
      keepMs: emptyMs,
      failedAtMs: Number.NEGATIVE_INFINITY,
      fetching: undefined,
    };
    home.set(protocol, entry);
    this.#add(entry);
    return entry;
  }

  #add(entry: StatusEntry): void {
    const { shieldId } = entry.slot;
    const share = this.#shares.get(shieldId) ?? { entries: [], bytes: 0 };
    this.#shares.set(shieldId, share);
    const bytes = entry.frame?.length ?? 0;
    share.entries.push(entry);
    share.bytes += bytes;
    this.#entries.add(entry);
    this.#bytes += bytes;
    this.#makeRoom(entry, share);
  }

  #makeRoom(newest: StatusEntry, share: Share): void {
    const { bytesMax, entriesMax, shieldBytesMax, shieldEntriesMax } = this.#limits;
    const mayGo = (entry: StatusEntry): boolean => entry !== newest && entry.fetching === undefined;
    while (share.bytes > shieldBytesMax || share.entries.length > shieldEntriesMax) {
      const oldest = share.entries.find(mayGo);
      if (oldest === undefined) break;
      this.#drop(oldest);
    }
    for (const entry of this.#entries) {
      if (this.#bytes <= bytesMax && this.#entries.size <= entriesMax) return;
      if (mayGo(entry)) this.#drop(entry);
    }
  }

  #drop(entry: StatusEntry): void {
    this.#remove(entry);
    const { slot, host, protocol } = entry;
    const home = slot.hosts.get(host);
    if (home?.get(protocol) !== entry) return;
    home.delete(protocol);
    if (home.size === 0) slot.hosts.delete(host);
    if (slot.newest === entry) slot.newest = undefined;
  }

  /** Out of the accounts, its answer too. */
  #remove(entry: StatusEntry): void {
    this.clear(entry);
    const { shieldId } = entry.slot;
    const share = this.#shares.get(shieldId);
    if (!this.#entries.delete(entry) || share === undefined) return;
    share.entries.splice(share.entries.indexOf(entry), 1);
    if (share.entries.length === 0) this.#shares.delete(shieldId);
  }
}
