import {
  aroundOf,
  networkText,
  sourceCount,
  type SourceRows,
  SourceTable,
} from "./source-counts.ts";

/**
 * Decides which sources abuse the edge as a whole, whatever the shield. The rules of a single
 * shield's owner (lists, version range) count for little here; bytes that no client sends count for
 * much.
 */

/** A network that may not connect for a while. */
export interface Ban {
  /** CIDR: an IPv4 address as /32, an IPv6 line as /64, or those around it as /24 and /48. */
  readonly network: string;
  readonly seconds: number;
}

/** Limits of one window; a source above one of them is banned. */
export const abuseLimits = {
  /** Counts are kept for this long at least, and for twice as long at most. */
  windowMs: 5_000,
  /** Two a second for ten seconds; a client whose player retries by hand stays below. */
  hostileMax: 20,
  /** Ten a second: clicking, or a client that rejoins by itself, is a tenth of it. */
  refusedMax: 100,
  /** Many players behind one address refresh their lists without getting near it. */
  connectionsMax: 600,
  /**
   * If players get in from an address, many may share it: its limits are this many times as high.
   */
  sharedFactor: 4,
  /**
   * Limit of a /24 or /48 from which no player got in, and the number of sources it takes at least.
   */
  networkHostileMax: 160,
  networkSourcesMin: 16,
  /** The first ban of a source, twice as long each time it comes back, up to the longest. */
  banSeconds: 60,
  banSecondsMax: 600,
  /** A source without abuse for this long starts anew. */
  forgetMs: 1_800_000,
  /** Sources and networks kept in one window, and those whose bans are remembered. */
  sourcesMax: 65_536,
} as const;

/** Adds up the counts of sources and decides which to ban, and for how long. */
export class AbuseDetector {
  #now: AbuseWindow;
  #before: AbuseWindow;
  #turnedAt = 0;
  /** By network: how often it was banned, and when the last ban ends. */
  readonly #bans = new Map<string, { times: number; endsAt: number }>();

  /** @param seed of 32 random bits */
  constructor(seed = 0) {
    this.#now = new AbuseWindow(seed);
    this.#before = new AbuseWindow(seed);
  }

  add(rows: SourceRows, nowMs: number): void {
    this.#turn(nowMs);
    for (let index = 0; index < rows.size; index++) this.#now.add(rows, index);
  }

  /** Networks to ban from now on. A source that is banned already is not returned again. */
  decide(nowMs: number): Ban[] {
    const due = [
      ...abusers(this.#now.sources, this.#before.sources, false),
      ...abusers(this.#now.networks, this.#before.networks, true),
    ];
    return due.flatMap((network) => this.#ban(network, nowMs) ?? []);
  }

  /** A ban from before a restart; that it is one of several, only its length tells. */
  resume(network: string, seconds: number, nowMs: number): void {
    const times = 1 + Math.max(0, Math.ceil(Math.log2(seconds / abuseLimits.banSeconds)));
    this.#remember(network, { times, endsAt: nowMs + seconds * 1_000 });
  }

  #ban(network: string, nowMs: number): Ban | undefined {
    const before = this.#bans.get(network);
    if (before !== undefined && before.endsAt > nowMs) return undefined;
    const isBack = before !== undefined && nowMs - before.endsAt < abuseLimits.forgetMs;
    const times = isBack ? before.times + 1 : 1;
    const seconds = Math.min(abuseLimits.banSeconds * 2 ** (times - 1), abuseLimits.banSecondsMax);
    this.#remember(network, { times, endsAt: nowMs + seconds * 1_000 });
    return { network, seconds };
  }

  #turn(nowMs: number): void {
    const age = nowMs - this.#turnedAt;
    // A clock that was set back also starts a new window.
    if (age >= 0 && age < abuseLimits.windowMs) return;
    const isNext = age >= 0 && age < 2 * abuseLimits.windowMs;
    [this.#now, this.#before] = [this.#before, this.#now];
    this.#now.clear();
    if (!isNext) this.#before.clear();
    this.#turnedAt = nowMs;
  }

  /** The networks that were banned longest ago make room. */
  #remember(network: string, ban: { times: number; endsAt: number }): void {
    this.#bans.delete(network);
    this.#bans.set(network, ban);
    if (this.#bans.size <= abuseLimits.sourcesMax) return;
    for (const oldest of this.#bans.keys()) {
      this.#bans.delete(oldest);
      return;
    }
  }
}

class AbuseWindow {
  readonly sources: SourceTable;
  readonly networks: SourceTable;

  constructor(seed: number) {
    this.sources = new SourceTable(abuseLimits.sourcesMax, seed);
    this.networks = new SourceTable(abuseLimits.sourcesMax, seed);
  }

  clear(): void {
    this.sources.clear();
    this.networks.clear();
  }

  add(rows: SourceRows, index: number): void {
    const sourcesBefore = this.sources.size;
    const family = rows.families[index] ?? 0;
    const low = rows.keys[2 * index + 1] ?? 0;
    this.sources.addRow(rows, index);
    // Past the bound new sources go uncounted alone; those around them are counted still.
    const row = this.networks.take(family, rows.keys[2 * index] ?? 0, aroundOf(family, low));
    if (row < 0) return;
    this.networks.addCounts(row, rows.counts, index);
    this.networks.add(row, sourceCount.sources, this.sources.size - sourcesBefore);
  }
}

/** Sources or networks of this window whose counts of both windows are abuse. */
function abusers(now: SourceTable, before: SourceTable, areNetworks: boolean): string[] {
  const due: string[] = [];
  // One object for all rows: there may be tens of thousands.
  const facts: NetworkFacts = { connections: 0, hostile: 0, refused: 0, admitted: 0, sources: 0 };
  now.each((row, family, high, low) => {
    const other = before.find(family, high, low);
    facts.connections =
      now.get(row, sourceCount.connections) + before.get(other, sourceCount.connections);
    facts.hostile = now.get(row, sourceCount.hostile) + before.get(other, sourceCount.hostile);
    facts.refused = now.get(row, sourceCount.refused) + before.get(other, sourceCount.refused);
    facts.admitted = now.get(row, sourceCount.admitted) + before.get(other, sourceCount.admitted);
    facts.sources = Math.max(
      now.get(row, sourceCount.sources),
      before.get(other, sourceCount.sources),
    );
    const isBanned = areNetworks ? isAbuseOfNetwork(facts) : isAbuse(facts);
    if (isBanned) due.push(networkText(family, high, low, areNetworks));
  });
  return due;
}

interface NetworkFacts {
  connections: number;
  hostile: number;
  refused: number;
  admitted: number;
  /** Different ones, in one window. */
  sources: number;
}

function isAbuse({ connections, hostile, refused, admitted }: NetworkFacts): boolean {
  const factor = admitted > 0 ? abuseLimits.sharedFactor : 1;
  if (connections >= abuseLimits.connectionsMax * factor) return true;
  if (refused >= abuseLimits.refusedMax * factor) return true;
  // A source that gets in as often as it fails is a crowd behind one address.
  return (
    hostile >= abuseLimits.hostileMax * factor && hostile > abuseLimits.sharedFactor * admitted
  );
}

function isAbuseOfNetwork({ hostile, admitted, sources }: NetworkFacts): boolean {
  if (admitted > 0) return false;
  return hostile >= abuseLimits.networkHostileMax && sources >= abuseLimits.networkSourcesMin;
}
