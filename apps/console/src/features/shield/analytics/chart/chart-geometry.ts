import type { Box } from "#src/lib/chart-scale.ts";

/** Geometry of the charts, apart from their drawing. Values are never negative; `null` is a gap. */

export type Values = readonly (number | null)[];

export interface ValueAxis {
  readonly top: number;
  /** From 0 to `top`. */
  readonly ticks: readonly number[];
}

/** Round steps that cover `max` in two to four parts; steps of whole numbers stay whole. */
export function valueAxis(max: number, isWhole: boolean): ValueAxis {
  const least = isWhole ? 1 : 0.1;
  const rough = Math.max(least, max / 3);
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5].find((each) => each * power >= rough * 0.999) ?? 10;
  const step = factor * power;
  const count = Math.max(2, Math.ceil((max / step) * 0.999));
  const ticks = Array.from({ length: count + 1 }, (_, index) => round(index * step));
  return { top: round(count * step), ticks };
}

export function maxOf(all: readonly Values[]): number {
  let max = 0;
  for (const values of all) for (const value of values) max = Math.max(max, value ?? 0);
  return max;
}

/** A line that breaks at gaps. A value between two gaps is a point, drawn by the round end of a line. */
export function brokenLine(values: Values, top: number, box: Box): string {
  return runsOf(values)
    .map((run) => {
      const path = run.map(({ index, value }) => position(index, value, values.length, top, box));
      const [first] = path;
      if (first === undefined) return "";
      return path.length === 1 ? `M${first}h0` : `M${path.join("L")}`;
    })
    .join("");
}

/** The area between two lines, the lower one 0 where it is not given. */
export function brokenArea(values: Values, lower: Values | null, top: number, box: Box): string {
  const length = values.length;
  return runsOf(values)
    .filter((run) => run.length > 1)
    .map((run) => {
      const upper = run.map(({ index, value }) => position(index, value, length, top, box));
      const base = run
        .toReversed()
        .map(({ index }) => position(index, lower?.[index] ?? 0, length, top, box));
      return `M${upper.join("L")}L${base.join("L")}Z`;
    })
    .join("");
}

/** Each series on top of the ones before it. A gap of one series is a gap of what it is added to. */
export function stacked(all: readonly Values[]): (readonly (number | null)[])[] {
  const sums: (number | null)[][] = [];
  for (const values of all) {
    const below = sums.at(-1);
    sums.push(
      values.map((value, index) => (value === null ? null : value + (below?.[index] ?? 0))),
    );
  }
  return sums;
}

/** Stretches without a value, as parts of the width. */
export function gapsOf(all: readonly Values[]): { readonly from: number; readonly to: number }[] {
  const length = all[0]?.length ?? 0;
  const last = Math.max(1, length - 1);
  const gaps: { from: number; to: number }[] = [];
  let start: number | null = null;
  for (let index = 0; index <= length; index++) {
    const isGap = index < length && all.every((values) => values[index] === null);
    if (isGap) start ??= index;
    else if (start !== null) {
      gaps.push({ from: Math.max(0, start - 1) / last, to: Math.min(last, index) / last });
      start = null;
    }
  }
  return gaps;
}

/** The place of a time between the first and the last one, from 0 to 1. */
export function partOf(timeMs: number, times: readonly number[]): number {
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? first;
  if (last <= first) return 0;
  return Math.min(1, Math.max(0, (timeMs - first) / (last - first)));
}

interface Point {
  readonly index: number;
  readonly value: number;
}

function runsOf(values: Values): Point[][] {
  const runs: Point[][] = [];
  let run: Point[] = [];
  for (const [index, value] of values.entries()) {
    if (value !== null) run.push({ index, value });
    else if (run.length > 0) {
      runs.push(run);
      run = [];
    }
  }
  if (run.length > 0) runs.push(run);
  return runs;
}

function position(index: number, value: number, length: number, top: number, box: Box): string {
  const x = (index / Math.max(1, length - 1)) * box.width;
  const y = box.height - (Math.min(value, top) / top) * box.height;
  return `${round(x)} ${round(y)}`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
