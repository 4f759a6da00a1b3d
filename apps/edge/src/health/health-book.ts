import type {
  BackendError,
  BackendHealth as HealthReport,
} from "@palisade/contract/edge/telemetry";
import type { HealthSource } from "#src/ports.ts";
import type { Moment } from "#src/routing/backend-health.ts";
import type { Backend } from "#src/shields/compiled-shield.ts";

/** Of one drain, as the contract caps a report. */
const entriesMax = 10_000;
/** What is no change of health (players, latency) is told this often. */
export const detailEveryMs = 10_000;
/** All that were ever tried are told again this often, in case a report was lost. */
export const repeatEveryMs = 120_000;
const latencyMaxMs = 60_000;

export interface HealthBookDeps {
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
}

/** Takes outcomes down on backends' health and keeps what of it is still to be told. */
export class HealthBook implements HealthSource {
  readonly #deps: HealthBookDeps;
  /** Told with the next report. */
  readonly #urgent = new Set<Backend>();
  /** Told when it is time for details. */
  readonly #details = new Set<Backend>();
  /** Tried at least once and still configured. */
  readonly #tried = new Set<Backend>();
  #detailsAtMs: number;
  #repeatAtMs: number;

  constructor(deps: HealthBookDeps) {
    this.#deps = deps;
    this.#detailsAtMs = deps.monotonicMs() + detailEveryMs;
    this.#repeatAtMs = deps.monotonicMs() + repeatEveryMs;
  }

  /** @param latencyMs where the attempt was one that tells */
  succeeded(backend: Backend, latencyMs?: number): void {
    if (latencyMs !== undefined) {
      backend.health.latencyMs = Math.min(latencyMaxMs, Math.max(0, Math.round(latencyMs)));
    }
    this.#took(backend, backend.health.succeeded(this.#now()));
  }

  failed(backend: Backend, error: BackendError): void {
    this.#took(backend, backend.health.failed(error, this.#now()));
  }

  /** A player came or went. */
  playersChanged(backend: Backend): void {
    this.#details.add(backend);
  }

  /** No shield has it any more. */
  forget(backend: Backend): void {
    this.#urgent.delete(backend);
    this.#details.delete(backend);
    this.#tried.delete(backend);
  }

  /** Backends by state, of those that were ever tried. */
  counts(): ReadonlyMap<HealthReport["state"], number> {
    const counts = new Map<HealthReport["state"], number>();
    for (const { health } of this.#tried) {
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
    if (nowMs >= this.#repeatAtMs) {
      this.#repeatAtMs = nowMs + repeatEveryMs;
      for (const backend of this.#tried) this.#urgent.add(backend);
    }
    const reports: HealthReport[] = [];
    for (const backend of this.#urgent) {
      if (reports.length === entriesMax) break;
      this.#urgent.delete(backend);
      reports.push(reportOf(backend));
    }
    return reports;
  }

  #took(backend: Backend, isNews: boolean): void {
    this.#tried.add(backend);
    (isNews ? this.#urgent : this.#details).add(backend);
  }

  #now(): Moment {
    return { wallMs: this.#deps.nowMs(), monotonicMs: this.#deps.monotonicMs() };
  }
}

function move(from: Set<Backend>, to: Set<Backend>): void {
  for (const backend of from) to.add(backend);
  from.clear();
}

function reportOf({ id, shieldId, health, load }: Backend): HealthReport {
  return {
    shield_id: shieldId,
    backend_id: id,
    state: health.state,
    players: load.players,
    latency_ms: health.latencyMs,
    last_error: health.lastError,
    changed_at: health.changedAtMs === null ? null : new Date(health.changedAtMs).toISOString(),
  };
}
