import type { Refusal } from "#src/rules/login-attempt.ts";
import { traceCode } from "#src/rules/trace-code.ts";
import { type Conversation, Phase } from "./conversation.ts";
import { countLeft, type Kick, type LoginRequest } from "./judge-login.ts";
import { kick, noteLeft, noteLogin } from "./login-end.ts";

/**
 * A login that was counted and has no verdict yet. However it ends, it is logged once for the
 * owner.
 */
export abstract class LoginPhase extends Phase {
  readonly at: Conversation;
  readonly request: LoginRequest;

  constructor(at: Conversation, request: LoginRequest) {
    super();
    this.at = at;
    this.request = request;
  }

  get trace(): string {
    return traceCode(this.request.bootSeed, this.request.connection);
  }

  kick(packet: Kick): false {
    return kick(this.at, packet, this.request.name);
  }

  /**
   * The player left without passing the challenge. That counts as not passed, because bots hang up
   * too; a player that the edge had to drop may still have been about to pass.
   */
  unanswered(facts: Refusal["facts"]): void {
    const { at, trace } = this;
    const { name, shield } = this.request;
    const { outcome = "left" } = at.life;
    if (outcome !== "left" || shield === undefined) {
      noteLeft(at, name, trace);
      return;
    }
    countLeft(shield, at.deps.mitigation);
    noteLogin(at, { verdict: "bot_check", player: name, trace, facts });
  }
}
