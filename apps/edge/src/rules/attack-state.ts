import {
  type AntibotLevel,
  addRefusals,
  type Refusals,
} from "@palisade/contract/edge/plain-values";
import type { MitigationConfig } from "@palisade/contract/edge/shield-config";
import type { AttackReport } from "@palisade/contract/edge/telemetry";
import { estimateSources, mergeRegisters, sourceRegisters } from "./hyperloglog.ts";

/** An attack lasts at least this long after the last excess, so that waves of bots are one. */
export const attackSecondsMin = 10;
/** Logins in a second, of all shields together, that no edge sees in quiet times. */
const edgeThreshold = 1_000;
const edgeDurationMs = 60_000;

/** Says when logins are an attack. */
export interface AttackRules {
  /** Null: on the edge as a whole. */
  readonly shieldId: string | null;
  /** Logins in a second above which it is one. */
  readonly threshold: number;
  /** How long the attack lasts after the last second in excess. */
  readonly seconds: number;
  /** As the owner has set it. */
  readonly antibot: AntibotLevel;
}

export const edgeAttackRules: AttackRules = {
  shieldId: null,
  threshold: edgeThreshold,
  seconds: edgeDurationMs / 1_000,
  antibot: "disabled",
};

/** Undefined if the owner has set no threshold: then nothing is an attack. */
export function attackRulesOf(
  shieldId: string,
  { attack_threshold, attack_duration_ms, antibot }: MitigationConfig,
): AttackRules | undefined {
  if (attack_threshold === null) return undefined;
  const seconds = Math.max(attackSecondsMin, Math.ceil(attack_duration_ms / 1_000));
  return { shieldId, threshold: attack_threshold, seconds, antibot };
}

/** The attack as rules see it. */
export interface AttackStatus {
  readonly isUnderAttack: boolean;
  /** The level that acts instead of the owner's, because many verified players have failed. */
  readonly relaxedTo: AntibotLevel | null;
}

/**
 * Whether a second still belongs to the attack whose last excess was in `excessSecond`. An excess
 * in the future (the clock was set back) is one of now.
 */
export function isWithinAttack(excessSecond: number, second: number, seconds: number): boolean {
  return second - excessSecond <= seconds;
}

/** Changes of an attack since the last call. */
export interface AttackUpdate {
  readonly shieldId: string | null;
  readonly isOver: boolean;
  /** The running second of the detector's clock. */
  readonly second: number;
  /** The second of the first excess. */
  readonly began: number;
  /** Logins of the latest seconds, the running one last. */
  readonly logins: readonly number[];
  /** Logins in a second; 0 if none was in excess. */
  readonly peak: number;
  readonly refused: Refusals;
  /** Registers of the sketch in `hyperloglog.ts`. */
  readonly registers: Uint8Array;
  readonly relaxedTo: AntibotLevel | null;
}

/** One attack, from the second that opened it to its end, as it is reported. */
export class AttackState {
  readonly #id: string;
  readonly #shieldId: string | null;
  readonly #startedAtMs: number;
  #endedAtMs: number | null = null;
  #peak = 0;
  readonly #registers = sourceRegisters();
  #refused: Refusals = {};
  #relaxedTo: AntibotLevel | null = null;

  /** @param nowMs time of day, as everywhere here */
  constructor(id: string, shieldId: string | null, nowMs: number) {
    this.#id = id;
    this.#shieldId = shieldId;
    this.#startedAtMs = nowMs;
  }

  get hasEnded(): boolean {
    return this.#endedAtMs !== null;
  }

  get relaxedTo(): AntibotLevel | null {
    return this.#relaxedTo;
  }

  add({ peak, refused, registers, relaxedTo }: AttackUpdate): void {
    this.#peak = Math.max(this.#peak, peak);
    this.#refused = addRefusals(this.#refused, refused);
    mergeRegisters(this.#registers, registers);
    // A relaxed level stays in the report when the attack has ended and the level is back.
    this.#relaxedTo = relaxedTo ?? this.#relaxedTo;
  }

  end(nowMs: number): void {
    // A clock that was set back must not end it before it began.
    this.#endedAtMs ??= Math.max(nowMs, this.#startedAtMs);
  }

  report(): AttackReport {
    return {
      id: this.#id,
      shield_id: this.#shieldId,
      started_at: new Date(this.#startedAtMs).toISOString(),
      ended_at: this.#endedAtMs === null ? null : new Date(this.#endedAtMs).toISOString(),
      peak_per_second: this.#peak,
      sources: estimateSources(this.#registers),
      refused: this.#refused,
      relaxed_to: this.#relaxedTo,
    };
  }
}
