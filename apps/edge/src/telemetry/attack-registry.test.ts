import { attackReport } from "@palisade/contract/edge/telemetry";
import type { AntibotLevel } from "@palisade/contract/edge/plain-values";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import type { AttackUpdate } from "#src/rules/attack-state.ts";
import { sourceRegisters } from "#src/rules/hyperloglog.ts";
import { AttackSamples } from "./attack-samples.ts";
import { AttackRegistry, type AttackRegistryDeps } from "./attack-registry.ts";

const start = Date.parse("2030-01-15T12:00:00.000Z");

function idOf(n: number): string {
  return `0190a000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;
}

function updateOf(n: number, changes: Partial<AttackUpdate> = {}): AttackUpdate {
  return {
    shieldId: idOf(n),
    isOver: false,
    second: start / 1_000,
    began: start / 1_000,
    logins: [],
    peak: 40,
    datagrams: [],
    datagramsPeak: 0,
    refused: {},
    registers: sourceRegisters(),
    relaxedTo: null,
    ...changes,
  };
}

/** A registry that sees, second by second, what the board is said to have. */
function setUp(rulesOf: AttackRegistryDeps["rulesOf"] = () => undefined) {
  let nowMs = start;
  let ids = 0;
  const seen: AttackUpdate[] = [];
  const registry = new AttackRegistry({
    detector: { loginsWithoutSlot: 0, drain: () => seen.splice(0) },
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    rulesOf,
    newId: () => idOf(0xa000_0000 + ++ids),
    log: pino({ level: "silent" }),
  });
  const see = (...update: AttackUpdate[]): void => {
    nowMs += 1_000;
    seen.push(...update);
    registry.tick();
  };
  const setClock = (ms: number): void => void (nowMs = ms);
  return { registry, see, setClock };
}

describe("the attacks of an edge", () => {
  test("an attack is reported from its first second on, with all counts since", () => {
    const { registry, see } = setUp();
    const registers = sourceRegisters().fill(1, 0, 3);
    see(updateOf(1, { refused: { vpn: 3 }, registers }));
    see(updateOf(1, { peak: 90, refused: { vpn: 1, rate: 2 }, registers }));
    see(updateOf(1, { peak: 0 }));
    const [report] = registry.reports();
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
    expect(registry).toMatchObject({ shields: 1, isEdgeUnderAttack: false, started: 1, size: 1 });
  });

  test("an attack is reported until its end was delivered, and then never again", () => {
    const { registry, see } = setUp();
    see(updateOf(1));
    const running = registry.reports();
    see(updateOf(1, { isOver: true }));
    // On its way while the attack ended: what has arrived is not the end.
    registry.markDelivered(running);
    const ended = registry.reports();
    expect(ended).toMatchObject([{ ended_at: "2030-01-15T12:00:02.000Z" }]);
    expect(registry.reports()).toEqual(ended);
    registry.markDelivered(ended);
    expect(registry.reports()).toEqual([]);
    expect(registry).toMatchObject({ shields: 0, size: 0 });
    see(updateOf(1));
    expect(registry.reports()).toMatchObject([{ id: idOf(0xa000_0002), ended_at: null }]);
  });

  test("a running attack is reported at most every ten seconds, and a relaxed level at once", () => {
    const { registry, see } = setUp();
    see(updateOf(1));
    registry.markDelivered(registry.reports());
    let told = 0;
    for (let second = 1; second <= 60; second++) {
      see(updateOf(1, { refused: { rate: 1 } }));
      told += registry.size;
      registry.markDelivered(registry.reports());
    }
    expect(told).toBe(6);
    see(updateOf(1, { relaxedTo: "medium" }));
    expect(registry.reports()).toMatchObject([{ relaxed_to: "medium", refused: { rate: 60 } }]);
  });

  test("an attack that the detector no longer has is over: shield gone, or no threshold", () => {
    const { registry, see } = setUp();
    see(updateOf(1), updateOf(2));
    see(updateOf(2));
    expect(registry.reports()).toMatchObject([
      { shield_id: idOf(1), ended_at: "2030-01-15T12:00:02.000Z" },
      { shield_id: idOf(2), ended_at: null },
    ]);
  });

  test("an attack that began and ended between two reads is still reported", () => {
    const { registry, see } = setUp();
    see(updateOf(1, { isOver: true }));
    expect(registry.reports()).toMatchObject([
      { peak_per_second: 40, ended_at: expect.any(String) },
    ]);
  });

  test("the level it was relaxed to stays told", () => {
    const { registry, see } = setUp();
    see(updateOf(1));
    see(updateOf(1, { relaxedTo: "medium" }));
    see(updateOf(1, { isOver: true, relaxedTo: null }));
    expect(registry.reports()).toMatchObject([{ relaxed_to: "medium" }]);
  });

  test("that of the edge as a whole is one of its own", () => {
    const { registry, see } = setUp();
    see(updateOf(1), updateOf(1, { shieldId: null, peak: 5_000 }));
    expect(registry).toMatchObject({ shields: 1, isEdgeUnderAttack: true, started: 2 });
    expect(registry.reports()).toMatchObject([
      { shield_id: idOf(1) },
      { shield_id: null, peak_per_second: 5_000 },
    ]);
  });

  test("none ends before it began where the clock is set back", () => {
    const { registry, see, setClock } = setUp();
    see(updateOf(1));
    setClock(start - 3_600_000);
    see(updateOf(1, { isOver: true }));
    const started_at = "2030-01-15T12:00:01.000Z";
    expect(registry.reports()).toMatchObject([{ started_at, ended_at: started_at }]);
  });

  test("all have ended for an edge that stops", () => {
    const { registry, see } = setUp();
    see(updateOf(1), updateOf(2));
    registry.close();
    expect(registry.reports().every(({ ended_at }) => ended_at !== null)).toBe(true);
    registry.markDelivered(registry.reports());
    expect(registry.size).toBe(0);
  });

  test("more than a report holds all have their turn", () => {
    const { registry, see } = setUp();
    see(...Array.from({ length: 1_200 }, (_, n) => updateOf(n)));
    const told = new Set<string>();
    for (let report = 0; report < 3; report++) {
      const portion = registry.reports();
      expect(portion.length).toBeLessThanOrEqual(500);
      for (const { id } of portion) told.add(id);
      registry.markDelivered(portion);
    }
    expect(told.size).toBe(1_200);
  });

  test("ends that cannot be delivered cost bounded memory, the oldest are dropped first", () => {
    const { registry, see } = setUp();
    for (let n = 0; n < 5_100; n++) see(updateOf(n), updateOf(n, { isOver: true }));
    expect(registry).toMatchObject({ size: 5_000, dropped: 100 });
    expect(registry.reports()[0]?.shield_id).toBe(idOf(100));
  });
});

describe("the description of an attack", () => {
  const rules = { shieldId: idOf(1), threshold: 5, seconds: 10, antibot: "extreme" } as const;
  const second = start / 1_000;

  test("has the logins of every second, and its peak is the report's", () => {
    const { registry, see } = setUp(() => rules);
    const began = second + 1;
    see(updateOf(1, { second: second + 1, began, logins: [2, 9], peak: 9 }));
    see(updateOf(1, { second: second + 2, began, logins: [2, 12, 4], peak: 12 }));
    const [report] = registry.reports();
    expect(attackReport.parse(report)).toMatchObject({
      peak_per_second: 12,
      detail: {
        threshold: 5,
        course: { from: began - 5, step: 1, logins: [0, 0, 0, 0, 2, 12, 4] },
        levels: [{ level: "extreme", cause: "start" }],
      },
    });
  });

  test("has the datagrams of a flood by the second, beside the logins, and no others", () => {
    const { registry, see } = setUp(() => rules);
    const began = second + 1;
    see(updateOf(1, { second: second + 1, began, logins: [9], datagrams: [30], peak: 9 }));
    const [before] = registry.reports();
    expect(before).not.toHaveProperty("datagrams_peak");
    expect(before?.detail).not.toHaveProperty("datagrams_threshold");
    expect(before?.detail?.course).not.toHaveProperty("datagrams");
    const flood = { logins: [0, 0], peak: 0, datagrams: [5_200, 0], datagramsPeak: 5_200 };
    see(updateOf(1, { second: second + 2, began, ...flood }));
    see(updateOf(1, { second: second + 3, began, logins: [1], datagrams: [4_000], peak: 0 }));
    const [report] = registry.reports();
    expect(attackReport.parse(report)).toMatchObject({
      peak_per_second: 9,
      datagrams_peak: 5_200,
      detail: {
        datagrams_threshold: 1_000,
        course: {
          logins: [0, 0, 0, 0, 0, 9, 0, 1],
          datagrams: [0, 0, 0, 0, 0, 5_200, 0, 4_000],
        },
      },
    });
  });

  test("has no logins while datagrams alone are the attack", () => {
    const { registry, see } = setUp(() => rules);
    const began = second + 1;
    const flood = { logins: [3], peak: 0, datagrams: [5_200], datagramsPeak: 5_200 };
    see(updateOf(1, { second: second + 1, began, ...flood }));
    expect(registry.reports()).toMatchObject([
      {
        peak_per_second: 0,
        datagrams_peak: 5_200,
        detail: { course: { logins: [0, 0, 0, 0, 0, 0] } },
      },
    ]);
  });

  test("names the most frequent sources and shapes of names, also those seen before its first word", () => {
    const { registry, see } = setUp(() => rules);
    const samples = new AttackSamples();
    for (let n = 0; n < 40; n++) {
      samples.note(idOf(1), Uint8Array.of(203, 0, 113, n % 4), `Bot_${1_000 + n}`, n === 0);
    }
    registry.addSamples(structuredClone(samples.takeAll()));
    see(updateOf(1, { second: second + 1, began: second + 1, logins: [40], peak: 40 }));
    see(updateOf(1, { second: second + 2, began: second + 1, isOver: true }));
    const [report] = registry.reports();
    expect(attackReport.parse(report).detail).toMatchObject({
      addresses: Array.from({ length: 4 }, () => ({ logins: 10 })),
      networks: [{ network: "203.0.113.0/24", logins: 40 }],
      names: [{ shape: "Bot_####", logins: 40 }],
    });
    expect(report?.detail?.course.admitted.reduce((sum, one) => sum + one, 0)).toBe(1);
  });

  test("tells when the level was relaxed, changed by the owner, and set back", () => {
    let antibot: AntibotLevel = "extreme";
    const { registry, see } = setUp(() => ({ ...rules, antibot }));
    see(updateOf(1));
    see(updateOf(1, { relaxedTo: "high" }));
    antibot = "medium";
    see(updateOf(1));
    see(updateOf(1, { relaxedTo: "low" }));
    see(updateOf(1, { isOver: true }));
    expect(registry.reports()[0]?.detail?.levels).toEqual([
      { at: "2030-01-15T12:00:01.000Z", level: "extreme", cause: "start" },
      { at: "2030-01-15T12:00:02.000Z", level: "high", cause: "relaxed" },
      { at: "2030-01-15T12:00:03.000Z", level: "medium", cause: "owner" },
      { at: "2030-01-15T12:00:04.000Z", level: "low", cause: "relaxed" },
      { at: "2030-01-15T12:00:05.000Z", level: "medium", cause: "end" },
    ]);
  });

  test("is kept for the latest 200 of the attacks whose end cannot be delivered", () => {
    const { registry, see } = setUp((shieldId) => ({ ...rules, shieldId }));
    for (let n = 0; n < 250; n++) see(updateOf(n), updateOf(n, { isOver: true }));
    const told: (string | null)[] = [];
    while (registry.size > 0) {
      const portion = registry.reports();
      for (const { shield_id, detail } of portion) if (detail !== undefined) told.push(shield_id);
      registry.markDelivered(portion);
    }
    expect(told).toEqual(Array.from({ length: 200 }, (_, n) => idOf(50 + n)));
  });

  test("is kept for a limited number of running attacks, and reports stay small", () => {
    const { registry, see } = setUp((shieldId) => ({ ...rules, shieldId }));
    see(...Array.from({ length: 300 }, (_, n) => updateOf(n)));
    expect(registry.reports().filter(({ detail }) => detail !== undefined)).toHaveLength(64);
  });
});
