import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import { encodePlayerPosition } from "@palisade/minecraft-protocol/java/limbo/arrival";
import { canSteerBoat } from "@palisade/minecraft-protocol/java/limbo/boat";
import { decodeLimboPacket } from "@palisade/minecraft-protocol/java/limbo/client-packets";
import { encodeLimboConfiguration } from "@palisade/minecraft-protocol/java/limbo/configuration";
import { encodeHeldItem, hotbarSlots } from "@palisade/minecraft-protocol/java/limbo/held-item";
import { mapSide } from "@palisade/minecraft-protocol/java/limbo/map";
import { arrival, canEnterLimbo } from "@palisade/minecraft-protocol/java/limbo/place";
import { answersResourcePack } from "@palisade/minecraft-protocol/java/limbo/resource-pack";
import { encodeLoginSuccess } from "@palisade/minecraft-protocol/java/login-success";
import type { Captcha } from "#src/challenge/captcha/captcha-pool.ts";
import { randomCode, textWord } from "#src/challenge/captcha/code.ts";
import { type LimboStepName, stepOf } from "#src/challenge/steps/plan.ts";
import type { ChallengeStep } from "#src/challenge/steps/step.ts";
import { encodeChat, encodeCommand } from "../chat-packets.ts";
import { LimboClient } from "../limbo-client.ts";
import { corpus, protocols } from "./corpus.ts";
import { mutate } from "./mutate.ts";
import type { Random } from "./random.ts";
import { holds } from "./targets.ts";

const nothing: Buffer = Buffer.alloc(0);
const frameBytesMax = 8_192;
/** A picture of 1.7 with a line of chat. */
const sendBytesMax = 24_576;
/** Eight pictures and all hints. */
const sentBytesMax = 262_144;
/** Ticks in which a game answers each of the steps. */
const ticksMax = 60;
const uuid = Buffer.alloc(16, 1);
const colours = new Uint8Array(mapSide * mapSide);
const limboProtocols = protocols.filter((protocol) => protocol > 3 && canEnterLimbo(protocol));

/** The versions that have each step. */
const askable: Readonly<Record<LimboStepName, (protocol: number) => boolean>> = {
  fall: () => true,
  platform: () => true,
  teleports: () => true,
  "held-item": () => true,
  vehicle: canSteerBoat,
  "resource-pack": answersResourcePack,
  captcha: () => true,
};
// The keys are the names of the steps.
export const limboStepNames = Object.keys(askable) as LimboStepName[];

interface AskedStep {
  readonly step: ChallengeStep;
  /** The codes of its pictures; the last one counts. */
  readonly codes: readonly string[];
}

/**
 * One step of the limbo, asked of a game whose packets are changed on their way.
 *
 * @returns what became of it
 * @throws if the step throws, sends too much, or passes a game that answers another question
 */
export function runLimboStep(name: LimboStepName, random: Random): string {
  const protocol = random.pick(limboProtocols.filter(askable[name]));
  const asked = askedStep(name, protocol, random);
  // Half the games replay the answers to a question like it.
  const isReplay = random.once(2);
  const heard = isReplay ? askedStep(name, protocol, random) : asked;
  const game = new StepGame(name, protocol, random, heard);
  const outcome = answersOf(asked.step, game, isReplay ? undefined : game, random, protocol);
  // Places of the hotbar can be guessed, which the other steps make up for.
  const canGuess = name === "held-item";
  holds(outcome !== "passed" || !isReplay || canGuess, `${name} of ${protocol} passes no replay`);
  return isReplay ? `replay, ${outcome}` : outcome;
}

function askedStep(name: LimboStepName, protocol: number, random: Random): AskedStep {
  const codes: string[] = [];
  const below = (min: number, max: number): number => min + random.below(max - min);
  const take = (): Captcha | undefined => {
    if (random.once(8)) return undefined;
    const code = randomCode(below);
    codes.push(code);
    return { code, colours };
  };
  let nowMs = 0;
  const step = stepOf(name, {
    protocol,
    language: random.pick(["en", "ru"]),
    allowsText: random.once(2),
    random: below,
    captchas: { take },
    monotonicMs: () => (nowMs += random.below(2_000)),
  });
  if (step === undefined) throw new Error(`there is no step ${name}`);
  return { step, codes };
}

/** A game in the limbo, which answers one question. */
class StepGame {
  readonly #name: LimboStepName;
  readonly #protocol: number;
  readonly #random: Random;
  readonly #asked: AskedStep;
  readonly #client: LimboClient;
  #waiting: Buffer;

  constructor(name: LimboStepName, protocol: number, random: Random, asked: AskedStep) {
    this.#name = name;
    this.#protocol = protocol;
    this.#random = random;
    this.#asked = asked;
    this.#client = new LimboClient({ protocol });
    this.#client.hear(encodeLoginSuccess(protocol, { uuid, name: "Steve_01" }));
    this.#client.hear(encodeLimboConfiguration(protocol) ?? nothing);
    // It has arrived before.
    this.#client.hear(encodePlayerPosition(protocol, arrival, 1) ?? nothing);
    this.#waiting = this.#client.hear(asked.step.begin());
  }

  hear(bytes: Buffer): void {
    this.#waiting = Buffer.concat([this.#waiting, this.#client.hear(bytes)]);
  }

  /** Its packets up to the end of its next tick. */
  tick(): Buffer {
    const answers = this.#waiting;
    this.#waiting = nothing;
    const typed = this.#name === "captcha" ? this.#type() : nothing;
    return Buffer.concat([answers, this.#client.tick(), typed]);
  }

  #type(): Buffer {
    const random = this.#random;
    const protocol = this.#protocol;
    if (random.once(4)) return encodeHeldItem(protocol, random.below(hotbarSlots)) ?? nothing;
    const words = [this.#asked.codes.at(-1) ?? "", "ACEH", "Hello there", textWord, "пароль"];
    const word = random.once(2) ? (words[0] ?? "") : random.pick(words);
    return random.once(2) ? encodeChat(protocol, word) : encodeCommand(protocol, `code ${word}`);
  }
}

/** @param listener hears what the step sends */
function answersOf(
  step: ChallengeStep,
  game: StepGame,
  listener: StepGame | undefined,
  random: Random,
  protocol: number,
): string {
  if (listener === undefined) step.begin();
  const changedOf = random.pick([0, 3, 16, 64]);
  let sentBytes = 0;
  for (let tick = 0; tick < ticksMax; tick++) {
    for (const packet of changedFrames(game.tick(), random, changedOf)) {
      const outcome = takenBy(step, packet, protocol, (bytes) => {
        sentBytes += bytes.length;
        listener?.hear(bytes);
      });
      holds(sentBytes <= sentBytesMax, "a step sends no more than its pictures");
      if (outcome !== "on" && outcome !== "answered") return outcome;
    }
  }
  return "open";
}

function takenBy(
  step: ChallengeStep,
  bytes: Buffer,
  protocol: number,
  send: (bytes: Buffer) => void,
): string {
  const frame = readFrame(bytes, 0, frameBytesMax);
  if (frame.kind !== "packet") return frame.kind === "need-more" ? "on" : "malformed";
  const packet = decodeLimboPacket(protocol, frame.id, bytes, frame.bodyStart, frame.bodyEnd);
  if (packet.kind === "malformed" || packet.kind === "unknown") return packet.kind;
  const result = step.take(packet);
  if (typeof result === "string") return result;
  holds(result.send.length <= sendBytesMax, "an answer is no longer than a picture");
  send(result.send);
  return result.outcome ?? "on";
}

/**
 * Whole packets, some of which are changed, doubled, left out or late.
 *
 * @param changedOf one of so many; 0 for none
 */
export function changedFrames(bytes: Buffer, random: Random, changedOf: number): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const frame = readFrame(bytes, at, frameBytesMax);
    const end = frame.kind === "packet" ? frame.bodyEnd : bytes.length;
    frames.push(bytes.subarray(at, end));
    at = end;
  }
  if (changedOf === 0) return frames;
  return frames.flatMap((frame, n) => {
    if (!random.once(changedOf)) return [frame];
    const other = random.pick(corpus.frames);
    return random.pick([
      [mutate(frame, other, random)],
      [mutate(frame, other, random)],
      [frame, frame],
      [],
      [other, frame],
      [frames[n + 1] ?? frame, frame],
    ]);
  });
}
