import {
  type AttackCourse,
  type AttackDetail,
  attackCourse,
} from "@palisade/contract/edge/attack-detail";
import { describe, expect, test } from "vitest";
import { mergeDetails, type PartDetail, peaksOf } from "./merge-details.ts";

const from = 1_700_000_040;

function partOf(course: Partial<AttackCourse>, changes: Partial<AttackDetail> = {}): PartDetail {
  const { peaks = [], logins = peaks } = course;
  const admitted = course.admitted ?? logins.map(() => 0);
  return {
    startedAt: new Date((course.from ?? from) * 1_000),
    endedAt: null,
    detail: {
      threshold: 10,
      course: { from, step: 1, ...course, peaks, logins, admitted },
      levels: [],
      addresses: [],
      networks: [],
      names: [],
      ...changes,
    },
  };
}

describe("the course over edges", () => {
  test("adds up the datagrams of the same seconds, and has none where no edge was flooded", () => {
    const flooded = [
      partOf({ peaks: [0, 3], datagrams: [6_000, 0] }, { datagrams_threshold: 5_000 }),
      partOf({ peaks: [1, 1], datagrams: [1_000, 9_000] }, { datagrams_threshold: 5_000 }),
    ];
    const merged = mergeDetails([...flooded, partOf({ peaks: [2, 2] })]);
    expect(merged).toMatchObject({
      datagramsThreshold: 5_000,
      course: { peaks: [3, 6], datagrams: [7_000, 9_000] },
    });
    expect(merged && peaksOf(merged.course)).toEqual({ logins: 6, datagrams: 9_000 });
    const quiet = mergeDetails([partOf({ peaks: [2, 2] })]);
    expect(quiet?.datagramsThreshold).toBeNull();
    expect(quiet?.course).not.toHaveProperty("datagrams");
  });

  test("adds up the same seconds, so that peaks of different seconds are not one peak", () => {
    const merged = mergeDetails([
      partOf({ peaks: [50, 1, 1] }),
      partOf({ from: from + 1, peaks: [2, 40] }),
    ]);
    expect(merged?.course).toMatchObject({ from, step: 1, peaks: [50, 3, 41] });
    expect(merged && peaksOf(merged.course).logins).toBe(50);
  });

  test("takes the widest step; within an edge a wider point has its highest second", () => {
    const merged = mergeDetails([
      partOf({ peaks: Array.from({ length: 20 }, (_, n) => n) }),
      partOf({ step: 10, peaks: [100, 7], logins: [300, 30] }),
    ]);
    expect(merged?.course).toMatchObject({ from, step: 10, peaks: [109, 26], logins: [345, 175] });
  });

  test("stays within 300 points when edges were attacked at different times", () => {
    const merged = mergeDetails([
      partOf({ peaks: [5] }),
      partOf({ from: from + 4_000, peaks: [9] }),
    ]);
    expect(merged?.course.step).toBe(60);
    expect(merged?.course.peaks.length).toBeLessThanOrEqual(300);
    expect(merged && peaksOf(merged.course).logins).toBe(9);
  });

  test("leaves out what an edge tells of a time to come", () => {
    const later = Math.ceil(Date.now() / 3_600_000) * 3_600 + 3_600_000;
    const parts = [
      partOf({ peaks: [5] }),
      { ...partOf({ from: later, step: 3_600, peaks: [900] }), startedAt: new Date(from * 1_000) },
    ];
    const merged = mergeDetails(parts);
    expect(merged && peaksOf(merged.course).logins).toBe(5);
    expect(mergeDetails(parts.slice(1))?.course.peaks).toEqual([]);
    expect(attackCourse.safeParse({ ...parts[0]?.detail.course, from: 1e13 }).success).toBe(false);
  });

  test("leaves out the time of a part that belongs to another attack", () => {
    const peaks = Array.from({ length: 200 }, (_, n) => (n === 0 ? 900 : 20));
    const part = partOf({ peaks });
    const second = { ...part, startedAt: new Date((from + 150) * 1_000) };
    const merged = mergeDetails([second]);
    expect(merged && peaksOf(merged.course).logins).toBe(20);
    expect(merged?.course.from).toBe(from + 120);
  });

  test("is empty where no edge has told a point", () => {
    expect(mergeDetails([])).toBeUndefined();
    expect(mergeDetails([partOf({ peaks: [] })])?.course.peaks).toEqual([]);
  });
});

test("sources of several edges are added up, the most frequent first", () => {
  const one = { address: "203.0.113.7", logins: 5 };
  const merged = mergeDetails([
    partOf({ peaks: [1] }, { addresses: [one, { address: "203.0.113.8", logins: 9 }] }),
    partOf({ peaks: [1] }, { addresses: [{ ...one, logins: 6 }] }),
  ]);
  expect(merged?.addresses).toEqual([
    { address: "203.0.113.7", logins: 11 },
    { address: "203.0.113.8", logins: 9 },
  ]);
});

test("logins of each edition are added up over the edges that tell them", () => {
  const parts = [
    partOf({ peaks: [1] }, { editions: { java: 3, bedrock: 40 } }),
    partOf({ peaks: [1] }, { editions: { java: 0, bedrock: 2 } }),
    partOf({ peaks: [1] }),
  ];
  expect(mergeDetails(parts)?.editions).toEqual({ java: 3, bedrock: 42 });
  expect(mergeDetails(parts.slice(2))?.editions).toBeNull();
});

test("a change of the level that all edges tell is one change", () => {
  const at = (seconds: number) => new Date((from + seconds) * 1_000).toISOString();
  const levels = (seconds: number): AttackDetail["levels"] => [
    { at: at(seconds), level: "extreme", cause: "start" },
    { at: at(seconds + 30), level: "medium", cause: "owner" },
  ];
  const merged = mergeDetails([
    partOf({ peaks: [1] }, { levels: levels(0) }),
    partOf({ peaks: [1] }, { levels: levels(2) }),
  ]);
  expect(merged?.levels.map(({ cause }) => cause)).toEqual(["start", "owner"]);
});
