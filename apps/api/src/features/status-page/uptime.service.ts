import { statusDays } from "@palisade/contract/http/status-page";
import type { Db } from "#src/platform/database/db.ts";
import {
  countConsole,
  countLocations,
  deleteUptimeBefore,
  takeMinute,
} from "./uptime.repository.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** A gap up to this is a restart; a longer one means that the console and the API were away. */
const restartMinutes = 2;
/** Days that are kept beyond those shown. */
const spareDays = 10;

/** The day in UTC, as `2026-11-26`. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** The day so many days before, today being 0. */
export function dayBefore(now: Date, days: number): string {
  return dayOf(new Date(now.getTime() - days * dayMs));
}

/**
 * Counts the current minute for the console and each location, once however many processes do it.
 * Minutes that no process counted stay unknown for the locations. For the console they count as down,
 * unless they are so few that the api was only restarted.
 *
 * @returns false where the minute had been counted
 */
export async function countMinute(db: Db, now: Date): Promise<boolean> {
  const minute = new Date(Math.floor(now.getTime() / minuteMs) * minuteMs);
  const next = new Date(minute.getTime() + minuteMs);
  return db.transaction().execute(async (trx) => {
    const before = await takeMinute(trx, minute);
    if (before === undefined) return false;
    if (before !== null) {
      const oldest = minute.getTime() - statusDays * dayMs;
      const from = new Date(Math.max(before.getTime() + minuteMs, oldest));
      const missed = (minute.getTime() - from.getTime()) / minuteMs;
      if (missed > restartMinutes) await countConsole(trx, { from, end: minute, isUp: false });
    }
    await countConsole(trx, { from: minute, end: next, isUp: true });
    await countLocations(trx, dayOf(minute));
    await deleteUptimeBefore(trx, dayBefore(now, statusDays + spareDays));
    return true;
  });
}

/**
 * Whether this process has seen the database for so long that an edge which is silent is really
 * silent: after an outage of the api or the database, all edges are for a moment.
 */
export interface Watch {
  /** Notes that the database answered, or not. */
  note(answered: boolean): void;
  isLongEnough(): boolean;
}

/** Longer than an edge may be silent and count as online. */
const watchedMsMin = 45_000;
/** With a longer pause between two notes the process itself was away. */
const pauseMsMax = 40_000;

/** @param nowMs a clock that never jumps */
export function createWatch(nowMs: () => number = () => performance.now()): Watch {
  let since: number | undefined;
  let last: number | undefined;
  return {
    note(answered) {
      const now = nowMs();
      const isGap = last === undefined || now - last > pauseMsMax;
      if (!answered) since = undefined;
      else if (since === undefined || isGap) since = now;
      last = now;
    },
    isLongEnough: () => since !== undefined && nowMs() - since >= watchedMsMin,
  };
}
