import type { MinuteCounters } from "@palisade/contract/edge/plain-values";
import { shieldId } from "./config-harness.ts";

export const startOfTest = Date.parse("2030-01-15T12:00:00.000Z");

/** Counters of the nth shield, `minute` minutes after the start. */
export function minuteOf(n: number, minute: number, joins = 1): MinuteCounters {
  return {
    shield_id: shieldId(n),
    minute: new Date(startOfTest + minute * 60_000).toISOString(),
    joins,
    pings: 2,
    refused: { blacklist: 1 },
    bytes_up: 10,
    bytes_down: 100,
    player_seconds: 5,
    players_max: 3,
    status_hits: 0,
    shadowed: {},
    challenged: 0,
    verified: 0,
  };
}
