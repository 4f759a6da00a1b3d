import {
  encodeBoat,
  encodeEntityRemoval,
  encodePassengers,
} from "@palisade/minecraft-protocol/java/limbo/boat";
import { BoatFall } from "@palisade/minecraft-protocol/java/limbo/boat-fall";
import type { LimboPacket } from "@palisade/minecraft-protocol/java/limbo/client-packets";
import { atLeast } from "@palisade/minecraft-protocol/java/versions";
import { placeAbove } from "./places.ts";
import type { ChallengeStep, StepContext, StepResult } from "./step.ts";

/** Ticks in the boat: about half a second. */
const ticks = { least: 8, end: 14 } as const;
/** Blocks above the platform: higher than a boat falls in these ticks, which is 3.64. */
const heights = { least: 6, most: 24 } as const;
/** The player's own number, as Join Game tells it. */
const playerId = 1;
const boatIds = { least: 1_000, end: 0x3fff_ffff } as const;

/**
 * The player finds themselves in a boat at a random place in the air, and the boat falls. From 1.9 on:
 * `canSteerBoat`.
 *
 * Automatic: since 1.9 the game of the player moves the boat. In each tick it tells, in this order, the
 * boat's paddles, the player's view, before 1.21.2 the player's keys, and the boat's place, which follows
 * from where the edge has put it. A player in a vehicle tells no position of their own. Bots that fall
 * by themselves do not know how a boat falls, and bots without a world do not know that they sit in one.
 *
 * 1.7 and 1.8 are left out: there the server moves boats, and the client's packets echo nothing.
 */
export class VehicleStep implements ChallengeStep {
  readonly name = "vehicle";
  readonly ticksMin: number;
  readonly #protocol: number;
  readonly #boatId: number;
  readonly #fall: BoatFall;
  #paddles = 0;
  #views = 0;
  #inputs = 0;

  constructor({ protocol, random }: StepContext) {
    this.ticksMin = random(ticks.least, ticks.end);
    this.#protocol = protocol;
    this.#boatId = random(boatIds.least, boatIds.end);
    this.#fall = new BoatFall(placeAbove(random, heights.least, heights.most));
  }

  begin(): Buffer {
    const boat = { ...this.#fall.at, entityId: this.#boatId };
    return concat(encodeBoat(this.#protocol, boat), this.#passengers([playerId]));
  }

  take(packet: LimboPacket): StepResult {
    const { kind } = packet;
    if (kind === "vehicle-move") return this.#moved(packet);
    // All teleports were confirmed before this step began.
    if (kind === "teleport-confirmed") return "wrong-echo";
    // Before the boat's first tick these are packets from before the question.
    if (kind === "moved") return this.#fall.ticks === 0 ? "on" : "no-ride";
    if (kind === "boat-paddles") this.#paddles++;
    if (kind === "stood") this.#views++;
    if (kind === "player-input") this.#inputs++;
    return "on";
  }

  #moved(to: Extract<LimboPacket, { kind: "vehicle-move" }>): StepResult {
    if (!this.#fall.accept(to)) return "no-ride";
    const tick = this.#fall.ticks;
    const tellsKeys = !atLeast(this.#protocol, "1.21.2");
    const hasTold = this.#paddles >= tick && this.#views >= tick;
    if (!hasTold || (tellsKeys && this.#inputs < tick)) return "no-ride";
    if (tick < this.ticksMin) return "on";
    const removal = encodeEntityRemoval(this.#protocol, this.#boatId);
    return { send: concat(this.#passengers([]), removal), outcome: "passed" };
  }

  #passengers(ids: readonly number[]): Buffer | undefined {
    return encodePassengers(this.#protocol, this.#boatId, ids);
  }
}

function concat(...parts: readonly (Buffer | undefined)[]): Buffer {
  return Buffer.concat(parts.filter((part) => part !== undefined));
}
