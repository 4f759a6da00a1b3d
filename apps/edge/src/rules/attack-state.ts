import {
  type AntibotLevel,
  addRefusals,
  type Refusals,
} from "@palisade/contract/edge/plain-values";
import type { AttackReport } from "@palisade/contract/edge/telemetry";
import type { AttackRules } from "@palisade/login-rules/attack-rules";
import { estimateSources, mergeRegisters, sourceRegisters } from "./hyperloglog.ts";

/** Logins in a second, of all shields together, that no edge sees in quiet times. */
const edgeThreshold = 1_000;
const edgeDurationMs = 60_000;

export const edgeAttackRules: AttackRules = {
  shieldId: null,
  threshold: edgeThreshold,
  seconds: edgeDurationMs / 1_000,
  antibot: "disabled",
};

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
  /** Datagrams of Bedrock that belong to no player, of the same seconds, and the most in one; 0: no flood. */
  readonly datagrams: readonly number[];
  readonly datagramsPeak: number;
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
  #datagramsPeak = 0;
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

  add({ peak, datagramsPeak, refused, registers, relaxedTo }: AttackUpdate): void {
    this.#peak = Math.max(this.#peak, peak);
    this.#datagramsPeak = Math.max(this.#datagramsPeak, datagramsPeak);
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
      ...(this.#datagramsPeak > 0 && { datagrams_peak: this.#datagramsPeak }),
      sources: estimateSources(this.#registers),
      refused: this.#refused,
      relaxed_to: this.#relaxedTo,
    };
  }
}
