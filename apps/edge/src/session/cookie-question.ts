import { asLogin, cookieRequest, readCookieAnswer } from "#src/verification/returning-player.ts";
import { type Conversation, Phase } from "./conversation.ts";
import { judge, type LoginSays } from "./login.ts";

/** A player who was sent here from elsewhere is asked what he brings, before his verdict. */
class CookieQuestion extends Phase {
  readonly #says: LoginSays;

  constructor(says: LoginSays) {
    super();
    this.#says = says;
  }

  override step(at: Conversation): false {
    const { shield } = at;
    const answer = readCookieAnswer(at.head, at.offset);
    if (answer.kind === "need-more") return false;
    if (answer.kind === "malformed" || shield === undefined) return at.drop("malformed");
    const subject = { name: this.#says.name, ip: at.ip };
    const proof = answer.cookie && at.deps.verification.redeem(answer.cookie, subject, shield);
    const sent = at.head.subarray(0, at.offset);
    // The backend hears neither of the question nor of a transfer that was the edge's own.
    const asSent = proof === undefined ? sent : asLogin(sent, at.handshakeEnd);
    at.head = Buffer.concat([asSent, at.head.subarray(answer.end)]);
    return judge(at, { ...this.#says, proof });
  }
}

export function mayBringCookie({ client, shield, deps }: Conversation, protocol: number): boolean {
  if (client?.intent !== "transfer" || shield === undefined) return false;
  return deps.verification.asksForCookie(shield, protocol);
}

export function askForCookie(at: Conversation, says: LoginSays): true {
  at.phase = new CookieQuestion(says);
  at.life.deadline(at.deps.verification.cookieMs);
  at.socket.write(cookieRequest);
  return true;
}
