import type { AttackReport } from "@palisade/contract/edge/telemetry";
import { coursePointsMax } from "@palisade/contract/edge/attack-limits";
import type { Logger, AttackSource } from "#src/ports.ts";
import type { AttackDetector } from "#src/rules/attack-detector.ts";
import type { AttackRules } from "@palisade/login-rules/attack-rules";
import { type AttackUpdate, AttackState } from "#src/rules/attack-state.ts";
import { AttackDescription } from "./attack-description.ts";
import type { AttackSamplePart } from "./attack-samples.ts";

/**
 * Attacks in one report: fewer than the contract allows, because a report has other contents too.
 */
const reportAttacksMax = 500;
/** Points of all courses in one report, so that it stays small: some 1 MB with the sources. */
const reportPointsMax = 30_000;
/** Running attacks whose course and sources are kept, some 500 KB each at worst. */
const describedMax = 64;
/** Shields with samples that wait for the first word of their attack. */
const earlySamplesMax = 1_000;
/** How often a running attack is reported. The api takes an edge for gone after 30 s. */
const repeatMs = 10_000;
/** Ended attacks that wait for delivery; the oldest are dropped first. */
const endedMax = 5_000;
/** So many of the latest keep their course and sources, some 30 KB each. */
const endedDescribedMax = 200;

export interface AttackRegistryDeps {
  readonly detector: Pick<AttackDetector, "drain" | "loginsWithoutSlot">;
  /** Time of day. */
  readonly nowMs: () => number;
  /** The clock that the detector counts by. */
  readonly monotonicMs: () => number;
  readonly newId: () => string;
  /** The shield's rules as they are now; undefined if it has none. */
  readonly rulesOf: (shieldId: string) => AttackRules | undefined;
  readonly log: Pick<Logger, "info" | "warn">;
}

interface OpenAttack {
  readonly attack: AttackState;
  /** Undefined on the edge as a whole, while too many others run, and when many have ended since. */
  description: AttackDescription | undefined;
}

/** The state of an attack that was delivered last. */
interface Telling extends OpenAttack {
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
  readonly #open = new Map<string | null, OpenAttack>();
  /** Samples of attacks since the last tick, whose attacks may not be known here yet. */
  #early: AttackSamplePart[] = [];
  /** By id; those that were reported longest ago first. */
  readonly #untold = new Map<string, Telling>();
  /** Ended, and not delivered yet; in the order of their ends. */
  readonly #endedDescribed = new Set<OpenAttack>();
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
    for (const sample of this.#early)
      this.#open.get(sample.shieldId)?.description?.addSample(sample);
    this.#early = [];
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
    let points = 0;
    for (const telling of this.#untold.values()) {
      if (reports.length === reportAttacksMax || points > reportPointsMax) break;
      if (!this.#isDue(telling)) continue;
      const report = reportOf(telling);
      points += report.detail === undefined ? 0 : coursePointsMax;
      reports.push(report);
    }
    return reports;
  }

  markDelivered(reports: readonly AttackReport[]): void {
    const atMs = this.#deps.monotonicMs();
    for (const report of reports) {
      const telling = this.#untold.get(report.id);
      if (telling === undefined) continue;
      this.#untold.delete(report.id);
      if (report.ended_at !== null) this.#endedDescribed.delete(telling);
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

  /** Takes the samples that threads have made of running attacks. */
  addSamples(samples: readonly AttackSamplePart[]): void {
    for (const sample of samples) {
      const description = this.#open.get(sample.shieldId)?.description;
      if (description !== undefined) description.addSample(sample);
      else if (this.#early.length < earlySamplesMax) this.#early.push(sample);
    }
  }

  #isDue({ attack, told }: Telling): boolean {
    if (told === undefined || attack.hasEnded) return true;
    const isOld = this.#deps.monotonicMs() - told.atMs >= repeatMs;
    return isOld || attack.relaxedTo !== told.report.relaxed_to;
  }

  #take(update: AttackUpdate): void {
    const { attack, description } = this.#open.get(update.shieldId) ?? this.#begin(update);
    if (update.relaxedTo !== null && update.relaxedTo !== attack.relaxedTo) {
      this.#deps.log.info({ shield: update.shieldId, level: update.relaxedTo }, "antibot relaxed");
    }
    attack.add(update);
    description?.see(update, this.#rulesOf(update.shieldId), this.#deps.nowMs());
    if (update.isOver) this.#end(update.shieldId);
  }

  #rulesOf(shieldId: string | null): AttackRules | undefined {
    return shieldId === null ? undefined : this.#deps.rulesOf(shieldId);
  }

  #begin(update: AttackUpdate): OpenAttack {
    const { shieldId } = update;
    const id = this.#deps.newId();
    const attack = new AttackState(id, shieldId, this.#deps.nowMs());
    const rules = this.#rulesOf(shieldId);
    const clocks = { nowMs: this.#deps.nowMs(), monotonicMs: this.#deps.monotonicMs() };
    const isDescribed = rules !== undefined && this.#open.size < describedMax;
    const description = isDescribed ? new AttackDescription(update, rules, clocks) : undefined;
    const open = { attack, description };
    this.#open.set(shieldId, open);
    this.#untold.set(id, open);
    this.started++;
    this.#deps.log.warn({ attack: id, shield: shieldId }, "attack started");
    return open;
  }

  #end(shieldId: string | null): void {
    const open = this.#open.get(shieldId);
    if (open === undefined) return;
    const { attack, description } = open;
    this.#open.delete(shieldId);
    attack.end(this.#deps.nowMs());
    if (description !== undefined) {
      description.end(this.#deps.nowMs());
      this.#keepDescription(open);
    }
    this.#deps.log.info({ attack: attack.report() }, "attack stopped");
    this.#forgetOldest();
  }

  #keepDescription(ended: OpenAttack): void {
    this.#endedDescribed.add(ended);
    const [oldest] = this.#endedDescribed;
    if (oldest === undefined || this.#endedDescribed.size <= endedDescribedMax) return;
    this.#endedDescribed.delete(oldest);
    oldest.description = undefined;
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

function reportOf({ attack, description }: OpenAttack): AttackReport {
  const report = attack.report();
  if (description === undefined) return report;
  // Peaks are those of the course, so that a chart never contradicts them.
  const { peak, datagramsPeak } = description;
  return {
    ...report,
    peak_per_second: peak,
    ...(datagramsPeak > 0 && { datagrams_peak: datagramsPeak }),
    detail: description.report(),
  };
}
