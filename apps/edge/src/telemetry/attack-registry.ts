import type { AttackReport } from "@palisade/contract/edge/telemetry";
import type { Logger, AttackSource } from "#src/ports.ts";
import type { AttackDetector } from "#src/rules/attack-detector.ts";
import { type AttackUpdate, AttackState } from "#src/rules/attack-state.ts";

/**
 * Attacks in one report: fewer than the contract allows, because a report has other contents too.
 */
const reportAttacksMax = 500;
/** How often a running attack is reported. The api takes an edge for gone after 30 s. */
const repeatMs = 10_000;
/** Ended attacks that wait for delivery; the oldest are dropped first. */
const endedMax = 5_000;

export interface AttackRegistryDeps {
  readonly detector: Pick<AttackDetector, "drain" | "loginsWithoutSlot">;
  /** Time of day. */
  readonly nowMs: () => number;
  /** The clock that the detector counts by. */
  readonly monotonicMs: () => number;
  readonly newId: () => string;
  readonly log: Pick<Logger, "info" | "warn">;
}

/** The state of an attack that was delivered last. */
interface Telling {
  readonly attack: AttackState;
  told?: { readonly report: AttackReport; readonly atMs: number };
}

/**
 * The attacks of this edge for its reports: each at its start, when its level is relaxed, at its
 * end and every so often in between, until a report with its end was delivered. A program that is
 * killed reports no end; its attacks are over once a report of a newer start (`boot_id`) comes.
 */
export class AttackRegistry implements AttackSource {
  readonly #deps: AttackRegistryDeps;
  /** By shield; the edge as a whole under null. */
  readonly #open = new Map<string | null, AttackState>();
  /** By id; those that were reported longest ago first. */
  readonly #untold = new Map<string, Telling>();
  /** Since the start of the program. */
  started = 0;
  /** Attacks whose end was dropped before it could be delivered. */
  dropped = 0;

  constructor(deps: AttackRegistryDeps) {
    this.#deps = deps;
  }

  /** Shields under attack now. */
  get shields(): number {
    return this.#open.size - (this.#open.has(null) ? 1 : 0);
  }

  get isEdgeUnderAttack(): boolean {
    return this.#open.has(null);
  }

  /** Logins of shields for which the detector had no slot. */
  get unwatched(): number {
    return this.#deps.detector.loginsWithoutSlot;
  }

  /** Once a second. */
  tick(): void {
    const quiet = new Set(this.#open.keys());
    for (const update of this.#deps.detector.drain(this.#deps.monotonicMs())) {
      quiet.delete(update.shieldId);
      this.#take(update);
    }
    // An attack that the detector no longer has is over: the shield is gone, or its owner has
    // turned detection off.
    for (const shieldId of quiet) this.#end(shieldId);
  }

  get size(): number {
    let size = 0;
    for (const telling of this.#untold.values()) if (this.#isDue(telling)) size++;
    return size;
  }

  reports(): AttackReport[] {
    const reports: AttackReport[] = [];
    for (const telling of this.#untold.values()) {
      if (reports.length === reportAttacksMax) break;
      if (this.#isDue(telling)) reports.push(telling.attack.report());
    }
    return reports;
  }

  markDelivered(reports: readonly AttackReport[]): void {
    const atMs = this.#deps.monotonicMs();
    for (const report of reports) {
      const telling = this.#untold.get(report.id);
      if (telling === undefined) continue;
      this.#untold.delete(report.id);
      telling.told = { report, atMs };
      // Moved to the end, so that all attacks have their turn even if there are more than a report
      // holds.
      if (report.ended_at === null) this.#untold.set(report.id, telling);
    }
  }

  /** The edge is stopping: for this edge all attacks end here. */
  close(): void {
    for (const shieldId of this.#open.keys()) this.#end(shieldId);
  }

  #isDue({ attack, told }: Telling): boolean {
    if (told === undefined || attack.hasEnded) return true;
    const isOld = this.#deps.monotonicMs() - told.atMs >= repeatMs;
    return isOld || attack.relaxedTo !== told.report.relaxed_to;
  }

  #take(update: AttackUpdate): void {
    const attack = this.#open.get(update.shieldId) ?? this.#begin(update);
    if (update.relaxedTo !== null && update.relaxedTo !== attack.relaxedTo) {
      this.#deps.log.info({ shield: update.shieldId, level: update.relaxedTo }, "antibot relaxed");
    }
    attack.add(update);
    if (update.isOver) this.#end(update.shieldId);
  }

  #begin({ shieldId }: AttackUpdate): AttackState {
    const id = this.#deps.newId();
    const attack = new AttackState(id, shieldId, this.#deps.nowMs());
    this.#open.set(shieldId, attack);
    this.#untold.set(id, { attack });
    this.started++;
    this.#deps.log.warn({ attack: id, shield: shieldId }, "attack started");
    return attack;
  }

  #end(shieldId: string | null): void {
    const attack = this.#open.get(shieldId);
    if (attack === undefined) return;
    this.#open.delete(shieldId);
    attack.end(this.#deps.nowMs());
    this.#deps.log.info({ attack: attack.report() }, "attack stopped");
    this.#forgetOldest();
  }

  #forgetOldest(): void {
    if (this.#untold.size - this.#open.size <= endedMax) return;
    for (const [id, { attack }] of this.#untold) {
      if (!attack.hasEnded) continue;
      this.#untold.delete(id);
      this.dropped++;
      return;
    }
  }
}
