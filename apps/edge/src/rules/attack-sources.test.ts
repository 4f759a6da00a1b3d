import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AttackCourse } from "./attack-course.ts";
import { AttackSources, attackSizes } from "./attack-sources.ts";
import { FrequentItems } from "./frequent-items.ts";
import { nameShape } from "./name-shape.ts";

describe("frequent items", () => {
  test("stay within their size under a million different keys and keep the frequent ones", () => {
    const items = new FrequentItems<number>(1_024);
    let largest = 0;
    for (let n = 0; n < 1_000_000; n++) {
      items.add(1_000 + n);
      if (n % 50 === 0) items.add(7);
      largest = Math.max(largest, items.size);
    }
    expect(largest).toBeLessThanOrEqual(1_024);
    const [[key, count] = [0, 0]] = items.top(1);
    expect(key).toBe(7);
    expect(count).toBeLessThanOrEqual(20_000);
    expect(count).toBeGreaterThanOrEqual(20_000 - (items.total * 2) / 1_024);
  });

  test("never count more than there was, and are exact while there is room", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(60), { maxLength: 400 }),
        fc.integer({ min: 4, max: 80 }),
        (keys, capacity) => {
          const items = new FrequentItems<number>(capacity);
          const exact = new Map<number, number>();
          for (const key of keys) {
            items.add(key);
            exact.set(key, (exact.get(key) ?? 0) + 1);
          }
          expect(items.size).toBeLessThanOrEqual(capacity);
          for (const [key, count] of items.entries()) {
            expect(count).toBeLessThanOrEqual(exact.get(key) ?? 0);
          }
          if (exact.size <= capacity) expect(new Map(items.entries())).toEqual(exact);
        },
      ),
    );
  });
});

describe("sources of an attack", () => {
  test("are IPv4 addresses, and networks of /24 and /64, the most frequent first", () => {
    const sources = new AttackSources(attackSizes);
    for (let n = 0; n < 6; n++) sources.note(Uint8Array.of(203, 0, 113, n % 2), "Bot_12");
    const six = Uint8Array.of(0x20, 1, 0xd, 0xb8, 0, 1, 0, 2, 9, 9, 9, 9, 9, 9, 9, 9);
    for (let n = 0; n < 4; n++) sources.note(six, "Bot_34");
    expect(sources.report()).toEqual({
      addresses: [
        { address: "203.0.113.0", logins: 3 },
        { address: "203.0.113.1", logins: 3 },
      ],
      networks: [
        { network: "203.0.113.0/24", logins: 6 },
        { network: "2001:db8:1:2:0:0:0:0/64", logins: 4 },
      ],
      names: [{ shape: "Bot_##", logins: 10 }],
    });
  });

  test("have no name that cannot be printed", () => {
    const sources = new AttackSources(attackSizes);
    for (let n = 0; n < 9; n++) sources.note(Uint8Array.of(203, 0, 113, 1), "\u0000evil\u202e");
    expect(sources.report().names).toEqual([]);
  });
});

test.each([
  ["Bot_0042", "Bot_####"],
  ["Steve", "Steve"],
  ["12", "##"],
  ["a1b2c", "a#b#c"],
])("the shape of %s is %s", (name, shape) => {
  expect(nameShape(name)).toBe(shape);
});

describe("the course of an attack", () => {
  test("keeps all logins and the peak in at most 300 points, however long it lasts", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(40_000), fc.nat(500)), { minLength: 1, maxLength: 60 }),
        (seconds) => {
          const from = 1_700_000_003;
          const course = new AttackCourse(from);
          let at = from;
          let all = 0;
          for (const [pause, logins] of seconds) {
            at += pause;
            course.set(at, logins);
            all += logins;
            at += 1;
          }
          const told = course.report();
          expect(told.logins.length).toBeLessThanOrEqual(300);
          expect(told.from % told.step).toBe(0);
          expect(told.logins.reduce((sum, one) => sum + one, 0)).toBe(all);
          expect(Math.max(0, ...told.peaks)).toBe(Math.max(...seconds.map(([, logins]) => logins)));
        },
      ),
    );
  });

  test("takes a second's newest number, not their sum", () => {
    const course = new AttackCourse(100);
    course.set(100, 5);
    course.set(100, 8);
    course.set(100, 7);
    expect(course.report()).toMatchObject({ logins: [8], peaks: [8] });
  });
});
