import { currentProtocol, isKnown } from "@palisade/minecraft-protocol/java/versions";
import type { Backend, BackendGroup, CompiledShield } from "#src/shields/compiled-shield.ts";
import type { StatusFetchResult, StatusQuestion } from "./fetch-status.ts";
import { StatusCache } from "./status-cache.ts";
import type { StatusEntry } from "./status-slot.ts";

/** A backend that failed is left alone for this long. */
const failureRestMs = 1_500;
/** One that has been failing is asked behind the player's back, if it failed this recently. */
const failureRecentMs = 30_000;
/** Fetches under way at once, all shields together. */
const fetchesMax = 256;
/** Of one backend, so that one that does not answer takes nothing from the others. */
const fetchesPerBackendMax = 16;
const fetchesOfFailingBackendMax = 1;
/** With caching off: pings that one backend is asked for in a second. */
export const uncachedPerSecondMax = 50;
/** With caching off and that cap reached, the last answer is given up to this age. */
const uncachedAnswerMs = 3_000;

export interface StatusServiceDeps {
  readonly nowMs: () => number;
  readonly fetch: (question: StatusQuestion) => Promise<StatusFetchResult>;
}

/** One ping, and what each backend of the shield would be asked for it. */
interface Ping {
  readonly shield: CompiledShield;
  readonly host: string;
  readonly protocol: number;
  readonly nowMs: number;
}

/** A backend as it is asked, and what is known of its answer. */
interface Place {
  readonly group: BackendGroup;
  readonly backend: Backend;
  readonly entry: StatusEntry;
}

/**
 * Answers pings as the backends of the shield would, group after group as players are sent there.
 * One entry per backend, domain and protocol: a backend may tell each something else. With caching,
 * an entry is served while fresh, and while stale too with one fetch behind it; everybody who waits
 * for the same entry waits for one fetch. Without, each ping is a fetch of its own up to a cap.
 *
 * Protocol numbers outside the table share one entry, and names below a wildcard one host, so that
 * made-up ones cost neither memory nor backend.
 */
export class StatusService {
  readonly #deps: StatusServiceDeps;
  readonly #cache = new StatusCache();
  #fetches = 0;

  constructor(deps: StatusServiceDeps) {
    this.#deps = deps;
  }

  /**
   * The frame to write: at once where it is in memory, else when it has been fetched. Never rejects.
   *
   * @param host as the client named it, normalised
   */
  answer(shield: CompiledShield, clientProtocol: number, host: string): Buffer | Promise<Buffer> {
    const protocol = isKnown(clientProtocol) ? clientProtocol : currentProtocol;
    const ping = { shield, host: hostAsked(shield, host), protocol, nowMs: this.#deps.nowMs() };
    const answer = shield.rules.status === "active" ? this.#fromBackends(ping) : shield.motd.frame;
    if (Buffer.isBuffer(answer)) shield.tally.statusHits++;
    return answer;
  }

  /** Now and then: forgets answers that are too old for anybody. */
  sweep(maxAgeMs: number): void {
    this.#cache.sweep(this.#deps.nowMs() - maxAgeMs);
  }

  get cachedBytes(): number {
    return this.#cache.bytes;
  }

  #fromBackends(ping: Ping): Buffer | Promise<Buffer> {
    const { shield, nowMs } = ping;
    for (const group of shield.chain) {
      for (const backend of group.backends) {
        const place = this.#placeOf(ping, group, backend);
        const { entry } = place;
        const { isDown } = backend.health;
        const kept = isDown ? undefined : this.#kept(ping, place);
        if (kept !== undefined) return kept;
        const failedAgoMs = nowMs - Math.max(backend.status.failedAtMs, entry.failedAtMs);
        if (failedAgoMs > failureRecentMs && !isDown) return this.#fetchFrom(ping, place);
        if (failedAgoMs > failureRestMs) void this.#fetch(ping, place);
      }
    }
    return shield.motd.frame;
  }

  /** An answer from memory, if the owner lets memory answer. */
  #kept(ping: Ping, place: Place): Buffer | undefined {
    const { shield, nowMs } = ping;
    const { entry, backend } = place;
    if (entry.frame === undefined) return undefined;
    const ageMs = nowMs - entry.fetchedAtMs;
    if (!shield.cache.enabled) {
      return ageMs <= uncachedAnswerMs && isUsedUp(backend, nowMs) ? entry.frame : undefined;
    }
    if (ageMs > shield.cache.staleMs) return undefined;
    if (ageMs > shield.cache.freshMs) void this.#fetch(ping, place);
    return entry.frame;
  }

  /** Waits for this backend, then for those behind it that are not known to be failing. */
  async #fetchFrom(ping: Ping, first: Place): Promise<Buffer> {
    const { shield } = ping;
    // Whose fetch somebody else has begun asks nobody.
    if (shield.cache.enabled && first.entry.fetching !== undefined) shield.tally.statusHits++;
    let isBehind = false;
    for (const group of shield.chain) {
      for (const backend of group.backends) {
        const place = backend === first.backend ? first : this.#placeOf(ping, group, backend);
        if (place === first) isBehind = true;
        else {
          const failedAtMs = Math.max(backend.status.failedAtMs, place.entry.failedAtMs);
          if (!isBehind || this.#deps.nowMs() - failedAtMs <= failureRestMs) continue;
        }
        const frame = await this.#fetch(ping, place);
        if (frame !== undefined) return frame;
      }
    }
    return shield.motd.frame;
  }

  #fetch(ping: Ping, { group, backend, entry }: Place): Promise<Buffer | undefined> {
    const { cache } = ping.shield;
    if (cache.enabled && entry.fetching !== undefined) return entry.fetching;
    const { status } = backend;
    const isFailing = status.failedAtMs > Number.NEGATIVE_INFINITY;
    const backendMax = isFailing ? fetchesOfFailingBackendMax : fetchesPerBackendMax;
    const isFull = this.#fetches >= fetchesMax || status.fetches >= backendMax;
    if (isFull || (!cache.enabled && !takeUncached(backend, this.#deps.nowMs()))) {
      return Promise.resolve(cache.enabled ? undefined : this.#lately(entry));
    }
    this.#fetches++;
    status.fetches++;
    const { host, protocol } = ping;
    const { purge } = entry;
    const fetching = this.#deps
      .fetch({ backend, proxyProtocol: group.proxyProtocol, protocol, host })
      .then((result) => this.#took(backend, entry, purge, result))
      .finally(() => {
        if (entry.fetching === fetching) entry.fetching = undefined;
        this.#fetches--;
        status.fetches--;
      });
    entry.fetching = fetching;
    return fetching;
  }

  #took(
    backend: Backend,
    entry: StatusEntry,
    purge: number,
    result: StatusFetchResult,
  ): Buffer | undefined {
    if (result.kind === "skipped") return entry.frame;
    const isPurged = entry.purge !== purge;
    if (result.kind === "answer") {
      backend.status.failedAtMs = Number.NEGATIVE_INFINITY;
      entry.failedAtMs = Number.NEGATIVE_INFINITY;
      if (!isPurged) this.#cache.fill(entry, result.frame, this.#deps.nowMs());
      return result.frame;
    }
    const nowMs = this.#deps.nowMs();
    entry.failedAtMs = nowMs;
    const { isDown } = backend.health;
    // One lost connection is a hiccup: what is kept is served on until it is known to be more.
    if (result.kind === "refused" || isDown) this.#cache.clear(entry);
    if (result.kind === "unreachable") backend.status.failedAtMs = nowMs;
    if (isDown) {
      // Of a backend that is gone nobody's answer holds any longer.
      for (const home of backend.status.hosts.values()) {
        for (const other of home.values()) this.#cache.clear(other);
      }
    }
    return undefined;
  }

  /** With caching off, of a backend that takes no more questions just now. */
  #lately(entry: StatusEntry): Buffer | undefined {
    const ageMs = this.#deps.nowMs() - entry.fetchedAtMs;
    return ageMs <= uncachedAnswerMs ? entry.frame : undefined;
  }

  #placeOf({ shield, host, protocol }: Ping, group: BackendGroup, backend: Backend): Place {
    const entry = this.#cache.entry(backend.status, host, protocol, shield.cache.purge);
    return { group, backend, entry };
  }
}

/** The host a backend is asked for: the domain by its name, one for all else that leads here. */
function hostAsked({ claims, statusHost }: CompiledShield, host: string): string {
  // The first claim is the label.
  return claims.some((claim, index) => index > 0 && claim.host === host) ? host : statusHost;
}

function isUsedUp({ status }: Backend, nowMs: number): boolean {
  return nowMs - status.uncachedSinceMs < 1_000 && status.uncached >= uncachedPerSecondMax;
}

/** False where the backend was asked often enough in this second. */
function takeUncached(backend: Backend, nowMs: number): boolean {
  if (isUsedUp(backend, nowMs)) return false;
  const { status } = backend;
  if (nowMs - status.uncachedSinceMs >= 1_000) {
    status.uncachedSinceMs = nowMs;
    status.uncached = 0;
  }
  status.uncached++;
  return true;
}
