import type { AttackReport } from "@palisade/contract/edge/telemetry";
import type { Logger } from "pino";
import type { AttackSource } from "#src/ports.ts";
import type { AttackDetector } from "#src/protection/attack-detector.ts";
import { type AttackUpdate, AttackState } from "#src/protection/attack-state.ts";

/** Attacks in one report: fewer than the contract allows, since a report bears more than these. */
const reportAttacksMax = 500;
/** How often what only goes on is told. The api takes an edge for gone after 30 s. */
const repeatMs = 10_000;
/** Attacks whose end waits to be told; the oldest go first. */
const endedMax = 5_000;

export interface AttackRegistryDeps {
  readonly detector: Pick<AttackDetector, "drain" | "loginsWithoutSlot">;
  /** Time of day. */
  readonly nowMs: () => number;
  /** What the board counts by. */
  readonly monotonicMs: () => number;
  readonly newId: () => string;
  readonly log: Pick<Logger, "info" | "warn">;
}

/** What of an attack has arrived. */
interface Telling {
  readonly attack: AttackState;
  told?: { readonly report: AttackReport; readonly atMs: number };
}

/**
 * The attacks of this edge as they are told: each at its start, where its level is relaxed and at
 * its end, and now and then in between, until a report with its end was answered. A program that is
 * killed tells no end; what it had told is over once a report of a newer start (`boot_id`) comes.
 */
export class AttackRegistry implements AttackSource {
  readonly #deps: AttackRegistryDeps;
  /** By shield; the edge as a whole under null. */
  readonly #open = new Map<string | null, AttackState>();
  /** By id, those that were told longest ago first. */
  readonly #untold = new Map<string, Telling>();
  /** Since the start of the program. */
  started = 0;
  /** Attacks whose end was given up before it could be told. */
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

  /** Logins of shields of which it cannot be said whether they are under attack. */
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
    // What the board knows no more: the shield is gone, or its owner wants no attacks.
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
      // Behind the others, so that more attacks than a report holds all have their turn.
      if (report.ended_at === null) this.#untold.set(report.id, telling);
    }
  }

  /** The edge is stopping: nothing is seen of attacks from here on. */
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
