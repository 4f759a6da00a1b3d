import type { TelemetryReport } from "@palisade/contract/edge/telemetry";

/**
 * PostgreSQL knows no year 0 and cannot read a time with a thousand digits. One such time would make
 * the whole report fail, and its edge would repeat it for ever, so unreadable times are left out.
 */
export function withReadableTimes(report: TelemetryReport): TelemetryReport {
  return {
    ...report,
    minutes: report.minutes.flatMap((counters) => {
      const minute = readable(counters.minute);
      return minute === null ? [] : [{ ...counters, minute }];
    }),
    logins: report.logins.flatMap((login) => {
      const at = readable(login.at);
      return at === null ? [] : [{ ...login, at }];
    }),
    backends: report.backends.map((health) => ({
      ...health,
      changed_at: health.changed_at === null ? null : readable(health.changed_at),
    })),
  };
}

/** An edge that counted before that has long lost it. */
const coverageMsMax = 172_800_000;

/**
 * The first and the last minute that the report knows all of; of earlier edges the one it came in.
 * Undefined where it knows none.
 */
export function coverageOf(
  { counted_from, counted_to }: TelemetryReport,
  now: Date,
): readonly [Date, Date] | undefined {
  const present = now.getTime() - (now.getTime() % 60_000);
  const to = timeOf(counted_to, present);
  const from = timeOf(counted_from, present);
  if (counted_to !== undefined && to < from) return undefined;
  const last = Math.min(present, to - (to % 60_000));
  const first = Math.min(last, Math.max(present - coverageMsMax, from));
  return [new Date(first - (first % 60_000)), new Date(last)];
}

function timeOf(told: string | undefined, otherwise: number): number {
  const ms = told === undefined ? otherwise : Date.parse(told);
  return Number.isNaN(ms) ? otherwise : ms;
}

function readable(time: string): string | null {
  const ms = Date.parse(time);
  return ms > 0 ? new Date(ms).toISOString() : null;
}

/** How far the latest time in the report is ahead of `now`; 0 when none is. */
export function aheadMs({ minutes, logins, attacks }: TelemetryReport, now: Date): number {
  const times = [
    ...minutes.map(({ minute }) => minute),
    ...logins.map(({ at }) => at),
    ...attacks.map(({ started_at }) => started_at),
  ];
  return times.reduce((most, time) => Math.max(most, Date.parse(time) - now.getTime()), 0);
}
