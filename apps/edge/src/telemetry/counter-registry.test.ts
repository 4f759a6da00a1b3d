import { minuteCounters } from "@palisade/contract/edge/telemetry";
import { describe, expect, test } from "vitest";
import { CounterRegistry } from "./counter-registry.ts";

const start = Date.parse("2030-01-15T12:00:00.000Z");
const shieldId = "0190a000-0000-7000-8000-000000000001";

/** A registry whose seconds pass one by one. */
function registryAt(ms: number) {
  let nowMs = ms;
  const registry = new CounterRegistry(nowMs);
  const pass = (seconds: number): void => {
    for (let second = 0; second < seconds; second++) registry.tick((nowMs += 1_000));
  };
  return { registry, pass, drain: () => registry.drain(nowMs) };
}

describe("counter registry", () => {
  test("counts land in the minute they happened in, as the contract has them", () => {
    const { registry, pass, drain } = registryAt(start + 30_000);
    const counters = registry.ofShield(shieldId);
    counters.players = 2;
    counters.joins = 2;
    counters.bytesUp = 100;
    counters.refuse("blacklist");
    counters.refuse("blacklist");
    pass(30);
    counters.players = 1;
    counters.bytesDown = 50;
    pass(10);
    const { minutes } = drain();
    expect(minutes).toEqual([
      {
        shield_id: shieldId,
        minute: "2030-01-15T12:00:00.000Z",
        joins: 2,
        pings: 0,
        refused: { blacklist: 2 },
        bytes_up: 100,
        bytes_down: 0,
        player_seconds: 60,
        players_max: 2,
        status_hits: 0,
        shadowed: {},
        challenged: 0,
        verified: 0,
      },
      {
        shield_id: shieldId,
        minute: "2030-01-15T12:01:00.000Z",
        joins: 0,
        pings: 0,
        refused: {},
        bytes_up: 0,
        bytes_down: 50,
        player_seconds: 10,
        players_max: 1,
        status_hits: 0,
        shadowed: {},
        challenged: 0,
        verified: 0,
      },
    ]);
    for (const minute of minutes) expect(minuteCounters.safeParse(minute).success).toBe(true);
    expect(drain().minutes).toEqual([]);
  });

  test("counts that could not be reported are added to later ones", () => {
    const { registry, drain } = registryAt(start);
    const counters = registry.ofShield(shieldId);
    counters.joins = 3;
    counters.refuse("offline");
    const first = drain().minutes;
    counters.joins = 4;
    counters.refuse("offline");
    counters.refuse("blacklist");
    registry.restore(first);
    expect(drain().minutes).toMatchObject([{ joins: 7, refused: { offline: 2, blacklist: 1 } }]);
  });

  test("the edge's totals are those of all shields and minutes, fetched or not, counted once", () => {
    const { registry, pass, drain } = registryAt(start);
    const counters = registry.ofShield(shieldId);
    counters.joins = 3;
    counters.pings = 5;
    counters.statusHits = 4;
    counters.refuse("vpn");
    counters.wouldRefuse("rate");
    pass(60);
    const first = drain().minutes;
    counters.joins++;
    counters.challenged = 2;
    counters.verified = 1;
    counters.refuse("vpn");
    registry.ofShield("0190a000-0000-7000-8000-000000000002").joins++;
    registry.restore(first);
    const totals = { joins: 5, pings: 5, status_hits: 4, challenged: 2, verified: 1 };
    const reasons = { refused: { vpn: 2 }, shadowed: { rate: 1 } };
    expect(registry.totals).toEqual({ ...totals, ...reasons });
    expect(registry.totals).toEqual({ ...totals, ...reasons });
    expect(drain().minutes.reduce((sum, { joins }) => sum + joins, 0)).toBe(5);
  });

  test("gauges: players now, logins a second, bits a second over the last minute", () => {
    const { registry, pass, drain } = registryAt(start);
    const counters = registry.ofShield(shieldId);
    counters.players = 1;
    counters.logins = 10;
    counters.bytesUp = 60_000;
    pass(1);
    drain();
    expect(drain().live).toEqual([
      { shield_id: shieldId, players: 1, connections_per_second: 2, bandwidth_bps: 8_000 },
    ]);
    counters.players = 0;
    pass(60);
    expect(drain().live).toEqual([]);
  });

  test("a shield that rested counts again from the first ping, login or player on", () => {
    const { registry, pass, drain } = registryAt(start);
    const counters = registry.ofShield(shieldId);
    counters.logins = 1;
    counters.joins = 1;
    counters.players = 1;
    pass(1);
    counters.players = 0;
    pass(130);
    expect(drain().minutes).toHaveLength(1);
    expect(drain().minutes).toEqual([]);
    counters.pings++;
    counters.statusHits++;
    expect(drain().minutes).toMatchObject([{ pings: 1, status_hits: 1, joins: 0 }]);
    pass(130);
    drain();
    counters.logins++;
    counters.bytesUp += 600;
    pass(1);
    expect(drain().live).toMatchObject([{ connections_per_second: 0.2, bandwidth_bps: 80 }]);
    pass(130);
    drain();
    counters.players++;
    expect(registry.players).toBe(1);
    pass(2);
    expect(drain().minutes).toMatchObject([{ player_seconds: 2, players_max: 1 }]);
  });

  test("a shield that is gone is forgotten once its players have left and all is sent", () => {
    const { registry, pass, drain } = registryAt(start);
    const counters = registry.ofShield(shieldId);
    counters.players = 1;
    registry.retire(shieldId);
    pass(61);
    expect(registry.ofShield(shieldId)).toBe(counters);
    registry.retire(shieldId);
    counters.players = 0;
    pass(60);
    drain();
    pass(60);
    expect(registry.ofShield(shieldId)).not.toBe(counters);
  });

  test("a control plane that never fetches costs bounded memory, the oldest minutes first", () => {
    const { registry } = registryAt(start);
    const minute = (n: number) => ({
      shield_id: shieldId,
      minute: new Date(start + n * 60_000).toISOString(),
      joins: 1,
      pings: 0,
      refused: {},
      bytes_up: 0,
      bytes_down: 0,
      player_seconds: 0,
      players_max: 0,
      status_hits: 0,
      shadowed: {},
      challenged: 0,
      verified: 0,
    });
    registry.restore(Array.from({ length: 100_050 }, (_, n) => minute(n)));
    const first = registry.drain(start).minutes;
    expect(first).toHaveLength(10_000);
    expect(first[0]?.minute).toBe(minute(50).minute);
  });
});
