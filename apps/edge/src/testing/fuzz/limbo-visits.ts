import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import { canSteerBoat } from "@palisade/minecraft-protocol/java/limbo/boat";
import { answersResourcePack } from "@palisade/minecraft-protocol/java/limbo/resource-pack";
import { packetIds } from "@palisade/minecraft-protocol/java/packet-ids";
import { canEnterLimbo } from "@palisade/minecraft-protocol/java/limbo/place";
import { packetLimitsOf, verificationLimits } from "#src/challenge/rules/limits.ts";
import { Verification } from "#src/challenge/verification.ts";
import { encodeChat } from "../chat-packets.ts";
import { kickedSubject } from "../kicked-subject.ts";
import { LimboClient } from "../limbo-client.ts";
import { stubCaptchas, stubCode } from "../stub-captchas.ts";
import { corpus, protocols } from "./corpus.ts";
import { changedFrames } from "./limbo-targets.ts";
import { inPieces } from "./mutate.ts";
import type { Random } from "./random.ts";
import { holds } from "./targets.ts";

const { play, configuration } = packetIds;
const packetLimits = packetLimitsOf(verificationLimits);
const { sentPerReceivedMax } = verificationLimits;
const helloBytes = 40;
const tickMs = 50;
const ticksMax = 260;
/** The world, eight pictures, and all texts. */
const sentBytesMax = 524_288;
const longText = "§cПроверка §eне §aпройдена\n".repeat(76);
const limboProtocols = protocols.filter((protocol) => protocol > 3 && canEnterLimbo(protocol));

/** Answers that a game does not give. Without each of them a check must end. */
const gaps = [
  "none",
  "keep-alive",
  "fall",
  "platform",
  "held-item",
  "vehicle",
  "pack",
  "captcha",
] as const;
type Gap = (typeof gaps)[number];

/** The ids of the packets that a game with the gap never sends, however its packets are changed. */
function unsentIds(gap: Gap, protocol: number): readonly (number | undefined)[] {
  const { keepAlive, heldItem, vehicleMove, resourcePackStatus } = play.toServer;
  if (gap === "keep-alive") {
    return [keepAlive(protocol), configuration.toServer.keepAlive(protocol)];
  }
  if (gap === "held-item") return [heldItem(protocol)];
  if (gap === "vehicle") return [vehicleMove(protocol)];
  return gap === "pack" ? [resourcePackStatus(protocol)] : [];
}

function isAsked(gap: Gap, protocol: number): boolean {
  if (gap === "vehicle") return canSteerBoat(protocol);
  return gap !== "pack" || answersResourcePack(protocol);
}

/**
 * A whole check with a captcha, of a game that lacks one answer, and whose packets are changed on their
 * way.
 *
 * @returns what became of it
 * @throws if it throws, has not one end, sends too much, or passes a game that lacks an answer
 */
export function runLimboVisit(random: Random): string {
  const protocol = random.pick(limboProtocols);
  const asked = gaps.filter((each) => isAsked(each, protocol));
  const gap = random.once(3) ? "none" : random.pick(asked);
  const visit = new FuzzedVisit(protocol, gap, random);
  const end = visit.run();
  holds(end !== "passed" || gap === "none", `${protocol} passes without ${gap}`);
  return gap === "none" ? end : `without ${gap}, ${end}`;
}

class FuzzedVisit {
  readonly #protocol: number;
  readonly #gap: Gap;
  readonly #random: Random;
  readonly #client: LimboClient;
  readonly #unsent: readonly (number | undefined)[];
  readonly #ends: string[] = [];
  #heard: Buffer[] = [];
  #sentBytes = 0;
  #receivedBytes = helloBytes;
  #nowMs = 0;

  constructor(protocol: number, gap: Gap, random: Random) {
    this.#protocol = protocol;
    this.#gap = gap;
    this.#random = random;
    this.#unsent = unsentIds(gap, protocol);
    this.#client = new LimboClient({
      protocol,
      falls: gap !== "fall",
      collides: gap !== "platform",
    });
  }

  run(): string {
    const random = this.#random;
    const machine = this.#begin();
    const changedOf = random.pick([0, 16, 128, 512]);
    for (let tick = 0; tick < ticksMax && this.#ends.length === 0; tick++) {
      this.#nowMs += tickMs;
      for (const frame of changedFrames(this.#answers(), random, changedOf)) {
        if (this.#isUnsent(frame)) continue;
        this.#receivedBytes += frame.length;
        for (const piece of inPieces(frame, random)) machine.received(piece);
      }
      if (random.once(200)) machine.keepAlive();
    }
    machine.expire();
    holds(this.#ends.length === 1, "a check has one end");
    holds(this.#sentBytes <= sentBytesMax, "a check sends no more than the world and its pictures");
    if (this.#gap === "keep-alive") {
      const max = sentPerReceivedMax * this.#receivedBytes;
      holds(this.#sentBytes <= max, `${this.#sentBytes} bytes for ${this.#receivedBytes}`);
    }
    return this.#ends[0] ?? "";
  }

  /** A frame that cannot be read ends the check, so nothing behind it counts. */
  #isUnsent(bytes: Buffer): boolean {
    for (let at = 0; at < bytes.length;) {
      const frame = readFrame(bytes, at, verificationLimits.frameBytesMax);
      if (frame.kind !== "packet") return frame.kind === "need-more" && this.#unsent.length > 0;
      if (this.#unsent.includes(frame.id)) return true;
      at = frame.bodyEnd;
    }
    return false;
  }

  #answers(): Buffer {
    const bytes = Buffer.concat(this.#heard);
    this.#heard = [];
    const answers = this.#client.hear(bytes);
    const types = this.#gap !== "captcha" && this.#client.state === "play" && this.#random.once(4);
    const typed = types ? encodeChat(this.#protocol, stubCode) : Buffer.alloc(0);
    return Buffer.concat([answers, this.#client.tick(), typed]);
  }

  #begin(): Verification {
    const random = this.#random;
    const subject = kickedSubject({
      protocol: this.#protocol,
      name: "Steve_01",
      ip: corpus.ip,
      host: random.pick(["play.example.org", ""]),
      port: 25_565,
      challenge: "captcha",
      isStrict: random.once(2),
      allowsTextCaptcha: random.once(2),
      cookieKey: undefined,
      text: () => longText,
    });
    const machine = new Verification(
      Object.defineProperty(subject, "receivedBytes", { get: () => this.#receivedBytes }),
      {
        packetLimits,
        premium: undefined,
        nowMs: () => 1,
        monotonicMs: () => this.#nowMs,
        captchas: stubCaptchas,
      },
      {
        send: (bytes) => this.#hear(bytes),
        answered: () => undefined,
        passed: (last) => this.#end("passed", last),
        failed: (fault, last) => this.#end(fault, last),
      },
    );
    machine.start();
    return machine;
  }

  #hear(bytes: Buffer): void {
    this.#sentBytes += bytes.length;
    this.#heard.push(bytes);
  }

  #end(how: string, last: Buffer | undefined): void {
    this.#sentBytes += last?.length ?? 0;
    this.#ends.push(how);
  }
}
