import { detectLegacy, type LegacyKind } from "@palisade/minecraft-protocol/java/legacy";
import { type Conversation, Phase } from "./conversation.ts";
import { handshaking } from "./handshaking.ts";
import { answerNameless, tookLegacyHello } from "./legacy-exchange.ts";

/** The first bytes, which tell a modern client from one before 1.7. */
class Opening extends Phase {
  override readonly usesNode = false;
  /** The kind of client if nothing more comes; undefined while that cannot be said. */
  readonly #otherwise: LegacyKind | undefined;
  /** The bytes so far may be a whole packet: the deadline is only a short pause. */
  readonly #isPause: boolean;

  constructor(otherwise?: LegacyKind, isPause = false) {
    super();
    this.#otherwise = otherwise;
    this.#isPause = isPause;
  }

  override step(at: Conversation): boolean {
    if (at.head.length === 0) return false;
    const result = detectLegacy(at.head);
    if (result.kind === "undecided") {
      at.phase = pausing[result.otherwise];
      at.life.deadline(at.deps.limits.legacyDecisionMs);
      return false;
    }
    if (result.kind !== "modern") {
      const isWhole = tookLegacyHello(at, result.kind);
      if (!isWhole) this.#goOn(at, reading[result.kind]);
      return false;
    }
    this.#goOn(at, handshaking);
    return true;
  }

  override expire(at: Conversation): void {
    if (this.#otherwise === undefined) at.drop("deadline");
    else answerNameless(at, this.#otherwise);
  }

  /** More bytes follow the pause: they get the whole deadline, once per connection. */
  #goOn(at: Conversation, next: Phase): void {
    if (this.#isPause) at.life.deadline(at.deps.limits.handshakeMs);
    at.phase = next;
  }
}

export const opening: Phase = new Opening();

function phases(isPause: boolean): Readonly<Record<LegacyKind, Phase>> {
  return {
    "ping-1.3": new Opening("ping-1.3", isPause),
    "ping-1.4": new Opening("ping-1.4", isPause),
    "ping-1.6": new Opening("ping-1.6", isPause),
    login: new Opening("login", isPause),
  };
}

const pausing = phases(true);
const reading = phases(false);
