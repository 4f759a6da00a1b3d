export type Values = readonly (number | null)[];

/** When the points of an answer began, and when it was read. */
export interface Clock {
  readonly times: readonly number[];
  readonly stepMs: number;
  readonly nowMs: number;
}

/** Edges report every ten seconds: less of a step than that says little about its rate. */
const elapsedMinMs = 10_000;

/** The sum of all values at each time; a gap where none is known. */
export function addAll(all: readonly Values[]): Values {
  const length = Math.max(0, ...all.map((values) => values.length));
  return Array.from({ length }, (_, index) => {
    const known = all.map((values) => values[index] ?? null).filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
  });
}

/** The values without a part of each; a gap where they are not known. */
export function without(all: Values, part: Values): Values {
  return all.map((value, index) => value && Math.max(0, value - (part[index] ?? 0)));
}

/** 0 where edges have reported: what never occurred is left out of the answer. */
export function zerosWhereKnown(known: Values): Values {
  return known.map((value) => (value === null ? null : 0));
}

/**
 * Amounts as rates per second. The last step may not be over: what it has counted is divided by the time
 * that has passed of it.
 */
export function asRate(values: Values, { times, stepMs, nowMs }: Clock, factor: number): Values {
  return values.map((value, index) => {
    if (value === null) return null;
    const elapsedMs = nowMs - (times[index] ?? -Infinity);
    const lastedMs = Math.min(stepMs, Math.max(elapsedMinMs, elapsedMs));
    return (value * factor) / (lastedMs / 1_000);
  });
}

/** The change against the period before in per cent; null where there was nothing before. */
export function changePercent(
  now: number | null,
  before: number | null | undefined,
): number | null {
  if (now === null || before === null || before === undefined || before === 0) return null;
  return ((now - before) / before) * 100;
}

/** Hours of the week from UTC to another zone, from Monday 0:00. Half hours are rounded. */
export function inZone<T>(hours: readonly T[], offsetMinutes: number): readonly T[] {
  const shift = Math.round(offsetMinutes / 60);
  const { length } = hours;
  return hours.flatMap((_, index) =>
    hours.slice((((index - shift) % length) + length) % length).slice(0, 1),
  );
}
