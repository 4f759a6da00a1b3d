import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import { canSteerBoat } from "@palisade/minecraft-protocol/java/limbo/boat";
import { decodeLimboPacket } from "@palisade/minecraft-protocol/java/limbo/client-packets";
import { answersResourcePack } from "@palisade/minecraft-protocol/java/limbo/resource-pack";
import { atLeast, knownReleases } from "@palisade/minecraft-protocol/java/versions";
import { LimboReflexes } from "#src/testing/limbo-reflexes.ts";
import { HeldItemStep } from "./held-item.ts";
import { ResourcePackStep } from "./resource-pack.ts";
import type { ChallengeStep, StepContext } from "./step.ts";
import type { StepOutcome } from "../rules/step-outcome.ts";
import { VehicleStep } from "./vehicle.ts";

/** Steps and a game that answers them, by the bytes that go between them. */

const protocols = [
  ...new Set(
    knownReleases.filter(({ protocol }) => atLeast(protocol, "1.7.2")).map((it) => it.protocol),
  ),
];
const ticksMax = 40;

/** Runs a step until it ends. @returns its last outcome, and the ticks that it took */
function run(step: ChallengeStep, protocol: number): { outcome: StepOutcome; ticks: number } {
  const game = new LimboReflexes(protocol);
  let toGame = step.begin();
  for (let ticks = 1; ticks <= ticksMax; ticks++) {
    const answers: Buffer[] = [];
    forEachFrame(toGame, (id, fields) => answers.push(game.hear(id, fields)));
    answers.push(game.tick().packets);
    const sent: Buffer[] = [];
    let outcome: StepOutcome = "on";
    forEachFrame(Buffer.concat(answers), (id, fields) => {
      if (outcome !== "on" && outcome !== "answered") return;
      const result = step.take(decodeLimboPacket(protocol, id, fields, 0, fields.length));
      if (typeof result !== "string") sent.push(result.send);
      outcome = typeof result === "string" ? result : (result.outcome ?? "on");
    });
    if (outcome !== "on" && outcome !== "answered") return { outcome, ticks };
    toGame = Buffer.concat(sent);
  }
  return { outcome: "silence", ticks: ticksMax };
}

function forEachFrame(bytes: Buffer, use: (id: number, fields: Buffer) => void): void {
  for (let at = 0; at < bytes.length;) {
    const frame = readFrame(bytes, at, 0xffff);
    if (frame.kind !== "packet") throw new Error(frame.kind);
    use(frame.id, bytes.subarray(frame.bodyStart, frame.bodyEnd));
    at = frame.bodyEnd;
  }
}

const contextOf = (protocol: number): StepContext => ({
  protocol,
  language: "en",
  random: randomInt,
});

test.each(protocols)("a game of protocol %d passes every step of its version", (protocol) => {
  expect(run(new HeldItemStep(contextOf(protocol)), protocol).outcome).toBe("passed");
  if (canSteerBoat(protocol)) {
    const step = new VehicleStep(contextOf(protocol));
    expect(run(step, protocol)).toEqual({ outcome: "passed", ticks: step.ticksMin });
  }
  if (answersResourcePack(protocol)) {
    expect(run(new ResourcePackStep(contextOf(protocol)), protocol).outcome).toBe("passed");
  }
});
