import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { noSlot, VerificationSlots } from "./verification-slots.ts";

const limits = { atOnceMax: 4, perShieldMax: 3, silentMs: 1_000, readingMs: 20_000 };

/** A player's slot. */
interface Seat {
  asked(nowMs: number): void;
  reading(nowMs: number): void;
  working(): void;
  leave(): void;
}

function seatIn(
  room: VerificationSlots,
  shield: string,
  nowMs: number,
  makeRoom: () => void,
): Seat | undefined {
  const slot = room.enter(shield, nowMs, { makeRoom });
  if (slot === noSlot) return undefined;
  return {
    asked: (atMs) => room.asked(slot, atMs),
    reading: (atMs) => room.reading(slot, atMs),
    working: () => room.working(slot),
    leave: () => room.leave(slot),
  };
}

function roomOf() {
  const room = new VerificationSlots(limits);
  const gone: string[] = [];
  const enter = (name: string, shield: string, nowMs: number): Seat | undefined => {
    const seat = seatIn(room, shield, nowMs, () => {
      gone.push(name);
      seat?.leave();
    });
    return seat;
  };
  return { room, gone, enter };
}

describe("room for verifications", () => {
  test("if all slots are taken, a new player is turned away unless another has been silent for long", () => {
    const { gone, enter } = roomOf();
    for (const name of ["a", "b", "c"]) expect(enter(name, "one", 0)).toBeDefined();
    expect(enter("d", "one", 999)).toBeUndefined();
    expect(gone).toEqual([]);
  });

  test("the player who has not answered for the longest makes room, however many answers they gave before", () => {
    const { gone, enter } = roomOf();
    const answers = enter("answers", "one", 0);
    enter("silent", "one", 1);
    const stops = enter("stops half-way", "one", 2);
    stops?.asked(3);
    answers?.asked(1_000);
    expect(enter("new", "one", 1_003)).toBeDefined();
    expect(enter("newer", "one", 1_003)).toBeDefined();
    expect(enter("newest", "one", 1_003)).toBeUndefined();
    expect(gone).toEqual(["silent", "stops half-way"]);
  });

  test("no player loses the slot while they wait for the edge", () => {
    const { gone, enter } = roomOf();
    for (const name of ["a", "b", "c"]) enter(name, "one", 0)?.working();
    expect(enter("d", "one", 60_000)).toBeUndefined();
    expect(gone).toEqual([]);
  });

  test("players who read a captcha keep their slots for longer, and make room after all others", () => {
    const { gone, enter } = roomOf();
    enter("reads", "one", 0)?.reading(0);
    enter("reads, too", "one", 0)?.reading(1);
    enter("silent", "one", 19_000);
    expect(enter("new", "one", 20_500)).toBeDefined();
    expect(gone).toEqual(["silent"]);
    expect(enter("newer", "one", 20_500)).toBeDefined();
    expect(gone).toEqual(["silent", "reads"]);
    const { gone: none, enter: enterAgain } = roomOf();
    for (const name of ["a", "b", "c"]) enterAgain(name, "one", 0)?.reading(0);
    expect(enterAgain("d", "one", 19_999)).toBeUndefined();
    expect(none).toEqual([]);
  });

  test("one shield's attack leaves room for the others", () => {
    const { enter } = roomOf();
    for (const name of ["a", "b", "c", "d"]) enter(name, "one", 0);
    expect(enter("e", "two", 0)).toBeDefined();
  });

  test("more players than there were ever before keep their slots and their order", () => {
    const many = { ...limits, atOnceMax: 3_000, perShieldMax: 3_000 };
    const room = new VerificationSlots(many);
    const gone: number[] = [];
    const seats: (Seat | undefined)[] = [];
    for (let n = 0; n < 3_000; n++) {
      const leave = (): void => {
        gone.push(n);
        seats[n]?.leave();
      };
      seats.push(seatIn(room, "one", n, leave));
    }
    expect(room.seated).toBe(3_000);
    seats[0]?.asked(3_000);
    for (let n = 0; n < 3; n++) expect(seatIn(room, "one", 4_500, () => undefined)).toBeDefined();
    expect(gone).toEqual([1, 2, 3]);
  });

  test("counts stay right however players come, answer and go", () => {
    const step = fc.tuple(
      fc.constantFrom("enter", "asked", "reading", "working", "leave"),
      fc.nat(9),
      fc.nat(2),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const room = new VerificationSlots(limits);
        const seated = new Map<number, Seat>();
        for (const [nowS, [what, who, shield]] of steps.entries()) {
          const seat = seated.get(who);
          if (what === "asked") seat?.asked(nowS * 300);
          else if (what === "reading") seat?.reading(nowS * 300);
          else if (what === "working") seat?.working();
          else if (what === "leave") {
            seat?.leave();
            seated.delete(who);
          } else if (seat === undefined) {
            const taken = seatIn(room, String(shield), nowS * 300, () => {
              seated.get(who)?.leave();
              seated.delete(who);
            });
            if (taken !== undefined) seated.set(who, taken);
          }
          expect(room.seated).toBe(seated.size);
          expect(room.seated).toBeLessThanOrEqual(limits.atOnceMax);
        }
        for (const seat of seated.values()) seat.leave();
        expect(room.seated).toBe(0);
      }),
    );
  });
});
