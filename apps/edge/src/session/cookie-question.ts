import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import { asLogin, cookieRequest, readCookieAnswer } from "#src/challenge/returning-player.ts";
import type { Conversation } from "./conversation.ts";
import { judgeAnswered, judgeUnasked, kickUnanswered, type LoginRequest } from "./judge-login.ts";
import { kick } from "./login-end.ts";
import { goOn } from "./login.ts";
import { LoginPhase } from "./login-phase.ts";

/**
 * A transferred player is asked for a cookie before the verdict. The login has been counted; one
 * that does not answer is refused.
 */
class CookieQuestion extends LoginPhase {
  readonly #shield: CompiledShield;

  constructor(at: Conversation, request: LoginRequest, shield: CompiledShield) {
    super(at, request);
    this.#shield = shield;
  }

  override step(at: Conversation): false {
    const answer = readCookieAnswer(at.head, at.offset);
    if (answer.kind === "need-more") return false;
    if (answer.kind === "malformed") return this.#refuse("malformed");
    const { request } = this;
    const { verification, mitigation } = at.deps;
    const passed = answer.cookie && verification.redeem(answer.cookie, request, this.#shield);
    const sent = at.head.subarray(0, at.offset);
    // The backend sees neither the cookie request nor a transfer that the edge made.
    const asSent = passed === undefined ? sent : asLogin(sent, at.handshakeEnd);
    at.head = Buffer.concat([asSent, at.head.subarray(answer.end)]);
    const answered = { ...request, passed };
    return goOn(at, answered, judgeAnswered(answered, this.#shield, mitigation));
  }

  override expire(): void {
    this.#refuse("silence");
  }

  override closed(): void {
    this.unanswered({ cookie: "left" });
  }

  #refuse(how: "silence" | "malformed"): false {
    const { request, at } = this;
    return this.kick(kickUnanswered(request, this.#shield, at.deps.mitigation, how));
  }
}

/** Whether the player was transferred, and whether rules apply to their address. */
export function mayBringCookie(
  { client, ip, deps }: Conversation,
  shield: CompiledShield,
  protocol: number,
): boolean {
  return client?.intent === "transfer" && deps.verification.asksForCookie(shield, protocol, ip);
}

/** @returns whether more bytes of the player are read */
export function askForCookie(
  at: Conversation,
  request: LoginRequest,
  shield: CompiledShield,
): boolean {
  const refused = judgeUnasked(request, shield, at.deps.mitigation);
  if (refused !== undefined) return kick(at, refused, request.name);
  at.phase = new CookieQuestion(at, request, shield);
  at.life.deadline(at.deps.verification.cookieMs);
  at.socket.write(cookieRequest);
  return true;
}
