import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readFrame } from "../frame.ts";
import { decodePlayPacket } from "../play.ts";
import { knownReleases } from "../versions.ts";
import { FallCheck, type FallVerdict } from "./fall-check.ts";
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
    const check = new FallCheck();
    const verdicts: FallVerdict[] = [];
    const others: string[] = [];
    for (const bytes of sent) {
      const movement = movementOf(protocol, bytes);
      if (movement !== undefined) {
        verdicts.push(check.accept(movement));
        continue;
      }
      const frame = readFrame(bytes, 0, 0xffff);
      if (frame.kind !== "packet") throw new Error(frame.kind);
      const { id, bodyStart, bodyEnd } = frame;
      others.push(decodePlayPacket(protocol, id, bytes, bodyStart, bodyEnd).kind);
    }
    expect(verdicts.pop()).toBe("fell");
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

describe("a fall", () => {
  const moved = (y: number, onGround = false): Movement => ({
    kind: "moved",
    ...arrival,
    y,
    onGround,
  });
  /** Heights of the first ticks, the first one still. */
  const heights = [arrival.y, arrival.y];
  for (let speed = 0; heights.length < 12;) {
    speed = (speed + 0.08) * 0.98;
    heights.push((heights.at(-1) ?? 0) - speed);
  }
  const verdictsOf = (movements: readonly Movement[]): FallVerdict[] => {
    const check = new FallCheck();
    return movements.map((movement) => check.accept(movement));
  };

  test("is recognised after eight ticks, wherever the player moves", () => {
    const drifting = heights.map((y, tick): Movement => ({
      kind: "moved",
      x: arrival.x + (tick > 1 ? tick / 10 : 0),
      y,
      z: arrival.z,
      onGround: false,
    }));
    expect(verdictsOf(drifting).indexOf("fell")).toBe(9);
    expect(verdictsOf(drifting.slice(0, 9))).not.toContain("fell");
  });

  test("is not hovering, sinking steadily, skipping a tick, standing on air or not a number", () => {
    const cases: readonly (readonly Movement[])[] = [
      [moved(arrival.y), ...Array.from({ length: 200 }, () => moved(arrival.y))],
      [
        moved(arrival.y),
        ...Array.from({ length: 9 }, (_, tick) => moved(arrival.y - tick * 0.0784)),
      ],
      heights.filter((_, tick) => tick !== 5).map((y) => moved(y)),
      heights.map((y, tick) => moved(y, tick === 6)),
      [moved(arrival.y), moved(Number.NaN)],
      [moved(arrival.y), moved(Number.NEGATIVE_INFINITY)],
      [moved(arrival.y), { kind: "stood", onGround: true }],
      [moved(arrival.y), { kind: "malformed" }],
    ];
    for (const movements of cases) {
      const verdicts = verdictsOf(movements);
      expect(verdicts).toContain("wrong");
      expect(verdicts.slice(0, verdicts.indexOf("wrong"))).not.toContain("fell");
    }
  });

  test("that never begins ends after a bounded number of packets", () => {
    const elsewhere = Array.from({ length: 151 }, () => moved(64));
    expect(verdictsOf(elsewhere).at(-1)).toBe("wrong");
  });

  test("hostile bytes of any version never throw", () => {
    const bytes = fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array));
    const protocols = fc.constantFrom(...knownReleases.map(({ protocol }) => protocol), -1);
    fc.assert(
      fc.property(bytes, protocols, fc.integer({ min: -1, max: 0x20 }), (packet, protocol, id) => {
        const movement = decodeMovement(protocol, id, packet, 0, packet.length);
        if (movement !== undefined) new FallCheck().accept(movement);
      }),
      { numRuns: 1000 },
    );
  });
});
