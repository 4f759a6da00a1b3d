import type { ServerOverview } from "@palisade/contract/http/servers";
import { describe, expect, test } from "vitest";
import { lastHour } from "./last-hour.ts";

const now = new Date("2026-03-10T12:00:30Z");

function overview(history: ServerOverview["history"]): ServerOverview {
  return {
    server_name: "Skyline",
    status: "active",
    pricing_plan: { id: "0197f3a0-0000-7000-8000-000000000001", name: "Free" },
    cname_record: "k7f3.gs.localhost",
    players_online: 7,
    connections_per_second: 2,
    bandwidth_bps: 1000,
    formatted_bandwidth: "1 kbit/s",
    traffic: 0,
    formatted_traffic: "0 B",
    traffic_used: "0 B",
    traffic_available: null,
    traffic_limit_bytes: null,
    traffic_used_percent: null,
    traffic_used_up: false,
    traffic_resets_at: "2026-12-01T00:00:00Z",
    under_attack: false,
    antibot: "on",
    automatic_renewal: true,
    include_balance: true,
    renewal: null,
    planned_plan: null,
    grace_ends_at: null,
    blocked_reason: null,
    blocked_connections: 0,
    created_at: now.toISOString(),
    expires_at: null,
    history,
  };
}

const entry = { players: 3, joins: 60, pings: 0, refused: 120, bytes: 7500 };

describe("the last hour", () => {
  test("has sixty minutes and the present, with any amount of telemetry", () => {
    const hour = lastHour(overview([]), now);
    for (const values of Object.values(hour)) expect(values).toHaveLength(61);
    expect(hour.players.slice(0, 59).every((value) => value === 0)).toBe(true);
  });

  test("shows a minute at its time, as rates per second", () => {
    const hour = lastHour(overview([{ ...entry, minute: "2026-03-10T11:59:00Z" }]), now);
    expect(hour.times[59]?.toISOString()).toBe("2026-03-10T11:59:00.000Z");
    expect(hour.players[59]).toBe(3);
    expect(hour.admitted[59]).toBe(1);
    expect(hour.refused[59]).toBe(2);
    expect(hour.bandwidth[59]).toBe(1000);
  });

  test("the present is live without a dip in its unfinished minute, and counts refused joins apart", () => {
    const unfinished = { ...entry, joins: 30, minute: "2026-03-10T12:00:00Z" };
    const hour = lastHour(overview([unfinished]), now);
    expect(hour.players.at(-1)).toBe(7);
    expect(hour.admitted.at(-1)).toBe(1);
    expect(hour.refused.at(-1)).toBe(4);
  });

  test("a minute whose telemetry has not arrived yet is no dip", () => {
    const hour = lastHour(overview([{ ...entry, minute: "2026-03-10T11:58:00Z" }]), now);
    expect(hour.players.slice(-3)).toEqual([3, 7, 7]);
  });

  test("older minutes are dropped", () => {
    const hour = lastHour(overview([{ ...entry, minute: "2026-03-10T10:30:00Z" }]), now);
    expect(Math.max(...hour.refusedCount)).toBe(0);
  });
});
