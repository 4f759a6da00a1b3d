import type { Challenge } from "#src/rules/shared/verified-players.ts";
import type {
  ChallengedConnection,
  ChallengedLogin,
  PlayerVerification,
} from "#src/challenge/player-verification.ts";
import type { VerificationFailure } from "#src/challenge/rules/verification-failure.ts";
import { AdmittedPhase } from "./admitted-phase.ts";
import type { ConnectionState } from "./connection-state.ts";
import { kickUnverified } from "./login-kicks.ts";
import { logLogin, noteLogin } from "./login-outcome.ts";

const nothing = Buffer.alloc(0);

/** An unknown player passes a challenge before they may join. */
export class Verifying extends AdmittedPhase implements ChallengedConnection {
  #verification: PlayerVerification | undefined;

  begin(challenge: Challenge): void {
    const { conn } = this;
    const { admission, verification } = conn.deps;
    const early = conn.head.subarray(conn.offset);
    conn.forget();
    conn.phase = this;
    admission.answered(conn);
    conn.life.deadline(verification.totalMs(challenge));
    this.#verification = verification.begin(this.#login(challenge), this);
    if (this.#verification === undefined) this.unverified("no-room", undefined);
    else if (early.length > 0) this.#verification.received(early);
  }

  override received(_conn: ConnectionState, chunk: Buffer): void {
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
    this.conn.socket.write(bytes);
  }

  answered(): void {
    this.conn.deps.admission.answered(this.conn);
  }

  verified(last: Buffer = nothing, transfers: boolean): void {
    const { conn, trace } = this;
    const { name } = this.request;
    this.releaseName();
    noteLogin(conn, { verdict: "verified", player: name, trace });
    conn.life.finish("verified");
    logLogin(conn, "verified", name);
    if (transfers) conn.closeBehind(last);
    else conn.closeAfter(last);
  }

  unverified(fault: VerificationFailure, last: Buffer | undefined): void {
    const { request, conn } = this;
    this.kick(kickUnverified(request, this.admitted.shield, conn.deps.mitigation, fault, last));
  }

  #login(challenge: Challenge): ChallengedLogin {
    const { request, trace } = this;
    const { shield } = this.admitted;
    const { host = "", port = 0 } = this.conn.client ?? {};
    const { name, ip, protocol } = request;
    return { shield, name, ip, protocol, host, port, challenge, trace };
  }
}
