import type { AttackDetail } from "@palisade/contract/edge/attack-detail";
import { type levelCauses, levelChangesMax } from "@palisade/contract/edge/attack-limits";
import type { AntibotLevel } from "@palisade/contract/edge/plain-values";
import { AttackCourse } from "#src/rules/attack-course.ts";
import { attackSizes, AttackSources } from "#src/rules/attack-sources.ts";
import { type AttackRules, datagramThreshold } from "@palisade/login-rules/attack-rules";
import type { AttackUpdate } from "#src/rules/attack-state.ts";
import type { AttackSamplePart } from "./attack-samples.ts";

/** Seconds before the first excess that the course shows. */
const secondsBefore = 5;

type LevelChange = AttackDetail["levels"][number];

/** The course, the sources and the levels of one attack on a shield. */
export class AttackDescription {
  readonly #threshold: number;
  readonly #datagramThreshold: number;
  readonly #course: AttackCourse;
  /** Seconds of Unix time at second 0 of the detector. It stays the same for the whole attack. */
  readonly #epochSecond: number;
  #sources: AttackSources | undefined = new AttackSources(attackSizes);
  #tops: ReturnType<AttackSources["report"]> = { addresses: [], networks: [], names: [] };
  readonly #levels: LevelChange[] = [];
  #hasLogins = false;
  #hasFlood = false;
  readonly #editions = { java: 0, bedrock: 0 };
  #owner: AntibotLevel;
  #relaxedTo: AntibotLevel | null = null;
  #second: number;

  /** @param clocks the same moment on the clock of the detector and as time of day */
  constructor(
    { began, second }: Pick<AttackUpdate, "began" | "second">,
    rules: Pick<AttackRules, "threshold" | "antibot">,
    clocks: { readonly nowMs: number; readonly monotonicMs: number },
  ) {
    this.#threshold = rules.threshold;
    this.#datagramThreshold = datagramThreshold(rules);
    this.#epochSecond = Math.floor((clocks.nowMs - clocks.monotonicMs) / 1_000);
    this.#second = second;
    this.#course = new AttackCourse(Math.max(0, this.#epochSecond + began - secondsBefore));
    this.#owner = rules.antibot;
    this.#change(clocks.nowMs, rules.antibot, "start");
  }

  get peak(): number {
    return this.#course.peak;
  }

  /** 0 where there was no flood of datagrams. */
  get datagramsPeak(): number {
    return this.#course.datagramsPeak;
  }

  /** @param rules as they are now; undefined if the shield is gone, or its detection is off */
  see(
    { second, logins, datagrams, datagramsPeak, peak, relaxedTo }: AttackUpdate,
    rules: Pick<AttackRules, "antibot"> | undefined,
    nowMs: number,
  ): void {
    this.#second = second;
    // Logins of players are no part of an attack of datagrams, and their pings none of one of logins.
    this.#hasLogins ||= peak > 0;
    this.#hasFlood ||= datagramsPeak > 0;
    for (const [index, amount] of this.#hasLogins ? logins.entries() : []) {
      const at = second - (logins.length - 1 - index);
      if (amount > 0) this.#course.set(this.#epochSecond + at, amount);
    }
    for (const [index, amount] of this.#hasFlood ? datagrams.entries() : []) {
      const at = second - (datagrams.length - 1 - index);
      if (amount > 0) this.#course.flood(this.#epochSecond + at, amount);
    }
    if (peak > this.#course.peak) this.#course.raise(this.#epochSecond + second, peak);
    if (relaxedTo !== null && relaxedTo !== this.#relaxedTo) {
      this.#relaxedTo = relaxedTo;
      this.#change(nowMs, relaxedTo, "relaxed");
    }
    if (rules === undefined || rules.antibot === this.#owner) return;
    this.#owner = rules.antibot;
    this.#relaxedTo = null;
    this.#change(nowMs, rules.antibot, "owner");
  }

  addSample({ admitted, logins, bedrock, sources }: AttackSamplePart): void {
    this.#editions.java += logins - bedrock;
    this.#editions.bedrock += bedrock;
    if (admitted > 0) this.#course.admit(this.#epochSecond + this.#second, admitted);
    if (sources !== undefined) this.#sources?.add(sources);
  }

  /** From now on only what is reported is kept. */
  end(nowMs: number): void {
    if (this.#relaxedTo !== null) this.#change(nowMs, this.#owner, "end");
    this.#tops = this.#sources?.report() ?? this.#tops;
    this.#sources = undefined;
  }

  report(): AttackDetail {
    return {
      threshold: this.#threshold,
      ...(this.datagramsPeak > 0 && { datagrams_threshold: this.#datagramThreshold }),
      course: this.#course.report(),
      levels: [...this.#levels],
      editions: { ...this.#editions },
      ...(this.#sources?.report() ?? this.#tops),
    };
  }

  #change(nowMs: number, level: AntibotLevel, cause: (typeof levelCauses)[number]): void {
    // The first and the latest changes say most.
    if (this.#levels.length === levelChangesMax) this.#levels.splice(1, 1);
    this.#levels.push({ at: new Date(nowMs).toISOString(), level, cause });
  }
}
