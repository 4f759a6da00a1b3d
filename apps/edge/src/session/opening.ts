import { detectLegacy, type LegacyKind } from "@palisade/minecraft-protocol/java/legacy";
import { type Conversation, Phase } from "./conversation.ts";
import { handshaking } from "./handshaking.ts";
import { answerNameless, tookLegacyHello } from "./legacy-exchange.ts";

/** The first bytes, which tell a modern client from one before 1.7. */
class Opening extends Phase {
  /** What it is if nothing more comes; undefined while that cannot be said. */
  readonly #otherwise: LegacyKind | undefined;

  constructor(otherwise?: LegacyKind) {
    super();
    this.#otherwise = otherwise;
  }

  override step(at: Conversation): boolean {
    if (at.head.length === 0) return false;
    const result = detectLegacy(at.head);
    if (result.kind === "undecided") {
      at.phase = waiting[result.otherwise];
      at.life.deadline(at.deps.limits.legacyDecisionMs);
      return false;
    }
    if (result.kind !== "modern") {
      const isWhole = tookLegacyHello(at, result.kind);
      if (!isWhole) this.#goOn(at, waiting[result.kind]);
      return false;
    }
    this.#goOn(at, handshaking);
    return true;
  }

  override expire(at: Conversation): void {
    if (this.#otherwise === undefined) at.drop("deadline");
    else answerNameless(at, this.#otherwise);
  }

  /** The deadline was short while the first bytes had not told; once per connection, so it stays one. */
  #goOn(at: Conversation, next: Phase): void {
    if (this.#otherwise !== undefined && next !== this)
      at.life.deadline(at.deps.limits.handshakeMs);
    at.phase = next;
  }
}

export const opening: Phase = new Opening();

const waiting: Readonly<Record<LegacyKind, Phase>> = {
  "ping-1.3": new Opening("ping-1.3"),
  "ping-1.4": new Opening("ping-1.4"),
  "ping-1.6": new Opening("ping-1.6"),
  login: new Opening("login"),
};
