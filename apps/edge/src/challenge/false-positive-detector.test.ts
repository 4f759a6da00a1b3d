import { describe, expect, test } from "vitest";
import {
  FalsePositiveDetector,
  regularsFailedMax,
  type DetectionRound,
  failureWindowMs,
} from "./false-positive-detector.ts";

const startMs = 1_800_000_000_000;

const round: DetectionRound = { shield: new Uint8Array(16).fill(1), attack: 0 };

function create(): FalsePositiveDetector {
  return new FalsePositiveDetector(FalsePositiveDetector.allocate(new Uint8Array(8), 1_024));
}

function player(n: number, ip = Uint8Array.of(203, 0, n, 7)) {
  return { name: `Player${n}`, ip };
}

function failAll(
  detector: FalsePositiveDetector,
  count: number,
  changes: Partial<DetectionRound> = {},
) {
  return Array.from({ length: count }, (_, n) =>
    detector.failed({ ...round, ...changes }, player(n), startMs + n),
  );
}

const justNow = [...Array.from({ length: regularsFailedMax - 1 }, () => false), true];

describe("detector from false positives", () => {
  test("regulars who fail in numbers relax the level, and it is said once", () => {
    const detector = create();
    expect(failAll(detector, regularsFailedMax)).toEqual(justNow);
    expect(failAll(detector, regularsFailedMax)).not.toContain(true);
  });

  test("another shield and the next attack count anew", () => {
    const detector = create();
    failAll(detector, regularsFailedMax);
    const another = Uint8Array.from(round.shield).fill(2, 15);
    for (const other of [{ shield: another }, { attack: 1 }]) {
      expect(failAll(detector, regularsFailedMax, other)).toEqual(justNow);
    }
  });

  test.each([
    ["one regular who fails again and again", () => player(1)],
    ["one name from many networks", (n: number) => ({ ...player(1), ip: player(n).ip })],
    ["many names of one /24", (n: number) => player(n, Uint8Array.of(203, 0, 113, n))],
    [
      "many names of one /48",
      (n: number) =>
        player(n, Uint8Array.of(0x20, 1, 0xd, 0xb8, 0, 1, n, n, 0, 0, 0, 0, 0, 0, 0, 1)),
    ],
  ])("%s relax nothing", (_name, each) => {
    const detector = create();
    const said = Array.from({ length: 50 }, (_, n) => detector.failed(round, each(n), startMs + n));
    expect(said).not.toContain(true);
  });

  test("failures that lie further apart than the window relax nothing", () => {
    const detector = create();
    const said = Array.from({ length: 50 }, (_, n) =>
      detector.failed(round, player(n), startMs + n * failureWindowMs),
    );
    expect(said).not.toContain(true);
  });
});
