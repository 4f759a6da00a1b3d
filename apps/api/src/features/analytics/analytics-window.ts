import type { AnalyticsRange, AnalyticsStep } from "@palisade/contract/http/analytics";

export interface AnalyticsWindow {
  readonly fromMs: number;
  readonly toMs: number;
  readonly step: AnalyticsStep;
}

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;

/** How long points of a step are kept, and the longest period that is shown with it. */
const resolutions: readonly { step: AnalyticsStep; ageMs: number; spanMs: number }[] = [
  { step: 60, ageMs: 48 * hourMs, spanMs: 6 * hourMs },
  { step: 600, ageMs: 14 * dayMs, spanMs: 3 * dayMs },
  { step: 3_600, ageMs: Number.POSITIVE_INFINITY, spanMs: 62 * dayMs },
];

interface Asked {
  readonly range: AnalyticsRange;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Whole steps that contain the period, none before `keptMs` or after `nowMs`. */
export function windowOf(asked: Asked, nowMs: number, keptMs: number): AnalyticsWindow {
  if (asked.range === "1h") return whole(nowMs - hourMs, nowMs, 60, keptMs);
  if (asked.range === "24h") return ending(nowMs, dayMs, 600, keptMs);
  if (asked.range === "7d") return ending(nowMs, 7 * dayMs, 3_600, keptMs);
  if (asked.range === "30d") return ending(nowMs, 30 * dayMs, 3_600, keptMs);
  const toMs = Math.min(nowMs, timeOf(asked.to, nowMs));
  const fromMs = Math.max(keptMs, Math.min(timeOf(asked.from, nowMs), toMs));
  const fits = resolutions.find(
    ({ ageMs, spanMs }) => fromMs >= nowMs - ageMs && toMs - fromMs <= spanMs,
  );
  return including(fromMs, Math.max(fromMs, toMs), fits?.step ?? 86_400, keptMs);
}

function timeOf(time: string | undefined, nowMs: number): number {
  return time === undefined ? nowMs : Date.parse(time);
}

/** The last whole minutes: the one that runs would look like a drop. */
function whole(fromMs: number, toMs: number, step: AnalyticsStep, keptMs: number): AnalyticsWindow {
  return including(floor(fromMs, minuteMs), floor(toMs, minuteMs), step, keptMs);
}

function ending(
  nowMs: number,
  spanMs: number,
  step: AnalyticsStep,
  keptMs: number,
): AnalyticsWindow {
  const toMs = ceil(nowMs, step * 1_000);
  return including(toMs - spanMs, toMs, step, keptMs);
}

function including(
  fromMs: number,
  toMs: number,
  step: AnalyticsStep,
  keptMs: number,
): AnalyticsWindow {
  const stepMs = step * 1_000;
  const first = Math.max(floor(fromMs, stepMs), ceil(keptMs, stepMs));
  return { fromMs: first, toMs: Math.max(first, ceil(toMs, stepMs)), step };
}

/** As many points, before the window. */
export function windowBefore({ fromMs, toMs, step }: AnalyticsWindow): AnalyticsWindow {
  return { fromMs: fromMs - (toMs - fromMs), toMs: fromMs, step };
}

export function startsOf({ fromMs, toMs, step }: AnalyticsWindow): number[] {
  const count = Math.round((toMs - fromMs) / (step * 1_000));
  return Array.from({ length: count }, (_, index) => fromMs + index * step * 1_000);
}

function floor(ms: number, stepMs: number): number {
  return Math.floor(ms / stepMs) * stepMs;
}

function ceil(ms: number, stepMs: number): number {
  return Math.ceil(ms / stepMs) * stepMs;
}
