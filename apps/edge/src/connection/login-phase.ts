import type { Refusal } from "#src/rules/login-attempt.ts";
import { type ConnectionState, Phase } from "./connection-state.ts";
import { countLeft, type Kick } from "./login-kicks.ts";
import type { LoginRequest } from "./login-request.ts";
import { kick, noteLeft, noteLogin } from "./login-outcome.ts";

/**
 * A login that was counted and has no verdict yet. However it ends, it is logged once for the
 * owner.
 */
export abstract class LoginPhase extends Phase {
  readonly conn: ConnectionState;
  readonly request: LoginRequest;

  constructor(conn: ConnectionState, request: LoginRequest) {
    super();
    this.conn = conn;
    this.request = request;
  }

  get trace(): string {
    return this.request.trace;
  }

  kick(packet: Kick): false {
    return kick(this.conn, packet, this.request);
  }

  /**
   * The player left without passing the challenge. That counts as not passed, because bots hang up
   * too; a player that the edge had to drop may still have been about to pass.
   */
  unanswered(facts: Refusal["facts"]): void {
    const { conn, trace } = this;
    const { name, shield } = this.request;
    const { outcome = "left" } = conn.life;
    if (outcome !== "left" || shield === undefined) {
      noteLeft(conn, name, trace);
      return;
    }
    countLeft(shield, conn.deps.mitigation);
    noteLogin(conn, { verdict: "bot_check", player: name, trace, facts });
  }
}
