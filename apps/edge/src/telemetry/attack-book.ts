import type { AttackReport } from "@palisade/contract/edge/telemetry";
import type { Logger } from "pino";
import type { AttackSource } from "#src/ports.ts";
import type { AttackBoard } from "#src/protection/attack-board.ts";
import { type AttackNews, AttackState } from "#src/protection/attack-state.ts";

/** Attacks in one report: fewer than the contract allows, since a report bears more than these. */
const reportAttacksMax = 500;
/** Attacks whose end waits to be told; the oldest go first. */
const endedMax = 5_000;

export interface AttackBookDeps {
  readonly board: Pick<AttackBoard, "drain">;
  /** Time of day. */
  readonly nowMs: () => number;
  /** What the board counts by. */
  readonly monotonicMs: () => number;
  readonly newId: () => string;
  readonly log: Pick<Logger, "info" | "warn">;
}

/**
 * The attacks of this edge as they are told: each from its first second on in every report, until
 * a report with its end was answered. A program that is killed tells no end; what it had told is
 * over once a report of a newer start (`boot_id`) comes.
 */
export class AttackBook implements AttackSource {
  readonly #deps: AttackBookDeps;
  /** By shield; the edge as a whole under null. */
  readonly #open = new Map<string | null, AttackState>();
  /** By id, those that were told longest ago first. */
  readonly #untold = new Map<string, AttackState>();
  /** Since the start of the program. */
  started = 0;
  /** Attacks whose end was given up before it could be told. */
  dropped = 0;

  constructor(deps: AttackBookDeps) {
    this.#deps = deps;
  }

  /** Shields under attack now. */
  get shields(): number {
    return this.#open.size - (this.#open.has(null) ? 1 : 0);
  }

  get isEdgeUnderAttack(): boolean {
    return this.#open.has(null);
  }

  /** Once a second. */
  tick(): void {
    const quiet = new Set(this.#open.keys());
    for (const news of this.#deps.board.drain(this.#deps.monotonicMs())) {
      quiet.delete(news.shieldId);
      this.#take(news);
    }
    // What the board knows no more: the shield is gone, or its owner wants no attacks.
    for (const shieldId of quiet) this.#end(shieldId);
  }

  get size(): number {
    return this.#untold.size;
  }

  reports(): AttackReport[] {
    const reports: AttackReport[] = [];
    for (const attack of this.#untold.values()) {
      if (reports.length === reportAttacksMax) break;
      reports.push(attack.report());
    }
    return reports;
  }

  told(reports: readonly AttackReport[]): void {
    for (const { id, ended_at } of reports) {
      const attack = this.#untold.get(id);
      if (attack === undefined) continue;
      this.#untold.delete(id);
      // Behind the others, so that more attacks than a report holds all have their turn.
      if (ended_at === null) this.#untold.set(id, attack);
    }
  }

  /** The edge is stopping: nothing is seen of attacks from here on. */
  close(): void {
    for (const shieldId of this.#open.keys()) this.#end(shieldId);
  }

  #take(news: AttackNews): void {
    const attack = this.#open.get(news.shieldId) ?? this.#begin(news);
    if (news.relaxedTo !== null && news.relaxedTo !== attack.relaxedTo) {
      this.#deps.log.info({ shield: news.shieldId, level: news.relaxedTo }, "antibot relaxed");
    }
    attack.add(news);
    if (news.isOver) this.#end(news.shieldId);
  }

  #begin({ shieldId }: AttackNews): AttackState {
    const id = this.#deps.newId();
    const attack = new AttackState(id, shieldId, this.#deps.nowMs());
    this.#open.set(shieldId, attack);
    this.#untold.set(id, attack);
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
    for (const [id, attack] of this.#untold) {
      if (!attack.hasEnded) continue;
      this.#untold.delete(id);
      this.dropped++;
      return;
    }
  }
}
