import { asLogin, cookieRequest, readCookieAnswer } from "#src/challenge/transfer-cookie.ts";
import { asksPlayer, decideBeforeCookie } from "@palisade/login-rules/login-verdict";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import { type JavaConnection, Step } from "./java-connection.ts";
import { applyVerdict, arrived, attackOn, decide } from "./login.ts";
import { kickUnanswered, refuse } from "./login-kicks.ts";
import type { Login, LoginSays } from "./login-outcome.ts";

/**
 * Asks a transferred player for a cookie before the verdict. Refuses the login at once if no cookie
 * could change that.
 *
 * @returns whether more bytes of the player are read
 */
export function askForCookie(
  conn: JavaConnection,
  says: LoginSays,
  shield: CompiledShield,
): boolean {
  const { mitigation, verification } = conn.deps;
  const login = arrived(conn, says);
  // The name is known only now: no cookie changes anything for a player on the whitelist.
  if (!asksPlayer(shield.rules.mitigation, login)) {
    return applyVerdict(login, shield, decide(login, shield));
  }
  const refusal = decideBeforeCookie(login, shield.rules, mitigation, mitigation.nowMs());
  if (refusal !== undefined) return login.kick(refuse(login, shield, mitigation, refusal));
  conn.step = new CookieRequest(login, shield);
  conn.deadline(verification.cookieMs);
  conn.socket.write(cookieRequest);
  return true;
}

/** The player is asked for the cookie; one that does not answer is refused. */
class CookieRequest extends Step {
  readonly #login: Login;
  readonly #shield: CompiledShield;

  constructor(login: Login, shield: CompiledShield) {
    super();
    this.#login = login;
    this.#shield = shield;
  }

  override take(conn: JavaConnection): false {
    const answer = readCookieAnswer(conn.head, conn.offset);
    if (answer.kind === "need-more") return false;
    if (answer.kind === "malformed") return this.#refuse("malformed");
    const login = this.#login;
    const { verification, mitigation } = conn.deps;
    login.passed = answer.cookie && verification.redeem(answer.cookie, login, this.#shield);
    const sent = conn.head.subarray(0, conn.offset);
    // The backend sees neither the cookie request nor a transfer that the edge made.
    const asSent = login.passed === undefined ? sent : asLogin(sent, conn.handshakeEnd);
    conn.head = Buffer.concat([asSent, conn.head.subarray(answer.end)]);
    login.attack = attackOn(this.#shield, mitigation);
    return applyVerdict(login, this.#shield, decide(login, this.#shield));
  }

  override expire(): void {
    this.#refuse("silence");
  }

  override closed(): void {
    this.#login.unanswered({ cookie: "left" });
  }

  #refuse(how: "silence" | "malformed"): false {
    const login = this.#login;
    return login.kick(kickUnanswered(login, this.#shield, login.conn.deps.mitigation, how));
  }
}
