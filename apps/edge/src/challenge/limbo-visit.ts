import { randomInt } from "node:crypto";
import type { Challenge } from "@palisade/login-rules/shared/verified-players";
import { encodeLimboWorld } from "@palisade/minecraft-protocol/java/limbo/arrival";
import {
  decodeLimboPacket,
  type LimboPacket,
} from "@palisade/minecraft-protocol/java/limbo/client-packets";
import { encodeLimboConfiguration } from "@palisade/minecraft-protocol/java/limbo/configuration";
import { acknowledgesLogin } from "@palisade/minecraft-protocol/java/login-success";
import { componentFromText } from "@palisade/minecraft-protocol/java/chat";
import { encodeTitle } from "@palisade/minecraft-protocol/java/limbo/title";
import type { CaptchaSource } from "./captcha/captcha-pool.ts";
import { progressText } from "./player-texts.ts";
import { clientPacketOf, keepAliveOf, type Packet } from "./rules/client-packets.ts";
import type { ClientSettings } from "./rules/client-settings.ts";
import type { VerificationFailure } from "./rules/verification-failure.ts";
import { lengthOf, type Plan, planOf, stepAt, stepOf } from "./steps/plan.ts";
import { placeAbove } from "./steps/places.ts";
import type { ChallengeStep, StepResult } from "./steps/step.ts";
import { TeleportCheck } from "./steps/teleport-check.ts";

/** Blocks above the platform where players arrive. */
const arrivalHeights = { least: 26, end: 40 } as const;
const noTitle = { text: "" };
const tickMs = 50;
/** A game that was frozen for a moment makes up for it with ten ticks at once; the rest is jitter. */
const ticksAtOnce = 12;
/** Part of the time of its ticks that a client takes at least: clocks differ by far less. */
const paceMin = 0.9;

interface Visitor {
  readonly protocol: number;
  readonly challenge: Challenge;
  /** The owner gives the code of a captcha as text to players who ask for it. */
  readonly allowsTextCaptcha: boolean;
}

export interface LimboDeps {
  readonly captchas: CaptchaSource;
  /** No clock that can be set. */
  readonly monotonicMs: () => number;
}

/**
 * A player's stay in a small world of the edge's own, up to the last step of their challenge: how they
 * get there (from 1.20.2 on through the configuration state), then one question after another. It
 * begins once the client has answered a keep-alive, since the world is large.
 */
export class LimboVisit {
  readonly #visitor: Visitor;
  readonly #settings: ClientSettings;
  readonly #deps: LimboDeps;
  readonly #plan: Plan;
  #state: "configuration" | "play";
  /** How the client arrives; undefined before and after that. */
  #arrival: TeleportCheck | undefined;
  /** The step that is going on. */
  #step: ChallengeStep | undefined;
  /** Number of the step that is going on, from 1 on. */
  #number = 0;
  #startedAtMs = 0;
  #ticks = 0;
  /** The place of the hotbar that the client has last told. */
  #selectedSlot: number | undefined;
  #hasTitle = false;
  /** The keep-alive that is still to be answered. */
  #keepAliveId: number | undefined;

  constructor(visitor: Visitor, settings: ClientSettings, deps: LimboDeps) {
    this.#visitor = visitor;
    this.#settings = settings;
    this.#deps = deps;
    this.#plan = planOf(visitor.challenge, { protocol: visitor.protocol, random: randomInt });
    this.#state = acknowledgesLogin(visitor.protocol) ? "configuration" : "play";
  }

  get state(): "configuration" | "play" {
    return this.#state;
  }

  /** Whether a person reads a captcha now, and so takes longer to answer. */
  get isReading(): boolean {
    return this.#step?.name === "captcha";
  }

  /** Undefined if the version has no such world. */
  begin(): Buffer | undefined {
    const { protocol } = this.#visitor;
    return this.#state === "configuration" ? encodeLimboConfiguration(protocol) : this.#arrive();
  }

  /** The world is the same for all players of a version; the place in it is each player's own. */
  #arrive(): Buffer | undefined {
    const { protocol } = this.#visitor;
    const world = encodeLimboWorld(protocol);
    if (world === undefined) return undefined;
    const place = placeAbove(randomInt, arrivalHeights.least, arrivalHeights.end);
    this.#arrival = new TeleportCheck({ protocol, random: randomInt }, place);
    this.#state = "play";
    return Buffer.concat([world, this.#arrival.packets]);
  }

  /** Keeps the connection of a long challenge alive. Undefined if the last one was not answered. */
  keepAlive(): Buffer | undefined {
    if (this.#keepAliveId !== undefined) return undefined;
    this.#keepAliveId = randomInt(1, 0x7fff_ffff);
    return keepAliveOf(this.state, this.#visitor.protocol, BigInt(this.#keepAliveId));
  }

  take(bytes: Buffer, frame: Packet): StepResult {
    if (this.#state === "configuration") return this.#takeConfiguration(bytes, frame);
    const { id, bodyStart, bodyEnd } = frame;
    const { protocol } = this.#visitor;
    const packet = decodeLimboPacket(protocol, id, bytes, bodyStart, bodyEnd);
    if (packet.kind === "malformed") return "malformed";
    if (packet.kind === "unknown") return "unexpected";
    if (packet.kind === "keep-alive") return this.#tookEcho(packet.id);
    if (packet.kind === "client-information" || packet.kind === "brand") {
      return this.#tookSettings(packet);
    }
    return this.#takeInWorld(packet);
  }

  /** The client answers nothing here but that it has finished; mods may say what they like. */
  #takeConfiguration(bytes: Buffer, frame: Packet): StepResult {
    const packet = clientPacketOf("configuration", this.#visitor.protocol, bytes, frame);
    switch (packet.kind) {
      case "configuration-finished": {
        const send = this.#arrive();
        return send === undefined ? "unexpected" : { send, outcome: "answered" };
      }
      case "client-information":
      case "brand":
        return this.#settings.take(packet) ? "on" : "odd-settings";
      case "plugin-message":
      case "other":
        return "on";
      case "malformed":
        return "malformed";
      case "keep-alive":
        return this.#tookEcho(packet.id);
      case "unknown":
        return "unexpected";
    }
  }

  #tookEcho(id: bigint): StepResult {
    // No number that a client can send is equal to none.
    if (Number(id) !== this.#keepAliveId) return "wrong-echo";
    this.#keepAliveId = undefined;
    return "on";
  }

  #tookSettings(packet: Parameters<ClientSettings["take"]>[0]): StepResult {
    if (!this.#settings.take(packet)) return "odd-settings";
    // Before 1.20.2 the language comes after the player has arrived.
    const title = this.#hasTitle || this.#number === 0 ? undefined : this.#title();
    return title === undefined ? "on" : { send: title };
  }

  #takeArrival(arrival: TeleportCheck, packet: LimboPacket): StepResult {
    const verdict = arrival.take(packet);
    if (verdict !== "arrived") return verdict;
    this.#arrival = undefined;
    this.#startedAtMs = Math.trunc(this.#deps.monotonicMs());
    return this.#next(undefined);
  }

  #takeInWorld(packet: LimboPacket): StepResult {
    if (this.#arrival !== undefined) return this.#takeArrival(this.#arrival, packet);
    const step = this.#step;
    if (step === undefined) return "unexpected";
    if (packet.kind === "held-item") this.#selectedSlot = packet.slot;
    const result = step.take(packet);
    const outcome = typeof result === "string" ? result : (result.outcome ?? "on");
    if (outcome !== "passed") return result;
    this.#ticks += step.ticksMin ?? 0;
    return this.#next(typeof result === "string" ? undefined : result.send);
  }

  /** @param before packets of the step that is over */
  #next(before: Buffer | undefined): StepResult {
    const name = stepAt(this.#plan, this.#number);
    if (name === undefined) return this.#leave(before);
    this.#number++;
    const { protocol, allowsTextCaptcha: allowsText } = this.#visitor;
    const settings = this.#settings;
    const language = settings.language ?? "en";
    const { captchas, monotonicMs } = this.#deps;
    const selectedSlot = this.#selectedSlot;
    const facts = { protocol, language, selectedSlot, captchas, monotonicMs, allowsText };
    this.#step = stepOf(name, { ...facts, random: randomInt });
    if (this.#step === undefined) return "unexpected";
    const title = settings.language === undefined ? undefined : this.#title();
    const parts = [before, title, this.#step.begin()].filter((part) => part !== undefined);
    return { send: Buffer.concat(parts), outcome: "answered" };
  }

  #leave(before: Buffer | undefined): StepResult {
    this.#step = undefined;
    const failure = this.#lastFailure();
    if (failure !== undefined) return failure;
    return before === undefined ? "passed" : { send: before, outcome: "passed" };
  }

  #lastFailure(): VerificationFailure | undefined {
    if (this.#settings.areMissing) return "no-settings";
    const tookMs = this.#deps.monotonicMs() - this.#startedAtMs;
    return tookMs < (this.#ticks - ticksAtOnce) * tickMs * paceMin ? "too-fast" : undefined;
  }

  #title(): Buffer | undefined {
    this.#hasTitle = true;
    const language = this.#settings.language ?? "en";
    const text = progressText(language, this.#number, lengthOf(this.#plan));
    return encodeTitle(this.#visitor.protocol, noTitle, componentFromText(text));
  }
}
