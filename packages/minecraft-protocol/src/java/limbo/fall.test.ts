import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readFrame } from "../frame.ts";
import { decodePlayPacket } from "../play.ts";
import { knownReleases } from "../versions.ts";
import { Fall, type FallVerdict, type Floor, ticksToFall } from "./fall.ts";
import { decodeMovement, type Movement } from "./movement.ts";
import { arrival } from "./place.ts";
import { recordedFalls } from "./recorded-falls.ts";

const teleportId = 77;

function movementOf(protocol: number, bytes: Buffer): Movement | undefined {
  const frame = readFrame(bytes, 0, 0xffff);
  if (frame.kind !== "packet") throw new Error(frame.kind);
  return decodeMovement(protocol, frame.id, bytes, frame.bodyStart, frame.bodyEnd);
}

describe.each(recordedFalls)("$version:", ({ protocol, frames }) => {
  const sent = frames.map((text) => Buffer.from(text, "hex"));

  test("a real client identifies itself and falls, and each of its packets is known", () => {
    const fall = new Fall(arrival, undefined);
    const verdicts: FallVerdict[] = [];
    const others: string[] = [];
    for (const bytes of sent) {
      const movement = movementOf(protocol, bytes);
      if (movement !== undefined) {
        if (isStep(movement)) verdicts.push(fall.accept(movement));
        continue;
      }
      const frame = readFrame(bytes, 0, 0xffff);
      if (frame.kind !== "packet") throw new Error(frame.kind);
      const { id, bodyStart, bodyEnd } = frame;
      others.push(decodePlayPacket(protocol, id, bytes, bodyStart, bodyEnd).kind);
    }
    expect(fall.ticks).toBe(8);
    expect(new Set(verdicts)).toEqual(new Set(["falling"]));
    expect(others.toSorted()).toEqual(["brand", "client-information"]);
  });

  test("from 1.9 on it confirms its position", () => {
    const confirmed = sent.some((bytes) => {
      const movement = movementOf(protocol, bytes);
      return movement?.kind === "teleport-confirmed" && movement.teleportId === teleportId;
    });
    expect(confirmed).toBe(protocol !== 47);
  });

  test("a movement packet that is too short or too long is malformed", () => {
    for (const bytes of sent) {
      if (movementOf(protocol, bytes) === undefined) continue;
      const id = bytes[1] ?? 0;
      for (let cut = 2; cut < bytes.length; cut++) {
        const movement = decodeMovement(protocol, id, bytes, 2, cut);
        expect(movement).toEqual({ kind: "malformed" });
      }
      const longer = Buffer.concat([bytes, Buffer.of(0)]);
      expect(decodeMovement(protocol, id, longer, 2, longer.length)).toEqual({ kind: "malformed" });
    }
  });
});

type Step = Extract<Movement, { kind: "moved" | "stood" }>;

function isStep(movement: Movement): movement is Step {
  return movement.kind === "moved" || movement.kind === "stood";
}

const noFlags = { onGround: false, againstWall: false };
const floor: Floor = { y: 100, minX: 0, maxX: 16, minZ: 0, maxZ: 16 };

/** Places of a player who falls from there, tick by tick; the first one is still. */
function fallFrom(y: number, ticks: number, at = { x: 8, z: 8 }): Step[] {
  const steps: Step[] = [{ kind: "moved", ...at, y, ...noFlags }];
  let [height, speed] = [y, 0];
  for (let n = 0; n < ticks; n++) {
    speed = (speed + 0.08) * 0.98;
    height -= speed;
    steps.push({ kind: "moved", ...at, y: height, ...noFlags });
  }
  return steps;
}

function verdictsOf(steps: readonly Step[], from = steps[0], below?: Floor): FallVerdict[] {
  if (from?.kind !== "moved") throw new Error("no place");
  const fall = new Fall(from, below);
  return steps.map((step) => fall.accept(step));
}

describe("a fall", () => {
  test("is recognised wherever the player moves", () => {
    const drifting = fallFrom(250, 12).map((step, tick) =>
      step.kind === "moved" ? { ...step, x: step.x + tick / 10 } : step,
    );
    expect(new Set(verdictsOf(drifting))).toEqual(new Set(["falling"]));
  });

  test("is not hovering, sinking steadily, skipping a tick, standing on air or not a number", () => {
    const start = fallFrom(250, 0);
    const at = (y: number): Extract<Step, { kind: "moved" }> => ({
      kind: "moved",
      x: 8,
      y,
      z: 8,
      ...noFlags,
    });
    const cases: readonly (readonly Step[])[] = [
      [...fallFrom(250, 3), ...fallFrom(250, 3).slice(-1)],
      [...start, ...Array.from({ length: 9 }, (_, tick) => at(250 - tick * 0.0784))],
      fallFrom(250, 9).filter((_, tick) => tick !== 5),
      fallFrom(250, 9).map((step, tick) => (tick === 6 ? { ...step, onGround: true } : step)),
      [...start, at(Number.NaN)],
      [...start, at(Number.NEGATIVE_INFINITY)],
      [...start, { ...at(249.9216), x: Number.NaN }],
      [...start, { ...at(249.9216), x: 10 }],
      [...start, { kind: "stood", onGround: true, againstWall: false }],
    ];
    for (const steps of cases) {
      expect(verdictsOf(steps).some((verdict) => verdict.startsWith("no-"))).toBe(true);
    }
  });

  test("ends on the floor in the tick in which it is reached, at exactly its height", () => {
    for (const above of [0.5, 1, 2.37, 5, 9.99, 24]) {
      const ticks = ticksToFall(above);
      const steps = fallFrom(floor.y + above, ticks);
      const landing: Step = { kind: "moved", x: 8, y: floor.y, z: 8, ...noFlags, onGround: true };
      const landed = [...steps.slice(0, -1), landing];
      expect(verdictsOf(landed, landed[0], floor).at(-1)).toBe("landed");
      expect(verdictsOf(steps, steps[0], floor).at(-1)).toBe("no-landing");
      const late = [...steps.slice(0, -1), { ...landing, y: floor.y - 0.01 }];
      expect(verdictsOf(late, late[0], floor).at(-1)).toBe("no-landing");
      const silent = [...steps.slice(0, -1), { ...landing, onGround: false }];
      expect(verdictsOf(silent, silent[0], floor).at(-1)).toBe("no-fall");
      const early = [...steps.slice(0, -2), landing];
      expect(verdictsOf(early, early[0], floor).at(-1)).toBe("no-landing");
    }
  });

  test("a last tick too short to be told as a move is told by standing alone", () => {
    const steps = fallFrom(floor.y + ticksAbove(8) + 0.02, 8);
    const stands: Step = { kind: "stood", onGround: true, againstWall: false };
    expect(verdictsOf([...steps, stands], steps[0], floor).at(-1)).toBe("landed");
    const higher = fallFrom(floor.y + ticksAbove(8) + 0.2, 8);
    expect(verdictsOf([...higher, stands], higher[0], floor).at(-1)).toBe("no-landing");
  });

  test("goes on beside the floor, and either way where a part of the player is above its edge", () => {
    const beside = fallFrom(floor.y + 3, 12, { x: 17, z: 8 });
    expect(new Set(verdictsOf(beside, beside[0], floor))).toEqual(new Set(["falling"]));
    const edge = fallFrom(floor.y + 3, 12, { x: 16.3, z: 8 });
    expect(new Set(verdictsOf(edge, edge[0], floor))).toEqual(new Set(["falling"]));
    const partly = fallFrom(floor.y + 3, 12, { x: 16.2, z: 8 });
    expect(verdictsOf(partly, partly[0], floor)).toContain("no-landing");
  });

  test("hostile bytes of any version never throw", () => {
    const bytes = fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array));
    const protocols = fc.constantFrom(...knownReleases.map(({ protocol }) => protocol), -1);
    fc.assert(
      fc.property(bytes, protocols, fc.integer({ min: -1, max: 0x20 }), (packet, protocol, id) => {
        const movement = decodeMovement(protocol, id, packet, 0, packet.length);
        if (movement !== undefined && isStep(movement)) new Fall(arrival, floor).accept(movement);
      }),
      { numRuns: 1000 },
    );
  });
});

/** Blocks that a player falls in so many ticks. */
function ticksAbove(ticks: number): number {
  const last = fallFrom(0, ticks).at(-1);
  return last?.kind === "moved" ? -last.y : 0;
}
