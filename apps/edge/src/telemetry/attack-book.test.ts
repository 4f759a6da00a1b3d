import { attackReport } from "@palisade/contract/edge/telemetry";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import type { AttackNews } from "#src/protection/attack-state.ts";
import { sourceRegisters } from "#src/protection/source-estimate.ts";
import { AttackBook } from "./attack-book.ts";

const start = Date.parse("2030-01-15T12:00:00.000Z");

function idOf(n: number): string {
  return `0190a000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;
}

function newsOf(n: number, changes: Partial<AttackNews> = {}): AttackNews {
  return {
    shieldId: idOf(n),
    isOver: false,
    peak: 40,
    refused: {},
    registers: sourceRegisters(),
    relaxedTo: null,
    ...changes,
  };
}

/** A book that sees, second by second, what the board is said to have. */
function setUp() {
  let nowMs = start;
  let ids = 0;
  const seen: AttackNews[] = [];
  const book = new AttackBook({
    board: { unplaced: 0, drain: () => seen.splice(0) },
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    newId: () => idOf(0xa000_0000 + ++ids),
    log: pino({ level: "silent" }),
  });
  const see = (...news: AttackNews[]): void => {
    nowMs += 1_000;
    seen.push(...news);
    book.tick();
  };
  const setClock = (ms: number): void => void (nowMs = ms);
  return { book, see, setClock };
}

describe("the attacks of an edge", () => {
  test("one is told from its first second on, with what has come together since", () => {
    const { book, see } = setUp();
    const registers = sourceRegisters().fill(1, 0, 3);
    see(newsOf(1, { refused: { vpn: 3 }, registers }));
    see(newsOf(1, { peak: 90, refused: { vpn: 1, rate: 2 }, registers }));
    see(newsOf(1, { peak: 0 }));
    const [report] = book.reports();
    expect(report).toEqual({
      id: idOf(0xa000_0001),
      shield_id: idOf(1),
      started_at: "2030-01-15T12:00:01.000Z",
      ended_at: null,
      peak_per_second: 90,
      sources: 3,
      refused: { vpn: 4, rate: 2 },
      relaxed_to: null,
    });
    expect(attackReport.safeParse(report).success).toBe(true);
    expect(book).toMatchObject({ shields: 1, isEdgeUnderAttack: false, started: 1, size: 1 });
  });

  test("one is told until its end has arrived, and then never again", () => {
    const { book, see } = setUp();
    see(newsOf(1));
    const running = book.reports();
    see(newsOf(1, { isOver: true }));
    // On its way while the attack ended: what has arrived is not the end.
    book.markDelivered(running);
    const ended = book.reports();
    expect(ended).toMatchObject([{ ended_at: "2030-01-15T12:00:02.000Z" }]);
    expect(book.reports()).toEqual(ended);
    book.markDelivered(ended);
    expect(book.reports()).toEqual([]);
    expect(book).toMatchObject({ shields: 0, size: 0 });
    see(newsOf(1));
    expect(book.reports()).toMatchObject([{ id: idOf(0xa000_0002), ended_at: null }]);
  });

  test("one that goes on is told at most every ten seconds, and a relaxed level at once", () => {
    const { book, see } = setUp();
    see(newsOf(1));
    book.markDelivered(book.reports());
    let told = 0;
    for (let second = 1; second <= 60; second++) {
      see(newsOf(1, { refused: { rate: 1 } }));
      told += book.size;
      book.markDelivered(book.reports());
    }
    expect(told).toBe(6);
    see(newsOf(1, { relaxedTo: "medium" }));
    expect(book.reports()).toMatchObject([{ relaxed_to: "medium", refused: { rate: 60 } }]);
  });

  test("one that the board knows no more has ended: shield gone, or no threshold", () => {
    const { book, see } = setUp();
    see(newsOf(1), newsOf(2));
    see(newsOf(2));
    expect(book.reports()).toMatchObject([
      { shield_id: idOf(1), ended_at: "2030-01-15T12:00:02.000Z" },
      { shield_id: idOf(2), ended_at: null },
    ]);
  });

  test("one that began and ended unseen is told all the same", () => {
    const { book, see } = setUp();
    see(newsOf(1, { isOver: true }));
    expect(book.reports()).toMatchObject([{ peak_per_second: 40, ended_at: expect.any(String) }]);
  });

  test("the level it was relaxed to stays told", () => {
    const { book, see } = setUp();
    see(newsOf(1));
    see(newsOf(1, { relaxedTo: "medium" }));
    see(newsOf(1, { isOver: true, relaxedTo: null }));
    expect(book.reports()).toMatchObject([{ relaxed_to: "medium" }]);
  });

  test("that of the edge as a whole is one of its own", () => {
    const { book, see } = setUp();
    see(newsOf(1), newsOf(1, { shieldId: null, peak: 5_000 }));
    expect(book).toMatchObject({ shields: 1, isEdgeUnderAttack: true, started: 2 });
    expect(book.reports()).toMatchObject([
      { shield_id: idOf(1) },
      { shield_id: null, peak_per_second: 5_000 },
    ]);
  });

  test("none ends before it began where the clock is set back", () => {
    const { book, see, setClock } = setUp();
    see(newsOf(1));
    setClock(start - 3_600_000);
    see(newsOf(1, { isOver: true }));
    const started_at = "2030-01-15T12:00:01.000Z";
    expect(book.reports()).toMatchObject([{ started_at, ended_at: started_at }]);
  });

  test("all have ended for an edge that stops", () => {
    const { book, see } = setUp();
    see(newsOf(1), newsOf(2));
    book.close();
    expect(book.reports().every(({ ended_at }) => ended_at !== null)).toBe(true);
    book.markDelivered(book.reports());
    expect(book.size).toBe(0);
  });

  test("more than a report holds all have their turn", () => {
    const { book, see } = setUp();
    see(...Array.from({ length: 1_200 }, (_, n) => newsOf(n)));
    const told = new Set<string>();
    for (let report = 0; report < 3; report++) {
      const portion = book.reports();
      expect(portion.length).toBeLessThanOrEqual(500);
      for (const { id } of portion) told.add(id);
      book.markDelivered(portion);
    }
    expect(told.size).toBe(1_200);
  });

  test("ends that nobody is told of cost bounded memory, the oldest first (71)", () => {
    const { book, see } = setUp();
    for (let n = 0; n < 5_100; n++) see(newsOf(n), newsOf(n, { isOver: true }));
    expect(book).toMatchObject({ size: 5_000, dropped: 100 });
    expect(book.reports()[0]?.shield_id).toBe(idOf(100));
  });
});
