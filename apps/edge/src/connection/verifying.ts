import type {
  ChallengedConnection,
  ChallengedLogin,
  PlayerVerification,
} from "#src/challenge/verification-service.ts";
import type { VerificationFailure } from "#src/challenge/rules/verification-failure.ts";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { Challenge } from "@palisade/login-rules/shared/verified-players";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import { type JavaConnection, Step } from "./java-connection.ts";
import { kickUnverified } from "./login-kicks.ts";
import type { Login } from "./login-outcome.ts";

const nothing = Buffer.alloc(0);

/** An unknown player passes a challenge before they may join. */
export class Verifying extends Step implements ChallengedConnection {
  /** Only an account is asked of a server; all else is answered at once. */
  override usesNode = false;
  readonly #login: Login;
  readonly #shield: CompiledShield;
  #verification: PlayerVerification | undefined;
  /** The rest of the challenge's time at the next deadline. */
  #leftMs = 0;

  constructor(login: Login, shield: CompiledShield) {
    super();
    this.#login = login;
    this.#shield = shield;
  }

  begin(challenge: Challenge): void {
    const { conn } = this.#login;
    const { admission, verification } = conn.deps;
    const { head, offset } = conn;
    const early = head.length > offset ? head.subarray(offset) : nothing;
    conn.forget();
    this.usesNode = challenge === "premium";
    conn.step = this;
    admission.answered(conn);
    this.#leftMs = verification.totalMs(challenge);
    this.#wait();
    this.#verification = verification.begin(this.#challenged(challenge), this);
    if (this.#verification === undefined) this.unverified("no-room", undefined);
    else if (early.length > 0) this.#verification.received(early);
  }

  override received(_conn: JavaConnection, chunk: Buffer): void {
    this.#verification?.received(chunk);
  }

  override expire(): void {
    if (this.#leftMs <= 0) return this.#verification?.expire();
    this.#wait();
    this.#verification?.keepAlive();
  }

  /** Until the end of the challenge's time, or until the client has to hear from the edge again. */
  #wait(): void {
    const { conn } = this.#login;
    const ms = Math.min(this.#leftMs, conn.deps.verification.keepAliveEveryMs);
    this.#leftMs -= ms;
    conn.deadline(ms);
  }

  /** A client that has hung up hears no more. A reset costs less than an orderly end, and leaves nothing behind. */
  override ended(conn: JavaConnection): void {
    conn.finish("left");
    conn.reset();
    this.closed();
  }

  override closed(): void {
    this.#verification?.abort();
    this.#login.showed(this.#verification?.signals);
    this.#login.releaseName();
    this.#login.unanswered({ verification: "left" });
  }

  get ip(): IpBytes {
    return this.#login.ip;
  }

  get trace(): string {
    return this.#login.trace;
  }

  get receivedBytes(): number {
    return this.#login.conn.receivedBytes;
  }

  send(bytes: Buffer): void {
    const { socket, deps } = this.#login.conn;
    socket.write(bytes);
    if (socket.unsentBytes > deps.verification.unsentBytesMax) this.#verification?.makeRoom();
  }

  answered(): void {
    const { conn } = this.#login;
    conn.deps.admission.answered(conn);
  }

  verified(last: Buffer = nothing, transfers: boolean): void {
    const { conn } = this.#login;
    this.#login.showed(this.#verification?.signals);
    this.#login.verified();
    if (transfers) conn.closeBehind(last);
    else conn.closeAfter(last);
  }

  unverified(fault: VerificationFailure, last: Buffer | undefined): void {
    const login = this.#login;
    login.showed(this.#verification?.signals);
    login.kick(kickUnverified(login, this.#shield, login.conn.deps.mitigation, fault, last));
  }

  #challenged(challenge: Challenge): ChallengedLogin {
    const { name, protocol, forge, conn } = this.#login;
    const { host = "", port = 0 } = conn.client ?? {};
    return { shield: this.#shield, name, protocol, host, port, challenge, forge };
  }
}
