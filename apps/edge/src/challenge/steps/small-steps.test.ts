import { randomInt } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LimboPacket } from "@palisade/minecraft-protocol/java/limbo/client-packets";
import {
  describedPlayPackets,
  describedReleases,
  type DescribedPacket,
} from "@palisade/testing/minecraft/described-packets";
import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import { canSteerBoat } from "@palisade/minecraft-protocol/java/limbo/boat";
import { answersResourcePack } from "@palisade/minecraft-protocol/java/limbo/resource-pack";
import { atLeast } from "@palisade/minecraft-protocol/java/versions";
import { HeldItemStep } from "./held-item.ts";
import { ResourcePackStep } from "./resource-pack.ts";
import type { ChallengeStep, StepContext } from "./step.ts";
import type { StepOutcome } from "../rules/step-outcome.ts";
import { VehicleStep } from "./vehicle.ts";

/** Steps answered by hand, as the game's own code answers them (see the doc comment of each step). */

const releases = describedReleases();
const newest = releases.at(-1) ?? { version: "", protocol: 0 };

function contextOf(protocol: number, more: Partial<StepContext> = {}): StepContext {
  return { protocol, language: "en", random: randomInt, ...more };
}

/** The packets of frames, by the description that is not ours. */
function packetsOf(version: string, bytes: Buffer): DescribedPacket[] {
  const described = describedPlayPackets(version, "toClient");
  const packets: DescribedPacket[] = [];
  for (let at = 0; at < bytes.length;) {
    const frame = readFrame(bytes, at, 0xffff);
    if (frame.kind !== "packet") throw new Error(frame.kind);
    const length = bytes.subarray(at).findIndex((byte) => byte < 0x80) + 1;
    packets.push(described.read(bytes.subarray(at + length, frame.bodyEnd)));
    at = frame.bodyEnd;
  }
  return packets;
}

interface Taken {
  readonly outcome: StepOutcome;
  readonly sent: Buffer;
}

function take(step: ChallengeStep, packet: LimboPacket): Taken {
  const result = step.take(packet);
  return typeof result === "string"
    ? { outcome: result, sent: Buffer.alloc(0) }
    : { outcome: result.outcome ?? "on", sent: result.send };
}

/** The last outcome; nothing is taken after a final one. */
function takeAll(step: ChallengeStep, packets: readonly LimboPacket[]): StepOutcome {
  let outcome: StepOutcome = "on";
  for (const packet of packets) {
    ({ outcome } = take(step, packet));
    if (outcome !== "on" && outcome !== "answered") return outcome;
  }
  return outcome;
}

describe("the held item", () => {
  const held = (slot: number): LimboPacket => ({ kind: "held-item", slot });
  /** The slot is the last byte of its packet in every version. */
  const askedOf = (bytes: Buffer): number => bytes.at(-1) ?? -1;

  test.each(releases)("a game of $version that tells its place passes", ({ version, protocol }) => {
    const step = new HeldItemStep(contextOf(protocol));
    const first = step.begin();
    expect(packetsOf(version, first)).toEqual([
      { name: "held_item_slot", params: { slot: askedOf(first) } },
    ]);
    expect(askedOf(first)).toBeGreaterThan(0);
    const { outcome, sent } = take(step, held(askedOf(first)));
    expect(outcome).toBe("answered");
    expect(askedOf(sent)).not.toBe(askedOf(first));
    expect(take(step, held(askedOf(sent))).outcome).toBe("passed");
  });

  test("the place that the client has already is never asked for, because it would not tell it", () => {
    for (let selectedSlot = 0; selectedSlot < 9; selectedSlot++) {
      for (let n = 0; n < 50; n++) {
        const step = new HeldItemStep(contextOf(47, { selectedSlot }));
        expect(askedOf(step.begin())).not.toBe(selectedSlot);
      }
    }
  });

  test("a player who turns the wheel gets another question, and their late answer does no harm", () => {
    const step = new HeldItemStep(contextOf(47));
    const first = askedOf(step.begin());
    const elsewhere = [1, 2].find((slot) => slot !== first) ?? 0;
    const { outcome, sent } = take(step, held(elsewhere));
    expect(outcome).toBe("on");
    const second = askedOf(sent);
    expect([first, elsewhere]).not.toContain(second);
    expect(take(step, held(first))).toMatchObject({ outcome: "on", sent: Buffer.alloc(0) });
    const answered = take(step, held(second));
    expect(answered.outcome).toBe("answered");
    expect(take(step, held(askedOf(answered.sent))).outcome).toBe("passed");
  });

  test("a bot that tells places at random fails, and so does one that repeats an answer", () => {
    const step = new HeldItemStep(contextOf(47));
    const asked = askedOf(step.begin());
    const outcomes = [asked, asked, 100, 200, 300].map((slot) => take(step, held(slot)).outcome);
    expect(outcomes).toEqual(["answered", "on", "on", "on", "wrong-echo"]);
  });
});

describe("a boat", () => {
  const withBoats = releases.filter(({ protocol }) => canSteerBoat(protocol));

  interface Boat {
    readonly entityId: number;
    readonly x: number;
    readonly y: number;
    readonly z: number;
  }
  function begun(version: string, protocol: number): { step: VehicleStep; boat: Boat } {
    const step = new VehicleStep(contextOf(protocol));
    const [spawned, seated] = packetsOf(version, step.begin());
    const boat = spawned?.params as unknown as Boat;
    expect(seated).toEqual({
      name: "set_passengers",
      params: { entityId: boat.entityId, passengers: [1] },
    });
    return { step, boat };
  }

  /** One tick of the game in the order of its packets. */
  function tick(protocol: number, at: Omit<Boat, "entityId">): LimboPacket[] {
    const input: LimboPacket[] = atLeast(protocol, "1.21.2")
      ? []
      : [{ kind: "player-input", sideways: 0, forward: 0, jumps: false, sneaks: false }];
    return [
      { kind: "boat-paddles", left: false, right: false },
      stood,
      ...input,
      { kind: "vehicle-move", x: at.x, y: at.y, z: at.z, yaw: 0, pitch: 0 },
    ];
  }
  const stood: LimboPacket = { kind: "stood", onGround: false };

  /** @param gravity 32-bit in versions before 1.20.5 */
  function fall({ x, y, z }: Boat, gravity = 0.04, count = 30): Omit<Boat, "entityId">[] {
    let [speed, height] = [0, y];
    return Array.from({ length: count }, () => {
      speed -= gravity;
      height += speed;
      return { x, y: height, z };
    });
  }

  test.each(withBoats)("a game of $version that falls with its boat passes", (release) => {
    const { version, protocol } = release;
    const { step, boat } = begun(version, protocol);
    const ticks = fall(boat, Math.fround(0.04)).map((at) => tick(protocol, at));
    expect(takeAll(step, ticks.slice(0, step.ticksMin - 1).flat())).toBe("on");
    const last = (ticks[step.ticksMin - 1] ?? []).map((packet) => take(step, packet)).at(-1);
    expect(last?.outcome).toBe("passed");
    const [left, removed] = packetsOf(version, last?.sent ?? Buffer.alloc(0));
    expect(left?.params).toEqual({ entityId: boat.entityId, passengers: [] });
    expect(removed?.name).toMatch(/^(entity_destroy|destroy_entity)$/);
  });

  test("a player who rows and turns passes", () => {
    const { step, boat } = begun(newest.version, newest.protocol);
    const ticks = fall(boat).map((at, n) => tick(newest.protocol, { ...at, x: at.x + n * 0.36 }));
    expect(takeAll(step, ticks.flat())).toBe("passed");
  });

  test("a recorded ride is worth nothing in another boat", () => {
    const { boat } = begun(newest.version, newest.protocol);
    const { step } = begun(newest.version, newest.protocol);
    const ticks = fall(boat).map((at) => tick(newest.protocol, at));
    expect(takeAll(step, ticks.flat())).toBe("no-ride");
  });

  test("hovering, falling like a player, skipping a tick, silent paddles and positions of one's own fail", () => {
    const { protocol, version } = newest;
    const playerFall = ({ x, y, z }: Boat): Omit<Boat, "entityId">[] => {
      let [speed, height] = [0, y];
      return Array.from({ length: 20 }, () => {
        speed = (speed + 0.08) * 0.98;
        height -= speed;
        return { x, y: height, z };
      });
    };
    const rides: ((boat: Boat) => LimboPacket[])[] = [
      (boat) => Array.from({ length: 20 }, () => tick(protocol, boat)).flat(),
      (boat) => playerFall(boat).flatMap((at) => tick(protocol, at)),
      (boat) =>
        fall(boat)
          .filter((_, n) => n !== 3)
          .flatMap((at) => tick(protocol, at)),
      (boat) =>
        fall(boat).flatMap((at) =>
          tick(protocol, at).filter(({ kind }) => kind !== "boat-paddles"),
        ),
      (boat) =>
        fall(boat).flatMap((at) => tick(protocol, at).filter(({ kind }) => kind !== "stood")),
      (boat) =>
        fall(boat).flatMap((at) => [
          ...tick(protocol, at),
          { kind: "moved", ...at, onGround: false } as const,
        ]),
      (boat) => fall(boat).flatMap((at) => tick(protocol, { ...at, y: Number.NaN })),
      (boat) => fall(boat).flatMap((at, n) => tick(protocol, { ...at, z: at.z + 2 * n })),
    ];
    for (const ride of rides) {
      const { step, boat } = begun(version, protocol);
      expect(takeAll(step, ride(boat))).toBe("no-ride");
    }
  });

  test("before 1.21.2 the player's keys come with each tick", () => {
    const { version, protocol } = withBoats[0] ?? newest;
    const { step, boat } = begun(version, protocol);
    const ticks = fall(boat).flatMap((at) =>
      tick(protocol, at).filter(({ kind }) => kind !== "player-input"),
    );
    expect(takeAll(step, ticks)).toBe("no-ride");
  });
});

describe("a resource pack", () => {
  const withPacks = releases.filter(({ protocol }) => answersResourcePack(protocol));
  const status = (uuid: string | undefined, result: number): LimboPacket => ({
    kind: "resource-pack-status",
    uuid,
    status: result,
  });
  function begun(version: string, protocol: number): { step: ResourcePackStep; uuid: string } {
    const step = new ResourcePackStep(contextOf(protocol));
    const [pack] = packetsOf(version, step.begin());
    return { step, uuid: String(pack?.params["uuid"]).replaceAll("-", "") };
  }

  test.each(withPacks)("a game of $version that calls its address invalid passes", (release) => {
    const { step, uuid } = begun(release.version, release.protocol);
    expect(take(step, status(uuid, 5)).outcome).toBe("passed");
  });

  test("a bot that accepts, declines or names another pack fails", () => {
    const { version, protocol } = newest;
    for (const result of [0, 1, 2, 3]) {
      const { step, uuid } = begun(version, protocol);
      expect(take(step, status(uuid, result)).outcome).toBe("wrong-echo");
    }
    const { uuid } = begun(version, protocol);
    expect(take(begun(version, protocol).step, status(uuid, 5)).outcome).toBe("wrong-echo");
    expect(take(begun(version, protocol).step, status(undefined, 5)).outcome).toBe("wrong-echo");
  });
});

describe("any packets", () => {
  const number = fc.double();
  const packet: fc.Arbitrary<LimboPacket> = fc.oneof(
    fc.record({ kind: fc.constant("held-item" as const), slot: fc.nat(70_000) }),
    fc.record({
      kind: fc.constant("vehicle-move" as const),
      x: number,
      y: number,
      z: number,
      yaw: number,
      pitch: number,
    }),
    fc.record({
      kind: fc.constant("boat-paddles" as const),
      left: fc.boolean(),
      right: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant("resource-pack-status" as const),
      uuid: fc.option(fc.string(), { nil: undefined }),
      status: fc.integer(),
    }),
    fc.record({ kind: fc.constant("chat" as const), message: fc.string() }),
    fc.constant<LimboPacket>({ kind: "tick-end" }),
  );

  test("never throw, and never pass a boat or a resource pack", () => {
    const steps = [VehicleStep, ResourcePackStep, HeldItemStep];
    fc.assert(
      fc.property(
        fc.array(packet, { maxLength: 60 }),
        fc.constantFrom(...releases),
        (all, release) => {
          for (const Step of steps) {
            const step = new Step(contextOf(release.protocol));
            step.begin();
            const outcome = takeAll(step, all);
            if (Step !== HeldItemStep) expect(outcome).not.toBe("passed");
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

test("a teleport that no step has asked for fails each of them", () => {
  for (const Step of [HeldItemStep, VehicleStep, ResourcePackStep]) {
    const step = new Step(contextOf(newest.protocol));
    step.begin();
    const confirmed: LimboPacket = { kind: "teleport-confirmed", teleportId: 7 };
    expect(take(step, confirmed).outcome).toBe("wrong-echo");
  }
});
