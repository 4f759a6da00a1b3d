import { minuteCounters } from "@palisade/contract/edge/telemetry";
import { describe, expect, test } from "vitest";
import { CounterBook } from "./counter-book.ts";

const start = Date.parse("2030-01-15T12:00:00.000Z");
const shieldId = "0190a000-0000-7000-8000-000000000001";

/** A book whose seconds pass one by one. */
function bookAt(ms: number) {
  let nowMs = ms;
  const book = new CounterBook(nowMs);
  const pass = (seconds: number): void => {
    for (let second = 0; second < seconds; second++) book.tick((nowMs += 1_000));
  };
  return { book, pass, drain: () => book.drain(nowMs) };
}

describe("counter book", () => {
  test("counts land in the minute they happened in, as the contract has them", () => {
    const { book, pass, drain } = bookAt(start + 30_000);
    const tally = book.tally(shieldId);
    tally.players = 2;
    tally.joins = 2;
    tally.bytesUp = 100;
    tally.refuse("blacklist");
    tally.refuse("blacklist");
    pass(30);
    tally.players = 1;
    tally.bytesDown = 50;
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

  test("what could not be reported is added to what came since", () => {
    const { book, drain } = bookAt(start);
    const tally = book.tally(shieldId);
    tally.joins = 3;
    tally.refuse("offline");
    const first = drain().minutes;
    tally.joins = 4;
    tally.refuse("offline");
    tally.refuse("blacklist");
    book.restore(first);
    expect(drain().minutes).toMatchObject([{ joins: 7, refused: { offline: 2, blacklist: 1 } }]);
  });

  test("the edge's totals are those of all shields and minutes, fetched or not, counted once", () => {
    const { book, pass, drain } = bookAt(start);
    const tally = book.tally(shieldId);
    tally.joins = 3;
    tally.pings = 5;
    tally.statusHits = 4;
    tally.refuse("vpn");
    tally.wouldRefuse("rate");
    pass(60);
    const first = drain().minutes;
    tally.joins++;
    tally.challenged = 2;
    tally.verified = 1;
    tally.refuse("vpn");
    book.tally("0190a000-0000-7000-8000-000000000002").joins++;
    book.restore(first);
    const totals = { joins: 5, pings: 5, status_hits: 4, challenged: 2, verified: 1 };
    const reasons = { refused: { vpn: 2 }, shadowed: { rate: 1 } };
    expect(book.totals).toEqual({ ...totals, ...reasons });
    expect(book.totals).toEqual({ ...totals, ...reasons });
    expect(drain().minutes.reduce((sum, { joins }) => sum + joins, 0)).toBe(5);
  });

  test("gauges: players now, logins a second, bits a second over the last minute", () => {
    const { book, pass, drain } = bookAt(start);
    const tally = book.tally(shieldId);
    tally.players = 1;
    tally.logins = 10;
    tally.bytesUp = 60_000;
    pass(1);
    drain();
    expect(drain().live).toEqual([
      { shield_id: shieldId, players: 1, connections_per_second: 2, bandwidth_bps: 8_000 },
    ]);
    tally.players = 0;
    pass(60);
    expect(drain().live).toEqual([]);
  });

  test("a shield that rested counts again from the first ping, login or player on", () => {
    const { book, pass, drain } = bookAt(start);
    const tally = book.tally(shieldId);
    tally.logins = 1;
    tally.joins = 1;
    tally.players = 1;
    pass(1);
    tally.players = 0;
    pass(130);
    expect(drain().minutes).toHaveLength(1);
    expect(drain().minutes).toEqual([]);
    tally.pings++;
    tally.statusHits++;
    expect(drain().minutes).toMatchObject([{ pings: 1, status_hits: 1, joins: 0 }]);
    pass(130);
    drain();
    tally.logins++;
    tally.bytesUp += 600;
    pass(1);
    expect(drain().live).toMatchObject([{ connections_per_second: 0.2, bandwidth_bps: 80 }]);
    pass(130);
    drain();
    tally.players++;
    expect(book.players).toBe(1);
    pass(2);
    expect(drain().minutes).toMatchObject([{ player_seconds: 2, players_max: 1 }]);
  });

  test("a shield that is gone is forgotten once its players have left and all is sent", () => {
    const { book, pass, drain } = bookAt(start);
    const tally = book.tally(shieldId);
    tally.players = 1;
    book.retire(shieldId);
    pass(61);
    expect(book.tally(shieldId)).toBe(tally);
    book.retire(shieldId);
    tally.players = 0;
    pass(60);
    drain();
    pass(60);
    expect(book.tally(shieldId)).not.toBe(tally);
  });

  test("a control plane that never fetches costs bounded memory, the oldest minutes first", () => {
    const { book } = bookAt(start);
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
    book.restore(Array.from({ length: 100_050 }, (_, n) => minute(n)));
    const first = book.drain(start).minutes;
    expect(first).toHaveLength(10_000);
    expect(first[0]?.minute).toBe(minute(50).minute);
  });
});
