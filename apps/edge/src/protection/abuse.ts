/**
 * Which sources abuse the edge as a whole, whatever the shield. What a single shield's owner thinks
 * of a player (his lists, his version range) says little here; what no client does says much.
 */

/** How connections of a source ended, since it was told last. */
export interface SourceFacts {
  /** All of them. */
  connections: number;
  /** Ended as those of real clients hardly do: not in the protocol, silent, failing a check. */
  hostile: number;
  /** Refused for another reason. */
  refused: number;
  /** Became a player's. */
  admitted: number;
}

/** A network that may not connect for a while. */
export interface Ban {
  /** CIDR: an IPv4 address as /32, an IPv6 line as /64, or those around it as /24 and /48. */
  readonly network: string;
  readonly seconds: number;
}

/** Limits of one window; a source above one of them is banned. */
export const abuseLimits = {
  /** Facts count for this long at least, and for twice as long at most. */
  windowMs: 5_000,
  /** Two a second for ten seconds; a client whose player retries by hand stays below. */
  hostileMax: 20,
  /** Ten a second: clicking, or a client that rejoins by itself, is a tenth of it. */
  refusedMax: 100,
  /** Many players behind one address refresh their lists without getting near it. */
  connectionsMax: 600,
  /** Where players come in, many share the address: as many times the limit. */
  sharedFactor: 4,
  /** Of a /24 or /48 in which nobody was let in: of at least so many sources together. */
  networkHostileMax: 160,
  networkSourcesMin: 16,
  /** The first ban of a source, twice as long each time it comes back, up to the longest. */
  banSeconds: 60,
  banSecondsMax: 600,
  /** A source that was good for so long begins anew. */
  forgetMs: 1_800_000,
  /** Sources and networks kept in one window, and those whose bans are remembered. */
  sourcesMax: 65_536,
} as const;

const hostileOutcomes: ReadonlySet<string> = new Set([
  "malformed",
  "deadline",
  "invalid_name",
  "bot_name",
  "bot_check",
  "packet_size",
  "rate",
  "shed_ip",
]);
/** Says nothing about who it was: answered, gone, or in the way of others. */
const neutralOutcomes: ReadonlySet<string> = new Set([
  "status",
  "ping",
  "legacy",
  "left",
  "stopped",
  "offline",
  "shed_pending",
  "shed_files",
  "shed_shield",
  "shed_ban",
]);

/** @param outcome how the connection ended; one that is not known here is a refusal */
export function addOutcome(facts: SourceFacts, outcome: string): void {
  facts.connections++;
  if (outcome === "forwarded") facts.admitted++;
  else if (hostileOutcomes.has(outcome)) facts.hostile++;
  else if (!neutralOutcomes.has(outcome)) facts.refused++;
}

export function noFacts(): SourceFacts {
  return { connections: 0, hostile: 0, refused: 0, admitted: 0 };
}

/** Adds up what was heard of sources and says whom to ban, and for how long. */
export class AbuseWatch {
  #now = new AbuseWindow();
  #before = new AbuseWindow();
  #turnedAt = 0;
  /** By network: how often it was banned, and when the last ban ends. */
  readonly #bans = new Map<string, { times: number; endsAt: number }>();
  readonly #heardOf = { sources: new Set<string>(), networks: new Set<string>() };

  /** @param key of `sourceKey` */
  add(key: string, facts: SourceFacts, nowMs: number): void {
    this.#turn(nowMs);
    const source = bannedAs(key);
    if (source === undefined) return;
    this.#now.add(source.address, source.network, facts);
    this.#heardOf.sources.add(source.address);
    this.#heardOf.networks.add(source.network);
  }

  /** Those to be banned from now on. A source that is banned already is not told again. */
  decide(nowMs: number): Ban[] {
    const { sources, networks } = this.#heardOf;
    const due = [
      ...[...sources].filter((key) => isAbuse(this.#sum("sources", key))),
      ...[...networks].filter((key) => isAbuseOfNetwork(this.#sum("networks", key))),
    ];
    sources.clear();
    networks.clear();
    return due.flatMap((network) => this.#ban(network, nowMs) ?? []);
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

  #sum(of: "sources" | "networks", key: string): NetworkFacts {
    const now = this.#now[of].get(key);
    const before = this.#before[of].get(key);
    const sum = { ...noFacts(), sources: 0 };
    for (const facts of [now, before]) {
      if (facts === undefined) continue;
      addFacts(sum, facts);
      sum.sources = Math.max(sum.sources, facts.sources);
    }
    return sum;
  }

  #turn(nowMs: number): void {
    const age = nowMs - this.#turnedAt;
    // A clock that was set back begins anew, too.
    if (age >= 0 && age < abuseLimits.windowMs) return;
    this.#before = age >= 0 && age < 2 * abuseLimits.windowMs ? this.#now : new AbuseWindow();
    this.#now = new AbuseWindow();
    this.#turnedAt = nowMs;
  }

  /** The longest unheard of make room. */
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

interface NetworkFacts extends SourceFacts {
  /** Different ones, in one window. */
  sources: number;
}

class AbuseWindow {
  readonly sources = new Map<string, NetworkFacts>();
  readonly networks = new Map<string, NetworkFacts>();

  add(address: string, network: string, facts: SourceFacts): void {
    const isNew = !this.sources.has(address);
    // Past the bound new sources go uncounted alone; those around them are counted still.
    add(this.sources, address, facts, 1);
    add(this.networks, network, facts, isNew ? 1 : 0);
  }
}

function add(
  to: Map<string, NetworkFacts>,
  key: string,
  facts: SourceFacts,
  newSources: number,
): void {
  let sum = to.get(key);
  if (sum === undefined) {
    if (to.size >= abuseLimits.sourcesMax) return;
    sum = { ...noFacts(), sources: 0 };
    to.set(key, sum);
  }
  addFacts(sum, facts);
  sum.sources += newSources;
}

export function addFacts(
  to: SourceFacts,
  { connections, hostile, refused, admitted }: SourceFacts,
): void {
  to.connections += connections;
  to.hostile += hostile;
  to.refused += refused;
  to.admitted += admitted;
}

function isAbuse({ connections, hostile, refused, admitted }: SourceFacts): boolean {
  const factor = admitted > 0 ? abuseLimits.sharedFactor : 1;
  if (connections >= abuseLimits.connectionsMax * factor) return true;
  if (refused >= abuseLimits.refusedMax * factor) return true;
  // Somebody who gets in as often as he fails is a crowd behind one address.
  return (
    hostile >= abuseLimits.hostileMax * factor && hostile > abuseLimits.sharedFactor * admitted
  );
}

function isAbuseOfNetwork({ hostile, admitted, sources }: NetworkFacts): boolean {
  if (admitted > 0) return false;
  return hostile >= abuseLimits.networkHostileMax && sources >= abuseLimits.networkSourcesMin;
}

/** The two networks a source may be banned as; undefined for what is no address. */
function bannedAs(key: string): { address: string; network: string } | undefined {
  if (key.includes(".")) {
    const last = key.lastIndexOf(".");
    return { address: `${key}/32`, network: `${key.slice(0, last)}.0/24` };
  }
  if (!/^[0-9a-f]{16}$/.test(key)) return undefined;
  const [a, b, c, d] = [0, 4, 8, 12].map((at) =>
    Number.parseInt(key.slice(at, at + 4), 16).toString(16),
  );
  return { address: `${a}:${b}:${c}:${d}::/64`, network: `${a}:${b}:${c}::/48` };
}
