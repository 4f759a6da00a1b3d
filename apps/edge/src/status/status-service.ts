import { currentProtocol, isKnown } from "@palisade/minecraft-protocol/java/versions";
import type { Backend, BackendGroup } from "#src/shields/backend-groups.ts";
import type { CompiledShield, StatusCaching } from "#src/shields/compiled-shield.ts";
import { type PerSecondQuota, singleThreadQuota } from "@palisade/shared-tables/shared-tables";
import { placeOf, type StatusFetchResult, type StatusRequest } from "./fetch-status.ts";
import type { FetchedAnswer } from "./shared-fetches.ts";
import { FetchLimiter } from "./fetch-limiter.ts";
import { StatusCache } from "./status-cache.ts";
import type { StatusEntry, StatusSlot } from "#src/shields/status-slot.ts";

/** A backend that failed is left alone for this long. */
const failureRestMs = 1_500;
/** A backend that failed this recently is asked in the background. */
const failureRecentMs = 30_000;
/** Running background fetches of one shield's failed backends. */
const fetchesBehindBacksMax = 4;
/** Fetches of one backend, so that one that does not answer takes no room from others. */
const fetchesPerBackendMax = 16;
const fetchesOfFailingBackendMax = 1;
/** With caching off: pings that one backend is asked for in a second. */
export const uncachedPerSecondMax = 50;
/** With caching off and no fetch possible, the entry's last answer is given up to this age. */
const uncachedAnswerMs = 3_000;
/** How long an expired answer is kept, for pings when no fetch is possible. */
const heldMs = 60_000;

export interface StatusServiceDeps {
  readonly nowMs: () => number;
  readonly fetch: (question: StatusRequest) => Promise<StatusFetchResult>;
  /** Longest wait of a ping for an answer. */
  readonly patienceMs: number;
  /** Limit for all threads of the edge together, per second. */
  readonly quota?: PerSecondQuota;
}

/** One ping, and what each backend of the shield would be asked for it. */
interface Ping {
  readonly shield: CompiledShield;
  readonly host: string;
  readonly protocol: number;
  /** As the client said them. */
  readonly named: { readonly host: string; readonly protocol: number };
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
 * There is one entry per backend, domain and protocol, because a backend may answer each
 * differently. With caching, an entry is served while fresh, and while stale too with one fetch in
 * the background; all pings that wait for the same entry share one fetch. Without caching, each
 * ping is a fetch of its own, up to a cap.
 *
 * A reached cap says nothing about the backend: the best known answer is given, an older one or one
 * for another name or protocol; if there is none, the ping waits for a fetch. A backend that is
 * known to be down is not asked: health checks and joins bring it back.
 *
 * Protocol numbers outside the table share one entry, and names below a wildcard one host, so that
 * made-up ones cost neither memory nor backend.
 */
export class StatusService {
  readonly #deps: StatusServiceDeps;
  readonly #cache = new StatusCache();
  readonly #limiter = new FetchLimiter();
  readonly #quota: PerSecondQuota;

  constructor(deps: StatusServiceDeps) {
    this.#deps = deps;
    this.#quota = deps.quota ?? singleThreadQuota(deps.nowMs);
  }

  /**
   * The frame to write: at once where it is in memory, else when it has been fetched. Never rejects.
   *
   * @param host as the client named it, normalised
   */
  answer(shield: CompiledShield, clientProtocol: number, host: string): Buffer | Promise<Buffer> {
    const nowMs = this.#deps.nowMs();
    const again = shield.lastAnswer.answer(host, clientProtocol, nowMs);
    if (again !== undefined) {
      shield.counters.statusHits++;
      return again;
    }
    const ping = {
      shield,
      host: hostAsked(shield, host),
      protocol: isKnown(clientProtocol) ? clientProtocol : currentProtocol,
      named: { host, protocol: clientProtocol },
      nowMs,
    };
    const answer = shield.rules.status === "active" ? this.#fromBackends(ping) : shield.motd.frame;
    if (Buffer.isBuffer(answer)) shield.counters.statusHits++;
    return answer;
  }

  /** Now and then: forgets answers that are too old for anybody. */
  sweep(): void {
    this.#cache.sweep(this.#deps.nowMs());
  }

  /** Takes over an answer that another thread has fetched just now. */
  offer({ cache, groups }: CompiledShield, answer: FetchedAnswer): void {
    if (!cache.enabled || answer.purge !== cache.purge) return;
    const status = slotAt(groups, answer.place);
    if (status === undefined) return;
    const entry = this.#cache.entry(status, answer.host, answer.protocol, answer.purge);
    if (entry.fetchedAtMs >= answer.fetchedAtMs) return;
    status.failedAtMs = Number.NEGATIVE_INFINITY;
    entry.failedAtMs = Number.NEGATIVE_INFINITY;
    this.#cache.fill(entry, answer.frame, answer.fetchedAtMs, keepMs(cache));
  }

  /** A backend that is gone, or is another one now. */
  forget({ status }: Pick<Backend, "status">): void {
    this.#cache.forget(status);
  }

  get cachedBytes(): number {
    return this.#cache.bytes;
  }

  #fromBackends(ping: Ping): Buffer | Promise<Buffer> {
    const { shield, nowMs } = ping;
    for (const group of shield.chain) {
      for (const backend of group.backends) {
        if (backend.health.isDown) continue;
        const place = this.#placeOf(ping, group, backend);
        const kept = this.#kept(ping, place);
        if (kept !== undefined) return kept;
        const failedAgoMs = nowMs - failedAtMs(place);
        if (failedAgoMs > failureRecentMs) return this.#fetchFrom(ping, place);
        if (failedAgoMs > failureRestMs) this.#fetchBehind(ping, place);
      }
    }
    return shield.motd.frame;
  }

  /** An answer from memory, if the owner allows that or no backend may be asked. */
  #kept(ping: Ping, place: Place): Buffer | undefined {
    const { cache } = ping.shield;
    const { entry } = place;
    if (cache.enabled && entry.frame !== undefined) {
      const ageMs = ping.nowMs - entry.fetchedAtMs;
      if (ageMs <= cache.freshMs) keepLastHit(ping, place);
      else if (ageMs <= cache.staleMs) this.#fetchBehind(ping, place);
      if (ageMs <= cache.staleMs) return entry.frame;
    }
    return this.#isFull(ping, place) ? this.#held(ping, place) : undefined;
  }

  /** Waits for this backend, then for those behind it that are not known to be failing. */
  async #fetchFrom(ping: Ping, first: Place): Promise<Buffer> {
    const { shield } = ping;
    // A ping that joins a running fetch asks no backend.
    if (shield.cache.enabled && first.entry.fetching !== undefined) shield.counters.statusHits++;
    let isBehind = false;
    for (const group of shield.chain) {
      for (const backend of group.backends) {
        if (backend === first.backend) isBehind = true;
        if (!isBehind || backend.health.isDown) continue;
        const place = backend === first.backend ? first : this.#placeOf(ping, group, backend);
        if (place !== first && this.#deps.nowMs() - failedAtMs(place) <= failureRestMs) continue;
        const frame = await this.#fetch(ping, place);
        if (frame !== undefined) return frame;
        if (this.#isTooLate(ping)) return shield.motd.frame;
      }
    }
    return shield.motd.frame;
  }

  /** A background fetch is dropped if it would have to wait itself. */
  #fetchBehind(ping: Ping, place: Place): void {
    const underWay = this.#limiter.underWay(ping.shield.id);
    if (isFailing(place.backend) && underWay >= fetchesBehindBacksMax) return;
    if (!this.#isFull(ping, place)) void this.#fetch(ping, place);
  }

  #fetch(ping: Ping, place: Place): Promise<Buffer | undefined> {
    const { cache } = ping.shield;
    const { group, backend, entry } = place;
    const { status } = backend;
    if (cache.enabled && entry.fetching !== undefined) return entry.fetching;
    if (isBusy(backend) || (!cache.enabled && !this.#takeUncached(backend))) {
      return status.latest ?? Promise.resolve(undefined);
    }
    status.fetches++;
    const { host, protocol } = ping;
    const { purge } = entry;
    const question = {
      backend,
      proxyProtocol: group.proxyProtocol,
      protocol,
      host,
      purge: cache.enabled ? purge : undefined,
    };
    const ask = async (): Promise<StatusFetchResult> =>
      this.#isTooLate(ping) ? { kind: "skipped" } : this.#deps.fetch(question);
    const fetching = this.#limiter
      .inTurn(ping.shield.id, isFailing(backend), ask)
      .then((result) => this.#took(ping, place, purge, result))
      .finally(() => {
        if (entry.fetching === fetching) entry.fetching = undefined;
        if (--status.fetches === 0) status.latest = undefined;
      });
    entry.fetching = fetching;
    status.latest = fetching;
    return fetching;
  }

  #took(
    ping: Ping,
    place: Place,
    purge: number,
    result: StatusFetchResult | undefined,
  ): Buffer | undefined {
    if (result === undefined || result.kind === "skipped") return this.#held(ping, place);
    const { backend, entry } = place;
    const nowMs = this.#deps.nowMs();
    const isPurged = entry.purge !== purge;
    if (result.kind === "answer") {
      backend.status.failedAtMs = Number.NEGATIVE_INFINITY;
      entry.failedAtMs = Number.NEGATIVE_INFINITY;
      if (!isPurged) this.#cache.fill(entry, result.frame, nowMs, keepMs(ping.shield.cache));
      return result.frame;
    }
    entry.failedAtMs = nowMs;
    // One lost connection is a hiccup: what is kept is served on until it is known to be more.
    if (result.kind === "refused") this.#cache.clear(entry);
    if (result.kind === "unreachable") backend.status.failedAtMs = nowMs;
    // Answers of a backend that is gone no longer count.
    if (backend.health.isDown) this.#cache.forget(backend.status);
    return undefined;
  }

  /** Whether a fetch would have to wait, or is not allowed. */
  #isFull({ shield: { id, cache } }: Ping, { backend, entry }: Place): boolean {
    // Another's fetch is joined.
    if (cache.enabled && entry.fetching !== undefined) return false;
    if (isBusy(backend) || (!cache.enabled && this.#isUsedUp(backend))) return true;
    return this.#limiter.isFull(id, isFailing(backend));
  }

  /** The best answer while no backend may be asked: the entry's own, or the backend's last. */
  #held({ shield: { cache } }: Ping, { backend, entry }: Place): Buffer | undefined {
    const nowMs = this.#deps.nowMs();
    const ownMs = cache.enabled ? keepMs(cache) : uncachedAnswerMs;
    if (entry.frame !== undefined && nowMs - entry.fetchedAtMs <= ownMs) return entry.frame;
    const { newest } = backend.status;
    if (newest === undefined || newest.purge !== cache.purge) return undefined;
    return nowMs - newest.fetchedAtMs <= keepMs(cache) ? newest.frame : undefined;
  }

  #isUsedUp({ id }: Backend): boolean {
    return this.#quota.taken("uncached", id) >= uncachedPerSecondMax;
  }

  /** False if the backend was asked often enough in this second, by all threads. */
  #takeUncached({ id }: Backend): boolean {
    return this.#quota.take("uncached", uncachedPerSecondMax, id);
  }

  #isTooLate({ nowMs }: Ping): boolean {
    return this.#deps.nowMs() - nowMs >= this.#deps.patienceMs;
  }

  #placeOf({ shield, host, protocol }: Ping, group: BackendGroup, backend: Backend): Place {
    const entry = this.#cache.entry(backend.status, host, protocol, shield.cache.purge);
    return { group, backend, entry };
  }
}

/** The host a backend is asked for: the domain by its name, one for all else that leads here. */
function hostAsked({ names, statusHost }: CompiledShield, host: string): string {
  return names.has(host) ? host : statusHost;
}

/** Whether the backend still has this address. */
function slotAt(groups: readonly BackendGroup[], place: string): StatusSlot | undefined {
  for (const { proxyProtocol, backends } of groups) {
    const found = backends.find((backend) => placeOf({ backend, proxyProtocol }) === place);
    if (found !== undefined) return found.status;
  }
  return undefined;
}

/** Only of the backend that is asked first, so that no other's health has a say. */
function keepLastHit({ shield, named }: Ping, { backend, entry }: Place): void {
  if (backend !== shield.group.backends[0]) return;
  shield.lastAnswer.keep(named.host, named.protocol, entry, backend.health, shield.cache.freshMs);
}

function keepMs({ enabled, staleMs }: StatusCaching): number {
  return heldMs + (enabled ? staleMs : 0);
}

function failedAtMs({ backend, entry }: Place): number {
  return Math.max(backend.status.failedAtMs, entry.failedAtMs);
}

function isFailing({ status }: Backend): boolean {
  return status.failedAtMs > Number.NEGATIVE_INFINITY;
}

/** With as many fetches as it may have. */
function isBusy(backend: Backend): boolean {
  const max = isFailing(backend) ? fetchesOfFailingBackendMax : fetchesPerBackendMax;
  return backend.status.fetches >= max;
}
