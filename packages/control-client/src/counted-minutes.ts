import type { MinuteCounters } from "@palisade/contract/edge/plain-values";
import type { MinuteBuffer } from "./minute-buffer.ts";

const minuteMs = 60_000;

/**
 * The minutes of which the api has all once it has the open report, and the first for the next one. Not
 * those that still wait or whose time is lost: their charts would show zeros.
 *
 * @param waiting.parts counters of further parts of the open report
 * @param waiting.countedFrom start of the first minute that no answered report has told of
 * @param waiting.minute start of this minute
 */
export function countedMinutes(waiting: {
  readonly buffer: Pick<MinuteBuffer, "oldestMs" | "exactFromMs">;
  readonly parts: readonly MinuteCounters[];
  readonly countedFrom: number;
  readonly minute: number;
}) {
  const { buffer, parts, countedFrom, minute } = waiting;
  const oldest = Math.min(
    buffer.oldestMs() ?? Number.POSITIVE_INFINITY,
    ...parts.map((counters) => Date.parse(counters.minute)),
  );
  const fromMs = Math.max(Math.min(countedFrom, minute), buffer.exactFromMs());
  return {
    fromMs,
    toMs: Math.min(minute, oldest - minuteMs),
    nextMs: Math.min(minute, Math.max(fromMs, oldest)),
  };
}
