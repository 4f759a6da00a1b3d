import type { Challenge } from "#src/rules/shared/verified-players.ts";
import type {
  ChallengedConnection,
  ChallengedLogin,
  PlayerVerification,
} from "#src/challenge/player-verification.ts";
import type { VerificationFailure } from "#src/challenge/rules/verification-failure.ts";
import { AdmittedPhase } from "./admitted-phase.ts";
import type { Conversation } from "./conversation.ts";
import { kickUnverified } from "./judge-login.ts";
import { logLogin, noteLogin } from "./login-end.ts";

const nothing = Buffer.alloc(0);

/** An unknown player passes a challenge before they may join. */
export class Verifying extends AdmittedPhase implements ChallengedConnection {
  #verification: PlayerVerification | undefined;

  begin(challenge: Challenge): void {
    const { at } = this;
    const { admission, verification } = at.deps;
    const early = at.head.subarray(at.offset);
    at.forget();
    at.phase = this;
    admission.answered(at);
    at.life.deadline(verification.totalMs(challenge));
    this.#verification = verification.begin(this.#login(challenge), this);
    if (this.#verification === undefined) this.unverified("no-room", undefined);
    else if (early.length > 0) this.#verification.received(early);
  }

  override received(_at: Conversation, chunk: Buffer): void {
    this.#verification?.received(chunk);
  }

  override expire(): void {
    this.#verification?.expire();
  }

  override closed(): void {
    this.#verification?.abort();
    super.closed();
    this.unanswered({ verification: "left" });
  }

  send(bytes: Buffer): void {
    this.at.socket.write(bytes);
  }

  answered(): void {
    this.at.deps.admission.answered(this.at);
  }

  verified(last: Buffer = nothing, transfers: boolean): void {
    const { at, trace } = this;
    const { name } = this.request;
    this.releaseName();
    noteLogin(at, { verdict: "verified", player: name, trace });
    at.life.finish("verified");
    logLogin(at, "verified", name);
    if (transfers) at.closeBehind(last);
    else at.closeAfter(last);
  }

  unverified(fault: VerificationFailure, last: Buffer | undefined): void {
    const { request, at } = this;
    this.kick(kickUnverified(request, this.admitted.shield, at.deps.mitigation, fault, last));
  }

  #login(challenge: Challenge): ChallengedLogin {
    const { request, trace } = this;
    const { shield } = this.admitted;
    const { host = "", port = 0 } = this.at.client ?? {};
    const { name, ip, protocol } = request;
    return { shield, name, ip, protocol, host, port, challenge, trace };
  }
}
