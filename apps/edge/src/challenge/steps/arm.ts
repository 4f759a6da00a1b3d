import { componentFromText } from "@palisade/minecraft-protocol/java/chat";
import { encodeChatMessage } from "@palisade/minecraft-protocol/java/limbo/chat-message";
import type { LimboPacket } from "@palisade/minecraft-protocol/java/limbo/client-packets";
import { encodeTitle } from "@palisade/minecraft-protocol/java/limbo/title";
import { clickText } from "../player-texts.ts";
import type { ChallengeStep, StepContext, StepResult } from "./step.ts";

const clicks = { least: 2, end: 5 } as const;

/**
 * The player clicks with the left mouse button as often as the text says, and the client tells each
 * swing of the main hand.
 *
 * Not automatic: no packet makes a game swing its arm, so this needs the player and their time, and is
 * only for suspicious sources. The number of clicks is random and stands in a text in the player's
 * language, in the chat and, from 1.8 on, in the middle of the screen. A bot that swings all the time
 * passes; this step costs bots a reader of their own, and tells them apart only together with others.
 */
export class ArmStep implements ChallengeStep {
  readonly name = "arm";
  readonly #context: StepContext;
  #left: number;

  constructor(context: StepContext) {
    this.#context = context;
    this.#left = context.random(clicks.least, clicks.end);
  }

  begin(): Buffer {
    const { protocol } = this.#context;
    const line = encodeChatMessage(protocol, componentFromText(`§e${this.#text()}`));
    return Buffer.concat([line ?? Buffer.alloc(0), this.#title()]);
  }

  take(packet: LimboPacket): StepResult {
    // The game swings the main hand for the left button, also of left-handed players.
    if (packet.kind !== "arm" || packet.hand !== "main") return "on";
    this.#left--;
    return this.#left === 0 ? "passed" : { send: this.#title(), outcome: "answered" };
  }

  #title(): Buffer {
    const { protocol } = this.#context;
    const [title, text] = [componentFromText(`§e§l${this.#left}`), componentFromText(this.#text())];
    return encodeTitle(protocol, title, text) ?? Buffer.alloc(0);
  }

  #text(): string {
    return clickText(this.#context.language, this.#left);
  }
}
