import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import { asLogin, cookieRequest, readCookieAnswer } from "#src/challenge/returning-player.ts";
import type { ConnectionState } from "./connection-state.ts";
import { decideBeforeCookie, decideLogin } from "#src/rules/login-verdict.ts";
import { applyVerdict } from "./apply-verdict.ts";
import { kickUnanswered, refuse } from "./login-kicks.ts";
import { kick } from "./login-outcome.ts";
import { attackOn, type LoginRequest } from "./login-request.ts";
import { LoginPhase } from "./login-phase.ts";

/**
 * A transferred player is asked for a cookie before the verdict. The login has been counted; one
 * that does not answer is refused.
 */
class CookieRequest extends LoginPhase {
  readonly #shield: CompiledShield;

  constructor(conn: ConnectionState, request: LoginRequest, shield: CompiledShield) {
    super(conn, request);
    this.#shield = shield;
  }

  override step(conn: ConnectionState): false {
    const answer = readCookieAnswer(conn.head, conn.offset);
    if (answer.kind === "need-more") return false;
    if (answer.kind === "malformed") return this.#refuse("malformed");
    const { request } = this;
    const { verification, mitigation } = conn.deps;
    const passed = answer.cookie && verification.redeem(answer.cookie, request, this.#shield);
    const sent = conn.head.subarray(0, conn.offset);
    // The backend sees neither the cookie request nor a transfer that the edge made.
    const asSent = passed === undefined ? sent : asLogin(sent, conn.handshakeEnd);
    conn.head = Buffer.concat([asSent, conn.head.subarray(answer.end)]);
    const answered = { ...request, passed, attack: attackOn(this.#shield, mitigation) };
    const verdict = decideLogin(answered, this.#shield.rules, mitigation, mitigation.nowMs());
    return applyVerdict(conn, answered, this.#shield, verdict);
  }

  override expire(): void {
    this.#refuse("silence");
  }

  override closed(): void {
    this.unanswered({ cookie: "left" });
  }

  #refuse(how: "silence" | "malformed"): false {
    const { request, conn } = this;
    return this.kick(kickUnanswered(request, this.#shield, conn.deps.mitigation, how));
  }
}

/** Whether the player was transferred, and whether rules apply to their address. */
export function mayBringCookie(
  { client, ip, deps }: ConnectionState,
  shield: CompiledShield,
  protocol: number,
): boolean {
  return client?.intent === "transfer" && deps.verification.asksForCookie(shield, protocol, ip);
}

/**
 * Refuses the login at once if no cookie could change that.
 *
 * @returns whether more bytes of the player are read
 */
export function askForCookie(
  conn: ConnectionState,
  request: LoginRequest,
  shield: CompiledShield,
): boolean {
  const { mitigation } = conn.deps;
  const refusal = decideBeforeCookie(request, shield.rules, mitigation, mitigation.nowMs());
  if (refusal !== undefined) {
    return kick(conn, refuse(request, shield, mitigation, refusal), request);
  }
  conn.phase = new CookieRequest(conn, request, shield);
  conn.life.deadline(conn.deps.verification.cookieMs);
  conn.socket.write(cookieRequest);
  return true;
}
