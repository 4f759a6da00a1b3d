import { readFile } from "node:fs/promises";
import { antibotLevels, suspicionSignals } from "@palisade/contract/edge/plain-values";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Challenge, challenges } from "./shared/verified-players.ts";
import {
  noSignals,
  raisedBy,
  scoreOf,
  signalOf,
  signalPoints,
  signalsIn,
  suspicionOf,
} from "./suspicion.ts";

const anySignals = fc.integer({ min: 0, max: 2 ** suspicionSignals.length - 1 });
const askAll = (): boolean => true;
const grades: readonly (Challenge | undefined)[] = [undefined, ...challenges];

function setOf(...names: (typeof suspicionSignals)[number][]): number {
  return names.reduce((set, name) => set | signalOf(name), noSignals);
}

describe("the score", () => {
  test("has a bit of its own for each signal", () => {
    const bits = suspicionSignals.map(signalOf);
    expect(new Set(bits).size).toBe(suspicionSignals.length);
    expect(bits.every((bit) => bit > 0)).toBe(true);
  });

  test("is at least 0 and at most 100, and no signal makes it less", () => {
    fc.assert(
      fc.property(anySignals, fc.constantFrom(...suspicionSignals), (signals, more) => {
        const score = scoreOf(signals);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(scoreOf(signals | signalOf(more))).toBeGreaterThanOrEqual(score);
        expect(scoreOf(signals | signalOf(more))).toBeLessThanOrEqual(100);
      }),
    );
  });

  test("is the sum of its parts, up to 100, and can be read back from them", () => {
    fc.assert(
      fc.property(anySignals, (signals) => {
        const { score, parts } = suspicionOf(signals);
        const sum = Object.values(parts).reduce((total, points) => total + points, 0);
        expect(score).toBe(Math.min(100, sum));
        expect(signalsIn(parts)).toBe(signals);
      }),
    );
  });

  test("ignores parts of a later edge that are not known here", () => {
    expect(signalsIn({ no_ping: 15, phase_of_the_moon: 30 })).toBe(signalOf("no_ping"));
  });

  test.each([
    ["direct connect through a VPN", setOf("no_ping", "anonymous_network")],
    ["a first player of a version and a country", setOf("unusual_version", "unusual_country")],
    ["an offline account with a slow line", setOf("no_key", "late_login", "split_packet")],
    ["a snapshot and no ping", setOf("unknown_version", "no_ping")],
  ])("of %s asks for nothing", (_, signals) => {
    expect(scoreOf(signals)).toBeLessThan(40);
  });
});

describe("suspicion", () => {
  test.each([
    ["medium", undefined, setOf("no_ping"), undefined],
    ["medium", undefined, setOf("source_failed"), "protocol"],
    ["medium", undefined, setOf("source_failed", "tool_name"), "gravity"],
    ["high", "gravity", setOf("early_bytes"), "captcha"],
    ["high", "gravity", setOf("early_bytes", "source_failed"), "captcha"],
    ["extreme", "captcha", setOf("early_bytes"), "captcha"],
    ["extreme", "gravity", setOf("no_ping"), "gravity"],
    ["high", "premium", setOf("early_bytes"), "premium"],
    ["low", undefined, setOf("early_bytes", "source_failed"), undefined],
    ["disabled", undefined, setOf("early_bytes", "source_failed"), undefined],
  ] as const)("at %s makes of %s, with signals %i: %s", (level, asked, signals, raised) => {
    expect(raisedBy(signals, asked, level, askAll)).toBe(raised);
  });

  test("never asks for less, for an account, or for what the client cannot be asked", () => {
    const level = fc.constantFrom(...antibotLevels);
    const able = fc.subarray([...challenges]);
    fc.assert(
      fc.property(
        anySignals,
        level,
        fc.constantFrom(...grades),
        able,
        (signals, at, asked, can) => {
          const raised = raisedBy(signals, asked, at, (challenge) => can.includes(challenge));
          expect(grades.indexOf(raised)).toBeGreaterThanOrEqual(grades.indexOf(asked));
          if (raised === asked || raised === undefined) return;
          expect(raised).not.toBe("premium");
          expect(can).toContain(raised);
        },
      ),
    );
  });

  test("never asks for less because of one signal more", () => {
    fc.assert(
      fc.property(anySignals, fc.constantFrom(...suspicionSignals), (signals, more) => {
        const before = raisedBy(signals, undefined, "medium", askAll);
        const after = raisedBy(signals | signalOf(more), undefined, "medium", askAll);
        expect(grades.indexOf(after)).toBeGreaterThanOrEqual(grades.indexOf(before));
      }),
    );
  });

  test("has the signals and points that the owners' page describes", async () => {
    const page = await readFile(new URL("../../../docs/mitigation.md", import.meta.url), "utf8");
    const rows = page.matchAll(/^\| `([a-z_]+)` +\| (\d+) +\|/gm);
    const described = [...rows].map(([, name = "", points]) => [name, Number(points)]);
    expect(Object.fromEntries(described)).toEqual(signalPoints);
  });
});
