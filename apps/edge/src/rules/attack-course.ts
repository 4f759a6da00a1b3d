import type { AttackCourse as CourseReport } from "@palisade/contract/edge/attack-detail";
import {
  coursePointsMax,
  courseSteps,
  type CourseStep,
} from "@palisade/contract/edge/attack-limits";

/** Counts of this many latest seconds may still grow. */
export const openSeconds = 16;

interface Point {
  logins: number;
  peak: number;
  admitted: number;
  datagrams: number;
}

const nothing: Readonly<Point> = { logins: 0, peak: 0, admitted: 0, datagrams: 0 };

/**
 * Logins by time, in at most `coursePointsMax` points: when they do not suffice, each point covers
 * more seconds. Seconds are those of Unix time.
 */
export class AttackCourse {
  #step: CourseStep = 1;
  #from: number;
  #points: Point[] = [];
  /** The latest seconds, and how many of their logins are in the points. */
  readonly #open = new Map<number, number>();

  /** @param from its first second */
  constructor(from: number) {
    this.#from = from;
  }

  get peak(): number {
    return this.#points.reduce((peak, point) => Math.max(peak, point.peak), 0);
  }

  /** The most datagrams in one second; 0 where there was no flood. */
  get datagramsPeak(): number {
    return this.#points.reduce((peak, { datagrams }) => Math.max(peak, datagrams), 0);
  }

  /** So many logins in this second, by now. Earlier numbers of the same second are replaced. */
  set(second: number, logins: number): void {
    if (second < this.#from || logins <= (this.#open.get(second) ?? 0)) return;
    const point = this.#pointOf(second);
    point.logins += logins - (this.#open.get(second) ?? 0);
    point.peak = Math.max(point.peak, logins);
    this.#open.set(second, logins);
    if (this.#open.size <= 2 * openSeconds) return;
    for (const one of this.#open.keys()) if (one < second - openSeconds) this.#open.delete(one);
  }

  /** A second of this point had so many logins, which may not all be in the course. */
  raise(second: number, peak: number): void {
    const point = this.#pointOf(Math.max(second, this.#from));
    point.peak = Math.max(point.peak, peak);
    point.logins = Math.max(point.logins, peak);
  }

  /** So many datagrams in this second. */
  flood(second: number, datagrams: number): void {
    if (second < this.#from) return;
    const point = this.#pointOf(second);
    point.datagrams = Math.max(point.datagrams, datagrams);
  }

  admit(second: number, players: number): void {
    this.#pointOf(Math.max(second, this.#from)).admitted += players;
  }

  report(): CourseReport {
    return {
      from: this.#from,
      step: this.#step,
      logins: this.#points.map(({ logins }) => logins),
      peaks: this.#points.map(({ peak }) => peak),
      admitted: this.#points.map(({ admitted }) => admitted),
      ...(this.datagramsPeak > 0 && { datagrams: this.#points.map((each) => each.datagrams) }),
    };
  }

  #pointOf(second: number): Point {
    let index = this.#indexOf(second);
    while (index >= coursePointsMax && this.#widen()) index = this.#indexOf(second);
    index = Math.min(index, coursePointsMax - 1);
    while (this.#points.length <= index) this.#points.push({ ...nothing });
    // The list was just filled up to the index.
    return this.#points[index] as Point;
  }

  #indexOf(second: number): number {
    return Math.floor((second - this.#from) / this.#step);
  }

  /** @returns false if there is no wider step: the last point then takes what comes */
  #widen(): boolean {
    const step = courseSteps[courseSteps.indexOf(this.#step) + 1];
    if (step === undefined) return false;
    const from = this.#from - (this.#from % step);
    const points: Point[] = [];
    for (const [index, { logins, peak, admitted, datagrams }] of this.#points.entries()) {
      const at = Math.floor((this.#from + index * this.#step - from) / step);
      const point = (points[at] ??= { ...nothing });
      point.logins += logins;
      point.peak = Math.max(point.peak, peak);
      point.admitted += admitted;
      point.datagrams = Math.max(point.datagrams, datagrams);
    }
    this.#points = points;
    this.#from = from;
    this.#step = step;
    return true;
  }
}
