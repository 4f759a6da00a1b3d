import type { BackendError } from "@palisade/contract/edge/telemetry";
import { type Expiring, TimerWheel } from "@palisade/sockets/timer-wheel";
import type { Backend, BackendGroup } from "#src/shields/backend-groups.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { CheckResult, CheckTarget } from "./check-backend.ts";
import type { HealthRegistry } from "./health-registry.ts";

/** Interval for a backend whose shield had players lately. */
export const busyEveryMs = 10_000;
/**
 * Interval for a busy backend that is down, and for any whose last outcome contradicts its state.
 */
export const troubledEveryMs = 3_000;
/** Interval for all others, and for those among them that are down. */
export const idleEveryMs = 300_000;
export const idleDownEveryMs = 30_000;
/** A shield with a join or ping within this time is busy. */
export const busyForMs = 300_000;
/**
 * A backend added while the edge runs is checked within this time: its owner waits for the result.
 */
export const newWithinMs = 2_000;
/** A check that had to wait is tried again after this time. */
export const postponedMs = 2_000;
/** From dialling to the last byte of the answer. */
export const checkMs = 3_000;
/**
 * Checks started per second, and running at once. Busy, new and other backends have limits of their
 * own, so that none delays another. A round of 100,000 idle backends then takes 33 minutes and a
 * hundredth of a core.
 */
export const busyLimits = { perSecondMax: 250, atOnceMax: 384 };
export const firstLimits = { perSecondMax: 100, atOnceMax: 128 };
export const idleLimits = { perSecondMax: 50, atOnceMax: 128 };

/** Checks are minutes apart, so half a second does not matter. */
const wheelTickMs = 500;
const wheelSlots = 1_024;

export interface HealthCheckerDeps {
  readonly registry: HealthRegistry;
  /** For the checks' deadlines. */
  readonly wheel: TimerWheel;
  readonly monotonicMs: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  readonly check: (target: CheckTarget, signal: AbortSignal) => Promise<CheckResult>;
}

/** Checks every backend now and then, and often those that matter; spread out in time. */
export class HealthChecker {
  readonly #deps: HealthCheckerDeps;
  readonly #wheel: TimerWheel;
  readonly #checks = new Map<string, Check[]>();
  readonly #busy = new DueChecks(busyLimits);
  readonly #first = new DueChecks(firstLimits);
  readonly #idle = new DueChecks(idleLimits);
  readonly #queues = [this.#busy, this.#first, this.#idle];
  #size = 0;
  #isRunning = false;

  constructor(deps: HealthCheckerDeps) {
    this.#deps = deps;
    this.#wheel = new TimerWheel(deps.monotonicMs, wheelTickMs, wheelSlots);
  }

  /** Takes over the groups of a shield that this edge uses. */
  replace(shieldId: string, shield: CompiledShield, groups: readonly BackendGroup[]): void {
    const before = new Map((this.#checks.get(shieldId) ?? []).map((c) => [c.backend, c]));
    const checks = groups.flatMap((group) =>
      group.backends.map((backend) => {
        const known = before.get(backend);
        before.delete(backend);
        if (known === undefined) return this.#add(backend, group, shield);
        known.group = group;
        known.shield = shield;
        return known;
      }),
    );
    for (const gone of before.values()) this.#drop(gone);
    this.#checks.set(shieldId, checks);
  }

  remove(shieldId: string): void {
    for (const check of this.#checks.get(shieldId) ?? []) this.#drop(check);
    this.#checks.delete(shieldId);
  }

  /** The edge takes players from now on. */
  start(): void {
    this.#isRunning = true;
  }

  /** Once a second. */
  tick(): void {
    this.#wheel.advance();
    if (!this.#isRunning) return;
    for (const queue of this.#queues) this.#begin(queue);
  }

  /** A player could not be connected to it: checks it now instead of waiting for the next turn. */
  hurry(backend: Backend): void {
    const { health, shieldId } = backend;
    if (health.state === "down" || health.isSettled) return;
    const check = this.#checks.get(shieldId)?.find((each) => each.backend === backend);
    if (check === undefined || check.isDue) return;
    this.#wheel.cancel(check);
    this.#onDue(check);
  }

  stop(): void {
    this.#isRunning = false;
    for (const { running } of this.#queues) for (const abort of running) abort.abort();
  }

  #add(backend: Backend, group: BackendGroup, shield: CompiledShield): Check {
    const check = new Check(backend, group, shield, this.#onDue);
    this.#size++;
    this.#deps.registry.watch(backend);
    // Backends loaded from disk are spread over the time that a round of all of them takes.
    const withinMs = this.#isRunning ? newWithinMs : (1_000 * this.#size) / idleLimits.perSecondMax;
    check.isFirst = this.#isRunning;
    this.#wheel.schedule(check, this.#deps.random() * Math.max(newWithinMs, withinMs));
    return check;
  }

  #drop(check: Check): void {
    check.isGone = true;
    this.#size--;
    this.#wheel.cancel(check);
    for (const { waiting } of this.#queues) waiting.delete(check);
    this.#deps.registry.forget(check.backend);
  }

  /** One for all checks. */
  readonly #onDue = (check: Check): void => {
    const { health } = check.backend;
    check.isDue = true;
    const isBusy = !health.isSettled || check.isBusy(this.#deps.monotonicMs());
    const quiet = check.isFirst ? this.#first : this.#idle;
    (isBusy ? this.#busy : quiet).waiting.add(check);
  };

  #begin({ waiting, running, limits }: DueChecks): void {
    let begun = 0;
    for (const check of waiting) {
      if (begun++ >= limits.perSecondMax || running.size >= limits.atOnceMax) return;
      waiting.delete(check);
      void this.#run(check, running);
    }
  }

  async #run(check: Check, running: Set<AbortController>): Promise<void> {
    const { monotonicMs, random, wheel } = this.#deps;
    const abort = new AbortController();
    const deadline = { expire: () => abort.abort() };
    running.add(abort);
    wheel.schedule(deadline, checkMs);
    const result = await this.#deps.check(check.target, abort.signal);
    wheel.cancel(deadline);
    running.delete(abort);
    if (check.isGone) return;
    check.isDue = false;
    if (result.kind !== "postponed") check.isFirst = false;
    if (this.#isRunning) this.#tell(check, result);
    const nextMs = result.kind === "postponed" ? postponedMs : check.nextMs(monotonicMs());
    this.#wheel.schedule(check, nextMs * (0.9 + 0.2 * random()));
  }

  #tell(check: Check, result: CheckResult): void {
    const { registry } = this.#deps;
    // A row for each of a hundred thousand idle shields would cost much.
    if (result.kind !== "postponed" && check.isBusy(this.#deps.monotonicMs())) {
      const latencyMs = result.kind === "up" ? result.latencyMs : undefined;
      check.shield.counters.details.countCheck(latencyMs);
    }
    if (result.kind === "up") {
      if (result.address !== undefined) registry.proven(check.backend, result.address);
      registry.succeeded(check.backend, result.latencyMs);
      if (result.favicon !== undefined) registry.showed(check.backend, result.favicon);
    }
    if (result.kind === "failed" && !check.isDisproved(result.error)) {
      registry.failed(check.backend, result.error, result.expectsProxy);
    }
  }
}

class DueChecks {
  readonly waiting = new Set<Check>();
  readonly running = new Set<AbortController>();
  readonly limits: { readonly perSecondMax: number; readonly atOnceMax: number };

  constructor(limits: DueChecks["limits"]) {
    this.limits = limits;
  }
}

class Check implements Expiring {
  readonly backend: Backend;
  readonly #onDue: (check: Check) => void;
  group: BackendGroup;
  shield: CompiledShield;
  isFirst = false;
  /** The check waits for its turn, or is running. */
  isDue = false;
  isGone = false;
  place: Expiring["place"] = undefined;
  #seen = 0;
  #seenAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    backend: Backend,
    group: BackendGroup,
    shield: CompiledShield,
    onDue: (check: Check) => void,
  ) {
    this.backend = backend;
    this.group = group;
    this.shield = shield;
    this.#onDue = onDue;
  }

  get target(): CheckTarget {
    return { backend: this.backend, group: this.group, host: this.shield.statusHost };
  }

  expire(): void {
    this.#onDue(this);
  }

  /** A backend with players is up, even if it answers no status: servers can turn that off. */
  isDisproved(error: BackendError): boolean {
    return error === "not_minecraft" && this.backend.load.players > 0;
  }

  /** Whether its health decides something for players. */
  isBusy(nowMs: number): boolean {
    const { activity } = this.shield.counters;
    if (activity !== this.#seen) this.#seenAtMs = nowMs;
    this.#seen = activity;
    return nowMs - this.#seenAtMs < busyForMs;
  }

  nextMs(nowMs: number): number {
    const { state, isSettled } = this.backend.health;
    const isDown = state === "down";
    if (!isSettled) return troubledEveryMs;
    if (this.isBusy(nowMs)) return isDown ? troubledEveryMs : busyEveryMs;
    return isDown ? idleDownEveryMs : idleEveryMs;
  }
}
