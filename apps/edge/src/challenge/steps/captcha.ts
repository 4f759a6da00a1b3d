import { componentFromText } from "@palisade/minecraft-protocol/java/chat";
import { encodePlayerPosition } from "@palisade/minecraft-protocol/java/limbo/arrival";
import { encodeChatMessage } from "@palisade/minecraft-protocol/java/limbo/chat-message";
import type { LimboPacket } from "@palisade/minecraft-protocol/java/limbo/client-packets";
import { encodeMapPicture, encodeMapsInHotbar } from "@palisade/minecraft-protocol/java/limbo/map";
import { arrival, platformHeight } from "@palisade/minecraft-protocol/java/limbo/place";
import type { CaptchaSource } from "../captcha/captcha-pool.ts";
import { captchaTexts } from "../captcha/captcha-texts.ts";
import { codeIn, isSameCode, textWord } from "../captcha/code.ts";
import type { ChallengeStep, StepContext, StepResult } from "./step.ts";

export const triesMax = 3;
/** New pictures that a player can ask for. */
export const reloadsMax = 5;
/** Answers to messages that are no code, such as a password or a greeting. */
export const hintsMax = 5;

/** Every picture takes the place of the one before. */
const mapId = 1;
const middleSlot = 4;
/** In degrees below the horizon: a game holds the map up to a player who looks down. */
const downward = 75;
/** Any id will do, because the answer to this teleport proves nothing. */
const teleportId = 1;
const nothing = Buffer.alloc(0);
/** In the middle of the platform. */
const standing = { ...arrival, y: platformHeight };

/**
 * Players who wait for a picture ask for it at most this often, however many packets they send. It is
 * a little less than the second between two packets of a game of 1.9 or newer that stands still.
 */
const askAgainMs = 900;

export interface CaptchaContext extends Pick<StepContext, "protocol" | "language"> {
  readonly captchas: CaptchaSource;
  /** No clock that can be set. */
  readonly monotonicMs: () => number;
  /** The owner gives the code as text to players who ask for it, for those who use a screen reader. */
  readonly allowsText: boolean;
}

/**
 * The player reads a code on a map and types it, in the chat or by the command `/code`, which works with
 * chat turned off, too. A wrong code brings a new picture, and so does a change of the selected place of
 * the hotbar, which clients of all versions tell.
 *
 * The step keeps the code and no picture. If no picture is ready, the player waits for one: a packet of
 * theirs, of which a game sends at least one in a second, asks for it again. Games before 1.9 send twenty,
 * and get theirs no sooner for that.
 */
export class CaptchaStep implements ChallengeStep {
  readonly name = "captcha";
  readonly #context: CaptchaContext;
  /** Undefined while the player waits for a picture. */
  #code: string | undefined;
  #askAgainAtMs = 0;
  #triesLeft = triesMax;
  #reloadsLeft = reloadsMax;
  #hintsLeft = hintsMax;
  /** The place that the client has selected, as far as it was told. */
  #slot = middleSlot;

  constructor(context: CaptchaContext) {
    this.#context = context;
  }

  begin(): Buffer {
    const { protocol, allowsText } = this.#context;
    const { ask, askByCommand, reload, askForText } = this.#texts;
    const lines = [ask, askByCommand, reload, ...(allowsText ? [askForText] : [])];
    const maps = encodeMapsInHotbar(protocol, mapId, middleSlot) ?? nothing;
    const view = encodePlayerPosition(protocol, standing, teleportId, downward) ?? nothing;
    return Buffer.concat([maps, this.#picture(), view, ...lines.map((line) => this.#say(line))]);
  }

  take(packet: LimboPacket): StepResult {
    const code = this.#code;
    if (code === undefined) return this.#waited();
    if (packet.kind === "chat") return this.#read(packet.message, code);
    if (packet.kind === "chat-command") return this.#read(`/${packet.command}`, code);
    return packet.kind === "held-item" ? this.#tookSlot(packet.slot) : "on";
  }

  #waited(): StepResult {
    if (this.#context.monotonicMs() < this.#askAgainAtMs) return "on";
    const picture = this.#newPicture();
    return picture === undefined ? "on" : { send: picture };
  }

  #read(message: string, code: string): StepResult {
    const typed = message.replace(/^\/code(?: |$)/i, "").trim();
    if (typed.toUpperCase() === textWord) return this.#askedForText(code);
    const answer = codeIn(typed);
    if (answer === undefined) return this.#hint(this.#texts.form);
    if (isSameCode(answer, code)) return "passed";
    this.#triesLeft--;
    if (this.#triesLeft === 0) return "wrong-code";
    const line = this.#say(this.#texts.wrong(this.#triesLeft));
    return { send: Buffer.concat([line, this.#picture()]) };
  }

  #askedForText(code: string): StepResult {
    const { code: codeText, noText } = this.#texts;
    // With blanks, so that a screen reader spells it.
    return this.#hint(this.#context.allowsText ? codeText([...code].join(" ")) : noText);
  }

  #hint(line: string): StepResult {
    if (this.#hintsLeft === 0) return "on";
    this.#hintsLeft--;
    return { send: this.#say(line) };
  }

  /** Clients repeat the place that the edge has selected for them. */
  #tookSlot(slot: number): StepResult {
    if (slot === this.#slot) return "on";
    this.#slot = slot;
    if (this.#reloadsLeft === 0) return this.#hint(this.#texts.noReload);
    this.#reloadsLeft--;
    const line = this.#say(this.#texts.reloaded(this.#reloadsLeft));
    return { send: Buffer.concat([line, this.#picture()]) };
  }

  get #texts(): (typeof captchaTexts)["en" | "ru"] {
    return captchaTexts[this.#context.language];
  }

  /** A picture, or the news that the player has to wait for it. */
  #picture(): Buffer {
    return this.#newPicture() ?? this.#say(this.#texts.wait);
  }

  #newPicture(): Buffer | undefined {
    const { captchas, monotonicMs } = this.#context;
    const captcha = captchas.take();
    this.#code = captcha?.code;
    if (captcha === undefined) this.#askAgainAtMs = Math.ceil(monotonicMs()) + askAgainMs;
    return captcha && encodeMapPicture(this.#context.protocol, mapId, captcha.colours);
  }

  #say(line: string): Buffer {
    return encodeChatMessage(this.#context.protocol, componentFromText(line)) ?? nothing;
  }
}
