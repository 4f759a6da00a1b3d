import type {
  BackendError,
  BackendHealth as HealthReport,
  BedrockHealth,
} from "@palisade/contract/edge/telemetry";
import type { HealthSource } from "#src/ports.ts";
import type { Moment } from "#src/routing/backends.ts";
import type { Backend } from "#src/shields/backend-groups.ts";
import { FaviconRegistry } from "./favicon-registry.ts";

/** Entries of one drain: the limit that the contract sets for a report. */
const entriesMax = 10_000;
/** How often details (players, latency) are reported that are no change of health. */
export const detailEveryMs = 10_000;
/** An unchanged backend is reported again after this time, in case a report was lost. */
export const repeatAfterMs = 120_000;
/**
 * The same if backends are many: still well within the time after which the api takes a report for
 * old.
 */
export const repeatAfterMaxMs = 240_000;
/** Repeats per second before a round takes longer. */
const repeatsPerSecond = 100;
const latencyMaxMs = 60_000;

export interface HealthRegistryDeps {
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
  /** Called for every outcome that may change where players are sent. */
  readonly onOutcome?: (backend: Backend) => void;
}

/** Outcomes of connections to backends. */
export type BackendEvents = Pick<
  HealthRegistry,
  "failed" | "succeeded" | "hungUp" | "playersChanged" | "proven" | "toldBedrock"
>;

/** Records outcomes in backends' health and keeps what is still to be reported. */
export class HealthRegistry implements HealthSource {
  readonly favicons: FaviconRegistry;
  readonly #deps: HealthRegistryDeps;
  /** Reported with the next report. */
  readonly #urgent = new Set<Backend>();
  /** Reported when details are due. */
  readonly #details = new Set<Backend>();
  /**
   * Backends that were tried and are still configured, with the time of their last report, oldest
   * first.
   */
  readonly #tried = new Map<Backend, number>();
  #detailsAtMs: number;

  constructor(deps: HealthRegistryDeps) {
    this.#deps = deps;
    this.favicons = new FaviconRegistry(deps.monotonicMs);
    this.#detailsAtMs = deps.monotonicMs() + detailEveryMs;
  }

  /** Outcomes of this backend count from now on, and no longer those of the one it replaces. */
  watch(backend: Backend): void {
    backend.load.current = backend;
  }

  /** @param latencyMs where the attempt was one that tells */
  succeeded(backend: Backend, latencyMs?: number): void {
    if (!isCurrent(backend)) return;
    if (latencyMs !== undefined) {
      backend.health.expectsProxy = false;
      backend.health.latencyMs = Math.min(latencyMaxMs, Math.max(0, Math.round(latencyMs)));
    }
    this.#took(backend, backend.health.succeeded(this.#now()));
  }

  /** The address has answered as Minecraft: players may be relayed there. */
  proven(backend: Backend, address: string): void {
    if (!backend.proof.answer(address) || !isCurrent(backend)) return;
    this.#took(backend, true);
  }

  /** A check has got a status, with this icon as a data URI; null: without one. */
  showed(backend: Backend, favicon: string | null): void {
    if (isCurrent(backend)) this.favicons.seen(backend, favicon);
  }

  /** @param expectsProxy known after a check: the backend answers only to a PROXY header */
  failed(backend: Backend, error: BackendError, expectsProxy?: boolean): void {
    if (!isCurrent(backend)) return;
    const { health } = backend;
    const isOther = expectsProxy !== undefined && expectsProxy !== health.expectsProxy;
    if (expectsProxy !== undefined) health.expectsProxy = expectsProxy;
    this.#took(backend, health.failed(error, this.#now()) || isOther);
  }

  /** The backend accepted a player and hung up without sending a byte. */
  hungUp(backend: Backend): void {
    if (!isCurrent(backend)) return;
    backend.health.hungUp(this.#now());
    this.#deps.onOutcome?.(backend);
  }

  /** A player came or went. */
  playersChanged({ load: { current } }: Backend): void {
    if (current !== undefined) this.#details.add(current);
  }

  /** The thread that has the shield's ports for Bedrock says how the backend answers there. */
  toldBedrock(backend: Backend, told: BedrockHealth): void {
    const { bedrock: target } = backend;
    // The backend may have got another port in the meantime.
    if (!isCurrent(backend) || target?.port !== told.port) return;
    const before = target.told;
    target.told = told;
    this.#note(backend, before?.state !== told.state || before.last_error !== told.last_error);
  }

  /** No shield has the backend any more. */
  forget(backend: Backend): void {
    if (isCurrent(backend)) backend.load.current = undefined;
    this.#urgent.delete(backend);
    this.#details.delete(backend);
    this.#tried.delete(backend);
    this.favicons.forget(backend);
  }

  /** Backends by state, of those that were ever tried. */
  counts(): ReadonlyMap<HealthReport["state"], number> {
    const counts = new Map<HealthReport["state"], number>();
    for (const { health } of this.#tried.keys()) {
      counts.set(health.state, (counts.get(health.state) ?? 0) + 1);
    }
    return counts;
  }

  drain(): HealthReport[] {
    const nowMs = this.#deps.monotonicMs();
    if (nowMs >= this.#detailsAtMs) {
      this.#detailsAtMs = nowMs + detailEveryMs;
      move(this.#details, this.#urgent);
    }
    this.#repeat(nowMs);
    const reports: HealthReport[] = [];
    for (const backend of this.#urgent) {
      if (reports.length === entriesMax) break;
      this.#urgent.delete(backend);
      if (this.#tried.delete(backend)) this.#tried.set(backend, nowMs);
      reports.push(reportOf(backend));
    }
    return reports;
  }

  #repeat(nowMs: number): void {
    const roundMs = (1_000 * this.#tried.size) / repeatsPerSecond;
    const afterMs = Math.min(repeatAfterMaxMs, Math.max(repeatAfterMs, roundMs));
    for (const [backend, toldAtMs] of this.#tried) {
      if (nowMs - toldAtMs < afterMs) return;
      this.#urgent.add(backend);
    }
  }

  #took(backend: Backend, isNews: boolean): void {
    this.#note(backend, isNews);
    this.#deps.onOutcome?.(backend);
  }

  #note(backend: Backend, isNews: boolean): void {
    if (!this.#tried.has(backend)) this.#tried.set(backend, this.#deps.monotonicMs());
    (isNews ? this.#urgent : this.#details).add(backend);
  }

  /** Backends that were ever tried. */
  tried(): Iterable<Backend> {
    return this.#tried.keys();
  }

  #now(): Moment {
    return { wallMs: this.#deps.nowMs(), monotonicMs: this.#deps.monotonicMs() };
  }
}

function isCurrent(backend: Backend): boolean {
  return backend.load.current === backend;
}

function move(from: Set<Backend>, to: Set<Backend>): void {
  for (const backend of from) to.add(backend);
  from.clear();
}

function reportOf({
  id,
  shieldId,
  health,
  load,
  host,
  port,
  proof,
  bedrock,
}: Backend): HealthReport {
  return {
    shield_id: shieldId,
    backend_id: id,
    state: health.state,
    players: load.players,
    latency_ms: health.latencyMs,
    last_error: health.lastError,
    answered_at: proof.answered.length > 0 ? { host, port } : null,
    expects_proxy: health.expectsProxy && health.lastError === "not_minecraft",
    changed_at: health.changedAtMs === null ? null : new Date(health.changedAtMs).toISOString(),
    bedrock: bedrock?.told ?? null,
  };
}
