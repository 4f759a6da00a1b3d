import fc from "fast-check";
import { expect, test } from "vitest";
import { AttackMerger, quietSeconds, type KnownAttack, type Span } from "./attack-merger.ts";

const shields = ["one", "two", null];

/** Seconds of some hour. */
const at = (second: number) => new Date(1_900_000_000_000 + second * 1_000);

const spans = fc.array(
  fc.record({
    shieldId: fc.constantFrom(...shields),
    from: fc.nat(1_000),
    forSeconds: fc.option(fc.nat(200)),
  }),
  { minLength: 1, maxLength: 30 },
);

function serial(): () => string {
  let count = 0;
  return () => `attack ${++count}`;
}

test("whatever is told, of each shield at most one attack is not over, and none that lasts is", () => {
  fc.assert(
    fc.property(spans, (told) => {
      const near = new AttackMerger([], serial());
      const placed = told.map(({ shieldId, from, forSeconds }) => {
        const endedAt = forSeconds === null ? null : at(from + forSeconds);
        const span: Span = { startedAt: at(from), endedAt };
        return { shieldId, span, id: near.attackOf(shieldId, span) };
      });
      for (const shieldId of shields) {
        const own = near.begun.filter((attack) => attack.shieldId === shieldId);
        expect(own.filter(({ isOver }) => !isOver).length).toBeLessThanOrEqual(1);
      }
      for (const attack of near.begun) {
        const parts = placed.filter(({ id }) => id === attack.id);
        expect(parts.every(({ shieldId }) => shieldId === attack.shieldId)).toBe(true);
        const starts = parts.map(({ span }) => span.startedAt.getTime());
        expect(attack.startedAt.getTime()).toBe(Math.min(...starts));
        const isLasting = parts.some(({ span }) => span.endedAt === null);
        expect(attack.endedAt === null).toBe(isLasting);
        if (isLasting) expect(attack.isOver).toBe(false);
      }
    }),
  );
});

test.each([
  ["lasts", { isOver: false, endedAt: null }, { from: 500, to: 510 }, true],
  ["has just ended", { isOver: false, endedAt: at(100) }, { from: 100 + quietSeconds }, true],
  ["has rested", { isOver: false, endedAt: at(100) }, { from: 101 + quietSeconds }, false],
  ["is over", { isOver: true, endedAt: at(100) }, { from: 90 }, false],
  ["is over, and longer", { isOver: true, endedAt: at(100) }, { from: 90, to: 130 }, true],
  ["is over, and before", { isOver: true, endedAt: at(100) }, { from: 101, to: 130 }, false],
] as const)(
  "whether another is part of an attack that %s",
  (_, state, { from, ...rest }, isSame) => {
    const known: KnownAttack = { id: "known", shieldId: "one", startedAt: at(50), ...state };
    const near = new AttackMerger([known], serial());
    const endedAt = "to" in rest ? at(rest.to) : null;
    expect(near.attackOf("one", { startedAt: at(from), endedAt })).toBe(
      isSame ? "known" : "attack 1",
    );
    expect(near.over).toEqual(isSame || known.isOver ? [] : ["known"]);
  },
);
