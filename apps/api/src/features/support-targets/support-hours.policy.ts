/** The hours in which support works. */
export interface SupportHours {
  readonly timeZone: string;
  /** 1 is Monday. */
  readonly days: readonly number[];
  /** Minutes of the day. */
  readonly opensAt: number;
  readonly closesAt: number;
}

export interface ResponseTarget {
  readonly minutes: number;
  readonly hours: "business" | "always";
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** 100,000 minutes are fewer working days than this even where support works a minute a week. */
const daysMax = 800_000;

/** When an answer to a message of `from` is due. */
export function dueAt(target: ResponseTarget, hours: SupportHours, from: Date): Date {
  if (target.hours === "always") return new Date(from.getTime() + target.minutes * minuteMs);
  const clock = createZoneClock(hours.timeZone);
  let left = target.minutes * minuteMs;
  // A date of the zone, as midnight UTC.
  let date = clock.dateOf(from.getTime());
  for (let day = 0; day < daysMax; day++, date += dayMs) {
    if (!hours.days.includes(new Date(date).getUTCDay() || 7)) continue;
    const opens = Math.max(clock.momentOf(date + hours.opensAt * minuteMs), from.getTime());
    const closes = clock.momentOf(date + hours.closesAt * minuteMs);
    const open = Math.max(0, closes - opens);
    if (left <= open) return new Date(opens + left);
    left -= open;
  }
  throw new Error("Support has no hours");
}

/** Times of a zone, written as if they were UTC. */
function createZoneClock(timeZone: string) {
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
    hourCycle: "h23",
  });
  function localOf(moment: number): number {
    const parts = format.formatToParts(moment);
    const part = (type: Intl.DateTimeFormatPartTypes) =>
      Number(parts.find((each) => each.type === type)?.value ?? 0);
    return Date.UTC(
      part("year"),
      part("month") - 1,
      part("day"),
      part("hour"),
      part("minute"),
      part("second"),
    );
  }
  const offsetAt = (moment: number): number => localOf(moment) - Math.floor(moment / 1000) * 1000;
  return {
    dateOf: (moment: number): number => Math.floor(localOf(moment) / dayMs) * dayMs,
    /** A time that clocks jump over is taken for the one after the jump. */
    momentOf(local: number): number {
      const guess = local - offsetAt(local);
      return local - offsetAt(guess);
    },
  };
}
