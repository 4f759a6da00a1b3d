import type { Digest } from "@palisade/contract/http/notifications";

/** Minutes since midnight; `from` may be later than `until`, over midnight. */
export interface QuietHours {
  readonly from: number;
  readonly until: number;
}

export interface MailTimes {
  readonly digest: Digest;
  readonly quietHours: QuietHours | null;
  readonly timeZone: string;
}

const minuteMs = 60_000;
const dayMinutes = 24 * 60;
/** The time of the daily digest. */
const digestMinute = 9 * 60;

/** When the mail of an event of now is due. */
export function mailDueAt({ digest, quietHours, timeZone }: MailTimes, now: Date): Date {
  const at = digest === "off" ? now : nextDigestAt(digest, timeZone, now);
  return quietHours === null ? at : afterQuiet(quietHours, timeZone, at);
}

/** Whether the moment is in the quiet hours. */
export function isQuiet({ from, until }: QuietHours, timeZone: string, at: Date): boolean {
  const minute = minuteIn(timeZone, at);
  return from < until ? minute >= from && minute < until : minute >= from || minute < until;
}

function afterQuiet(hours: QuietHours, timeZone: string, at: Date): Date {
  let end = at;
  // A day on which clocks jump over the end may be quiet to its last minute: the next one is not.
  while (isQuiet(hours, timeZone, end)) end = nextMinute(hours.until, timeZone, end);
  return end;
}

function nextDigestAt(digest: "hourly" | "daily", timeZone: string, now: Date): Date {
  if (digest === "daily") return nextMinute(digestMinute, timeZone, now);
  const minute = minuteIn(timeZone, now) % 60;
  return new Date(startOfMinute(now) + (60 - minute) * minuteMs);
}

/**
 * The next moment after `at` at which clocks in the zone show the minute of the day, or jump over it.
 */
function nextMinute(wanted: number, timeZone: string, at: Date): Date {
  const ahead = (wanted - minuteIn(timeZone, at) + dayMinutes) % dayMinutes || dayMinutes;
  const guess = startOfMinute(at) + ahead * minuteMs;
  // The guess is an hour off if the clocks change in between.
  const off = minuteIn(timeZone, new Date(guess)) - wanted;
  const moved = ((off + dayMinutes * 1.5) % dayMinutes) - dayMinutes / 2;
  const moment = guess - moved * minuteMs;
  return minuteIn(timeZone, new Date(moment)) === wanted
    ? new Date(moment)
    : jumpBetween(moment, guess, timeZone);
}

/** The first minute for which clocks are put forward. */
function jumpBetween(from: number, until: number, timeZone: string): Date {
  for (let at = from; at < until; at += minuteMs) {
    const next = new Date(at + minuteMs);
    const step = minuteIn(timeZone, next) - minuteIn(timeZone, new Date(at));
    if ((step + dayMinutes) % dayMinutes !== 1) return next;
  }
  return new Date(until);
}

function startOfMinute(at: Date): number {
  return Math.floor(at.getTime() / minuteMs) * minuteMs;
}

function minuteIn(timeZone: string, at: Date): number {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(at);
  const numberOf = (type: "hour" | "minute") =>
    Number(parts.find((part) => part.type === type)?.value ?? 0);
  return numberOf("hour") * 60 + numberOf("minute");
}
