import { currentProtocol, isKnown } from "@palisade/minecraft-protocol/java/versions";
import type { Backend, CompiledShield } from "#src/shields/compiled-shield.ts";
import type { StatusFetchResult, StatusQuestion } from "./fetch-status.ts";
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
const cachedBytesMax = 64 * 1024 * 1024;

export interface StatusServiceDeps {
  readonly nowMs: () => number;
  readonly fetch: (question: StatusQuestion) => Promise<StatusFetchResult>;
}

/**
 * Answers pings from memory. One entry per group, backend and protocol: a
 * backend may tell each version something else. An entry is served while fresh,
 * and while stale too with one fetch behind it; everybody who waits for the same
 * entry waits for one fetch.
 *
 * Protocol numbers outside the table share one entry, so that made-up ones cost
 * neither memory nor backend.
 */
export class StatusService {
  readonly #deps: StatusServiceDeps;
  /** All entries with an answer, least recently fetched first. */
  readonly #cached = new Set<StatusEntry>();
  #cachedBytes = 0;
  #fetches = 0;

  constructor(deps: StatusServiceDeps) {
    this.#deps = deps;
  }

  /** The frame to write: at once where it is in memory, else when it has been fetched. Never rejects. */
  answer(shield: CompiledShield, clientProtocol: number): Buffer | Promise<Buffer> {
    if (shield.rules.status !== "active") return shield.motd;
    const protocol = isKnown(clientProtocol) ? clientProtocol : currentProtocol;
    const nowMs = this.#deps.nowMs();
    for (const backend of shield.group.backends) {
      const entry = entryOf(backend, protocol);
      const ageMs = nowMs - entry.fetchedAtMs;
      if (entry.frame !== undefined && ageMs <= shield.staleMs) {
        if (ageMs > shield.freshMs) void this.#fetch(shield, backend, entry, protocol);
        return entry.frame;
      }
      const failedAgoMs = nowMs - Math.max(backend.status.failedAtMs, entry.failedAtMs);
      if (failedAgoMs > failureRecentMs) return this.#fetchFrom(shield, backend, protocol);
      if (failedAgoMs > failureRestMs) void this.#fetch(shield, backend, entry, protocol);
    }
    return shield.motd;
  }

  /** Now and then: forgets answers that are too old for anybody. */
  sweep(maxAgeMs: number): void {
    const before = this.#deps.nowMs() - maxAgeMs;
    for (const entry of this.#cached) if (entry.fetchedAtMs < before) this.#forget(entry);
  }

  get cachedBytes(): number {
    return this.#cachedBytes;
  }

  /** Waits for this backend, then for those behind it that are not known to be failing. */
  async #fetchFrom(shield: CompiledShield, first: Backend, protocol: number): Promise<Buffer> {
    const { backends } = shield.group;
    for (const backend of backends.slice(backends.indexOf(first))) {
      const entry = entryOf(backend, protocol);
      const failedAtMs = Math.max(backend.status.failedAtMs, entry.failedAtMs);
      if (backend !== first && this.#deps.nowMs() - failedAtMs <= failureRestMs) continue;
      const frame = await this.#fetch(shield, backend, entry, protocol);
      if (frame !== undefined) return frame;
    }
    return shield.motd;
  }

  #fetch(
    shield: CompiledShield,
    backend: Backend,
    entry: StatusEntry,
    protocol: number,
  ): Promise<Buffer | undefined> {
    if (entry.fetching !== undefined) return entry.fetching;
    const { status } = backend;
    const isFailing = status.failedAtMs > Number.NEGATIVE_INFINITY;
    const backendMax = isFailing ? fetchesOfFailingBackendMax : fetchesPerBackendMax;
    if (this.#fetches >= fetchesMax || status.fetches >= backendMax) {
      return Promise.resolve(undefined);
    }
    this.#fetches++;
    status.fetches++;
    const { proxyProtocol } = shield.group;
    entry.fetching = this.#deps
      .fetch({ backend, proxyProtocol, protocol, host: shield.statusHost })
      .then((result) => this.#took(backend, entry, result))
      .finally(() => {
        entry.fetching = undefined;
        this.#fetches--;
        status.fetches--;
      });
    return entry.fetching;
  }

  #took(backend: Backend, entry: StatusEntry, result: StatusFetchResult): Buffer | undefined {
    if (result.kind === "skipped") return entry.frame;
    const nowMs = this.#deps.nowMs();
    this.#forget(entry);
    if (result.kind === "answer") {
      backend.status.failedAtMs = Number.NEGATIVE_INFINITY;
      entry.failedAtMs = Number.NEGATIVE_INFINITY;
      entry.frame = result.frame;
      entry.fetchedAtMs = nowMs;
      this.#keep(entry, result.frame);
      return result.frame;
    }
    entry.failedAtMs = nowMs;
    if (result.kind === "unreachable") {
      // Of a backend that is gone no protocol's answer holds any longer.
      backend.status.failedAtMs = nowMs;
      for (const other of backend.status.entries.values()) this.#forget(other);
    }
    return undefined;
  }

  #keep(entry: StatusEntry, frame: Buffer): void {
    this.#cached.add(entry);
    this.#cachedBytes += frame.length;
    for (const oldest of this.#cached) {
      if (this.#cachedBytes <= cachedBytesMax) break;
      this.#forget(oldest);
    }
  }

  #forget(entry: StatusEntry): void {
    if (this.#cached.delete(entry)) this.#cachedBytes -= entry.frame?.length ?? 0;
    entry.frame = undefined;
  }
}

function entryOf(backend: Backend, protocol: number): StatusEntry {
  const known = backend.status.entries.get(protocol);
  if (known !== undefined) return known;
  const entry: StatusEntry = {
    frame: undefined,
    fetchedAtMs: 0,
    failedAtMs: Number.NEGATIVE_INFINITY,
    fetching: undefined,
  };
  backend.status.entries.set(protocol, entry);
  return entry;
}
