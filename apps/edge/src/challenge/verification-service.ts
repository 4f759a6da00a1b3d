import { canTransfer } from "@palisade/minecraft-protocol/java/cookies";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import { canBeAsked } from "@palisade/login-rules/askable";
import { asksAt } from "@palisade/login-rules/login-verdict";
import type { Challenge, VerifiedPlayers } from "@palisade/login-rules/shared/verified-players";
import type { Signals } from "@palisade/login-rules/suspicion";
import type { Trial } from "@palisade/login-rules/login-attempt";
import { trialName, trialPassMs } from "@palisade/login-rules/trial";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import { shareOf, totalMsOf, type VerificationLimits } from "./rules/limits.ts";
import { AccountVerifier, createLoginKey } from "./account-challenge.ts";
import { VerificationSlots, type VerificationSlot } from "./rules/verification-slots.ts";
import { type SessionServerBreaker, SessionServer } from "./session-server.ts";
import { checkTransferCookie, type CookieSubject, type UsedCookies } from "./transfer-cookie.ts";
import {
  isEdgeFailure,
  type VerificationFailure,
  kickReasonOf,
} from "./rules/verification-failure.ts";
import {
  type Turn,
  Verification,
  type VerificationDeps,
  type VerificationListener,
} from "./verification.ts";

export interface VerificationServiceDeps extends Omit<
  PlayerVerificationDeps,
  "premium" | "limits"
> {
  readonly limits: VerificationLimits;
  readonly usedCookies: UsedCookies;
  readonly sessionServerUrl: string;
  /** Threads that share what the edge may do at once; of all that this one has an equal part. */
  readonly shares?: number;
  /** The state of the session server, shared by all threads. */
  readonly breaker?: SessionServerBreaker;
}

/** Starts a worker's verifications and reads the cookies of returning players. */
export class VerificationService {
  readonly #deps: VerificationServiceDeps;
  readonly #room: VerificationSlots;
  #premium: AccountVerifier | undefined;

  constructor(deps: VerificationServiceDeps) {
    this.#deps = { ...deps, limits: shareOf(deps.limits, deps.shares ?? 1) };
    this.#room = new VerificationSlots(this.#deps.limits);
  }

  /** Players in verification now. */
  get inProgress(): number {
    return this.#room.seated;
  }

  /** Whether the key for it is there. */
  get canCheckAccounts(): boolean {
    return this.#premium !== undefined;
  }

  /** Makes the key players encrypt to. Until it is there, accounts cannot be proven. */
  async prepare(): Promise<void> {
    const { limits, monotonicMs, breaker, sessionServerUrl: url } = this.#deps;
    const sessions = new SessionServer({ url, limits, monotonicMs, breaker });
    const key = await createLoginKey();
    this.#premium = new AccountVerifier({ key, sessions, limits, monotonicMs });
  }

  /** Whether players of this version can be asked for the challenge. */
  canAsk(challenge: Challenge, protocol: number): boolean {
    return canBeAsked(challenge, protocol);
  }

  /** From Login Start until such a challenge is given. */
  totalMs(challenge: Challenge): number {
    return totalMsOf(challenge, this.#deps.limits);
  }

  /** How often a player in verification hears from the edge at least. */
  get keepAliveEveryMs(): number {
    return this.#deps.limits.keepAliveEveryMs;
  }

  /** Bytes that may wait for a player who does not read. */
  get unsentBytesMax(): number {
    return this.#deps.limits.unsentBytesMax;
  }

  get cookieMs(): number {
    return this.#deps.limits.cookieMs;
  }

  /** Undefined if there is no slot. The result may be reported before this returns. */
  begin(login: ChallengedLogin, connection: ChallengedConnection): PlayerVerification | undefined {
    const { monotonicMs } = this.#deps;
    const premium = this.#premium;
    const verification = new PlayerVerification(login, { ...this.#deps, premium }, connection);
    const makeRoom = (): void => verification.makeRoom();
    const seat = this.#room.enter(login.shield.id, monotonicMs(), makeRoom);
    if (seat === undefined) return undefined;
    verification.start(seat);
    return verification;
  }

  /**
   * Whether to ask a transferred player for a cookie. Players who are never challenged, whitelisted
   * ones and all in shadow mode, are not asked.
   */
  asksForCookie({ rules, verification }: CompiledShield, protocol: number, ip: IpBytes): boolean {
    const { mitigation } = rules;
    const mayAsk = !mitigation.shadow && asksAt(mitigation, ip);
    return mayAsk && verification.cookieKey !== undefined && canTransfer(protocol);
  }

  /**
   * The challenge that the cookie proves, once on this edge and for this login alone. The edge does
   * not remember the player for it: otherwise the key of one shield could make any player known to
   * all the others.
   */
  redeem(cookie: Buffer, subject: CookieSubject, shield: CompiledShield): Challenge | undefined {
    const { cookieKey } = shield.verification;
    if (cookieKey === undefined) return undefined;
    const { nowMs, usedCookies } = this.#deps;
    const now = nowMs();
    const check = checkTransferCookie(cookie, subject, cookieKey, now);
    if (check.kind !== "valid") return undefined;
    return usedCookies.use(check.id, check.expiresAtMs, now) ? check.challenge : undefined;
  }
}

/** A login that must pass a challenge before it sees a backend. */
export interface ChallengedLogin {
  readonly shield: CompiledShield;
  readonly protocol: number;
  readonly name: string;
  readonly ip: IpBytes;
  /** As the handshake names them. */
  readonly host: string;
  readonly port: number;
  readonly challenge: Challenge;
  /** The handshake has the marker of Forge. */
  readonly forge: boolean;
  readonly trace: string;
}

/** The connection of a player who is verified. */
export interface ChallengedConnection {
  send(bytes: Buffer): void;
  /** The player goes on answering, and is now the last to make room. */
  answered(): void;
  /** @param transfers the client closes the connection itself once it has read it */
  verified(last: Buffer | undefined, transfers: boolean): void;
  unverified(fault: VerificationFailure, last: Buffer | undefined): void;
}

export interface PlayerVerificationDeps extends VerificationDeps {
  readonly verified: Pick<VerifiedPlayers, "add">;
}

/**
 * One player's verification with everything around it: slot, counters, and the record that the
 * player is verified.
 */
export class PlayerVerification implements VerificationListener {
  readonly #login: ChallengedLogin;
  readonly #deps: PlayerVerificationDeps;
  readonly #connection: ChallengedConnection;
  readonly #machine: Verification;
  #seat: VerificationSlot | undefined;
  #isOver = false;

  constructor(
    login: ChallengedLogin,
    deps: PlayerVerificationDeps,
    connection: ChallengedConnection,
  ) {
    this.#login = login;
    this.#deps = deps;
    this.#connection = connection;
    const { shield, name, trace } = login;
    const values = { player: name, trace };
    const { kicks, verification, rules } = shield;
    this.#machine = new Verification(
      {
        ...login,
        isStrict: rules.mitigation.advanced_antibot,
        allowsTextCaptcha: rules.mitigation.text_captcha,
        cookieKey: verification.cookieKey,
        text: (about) => {
          const isPassed = about === "rejoin";
          const kick = isPassed
            ? verification.rejoin
            : kicks[kickReasonOf(about, rules.mitigation)];
          return kick.text(values);
        },
      },
      deps,
      this,
    );
  }

  start(seat: VerificationSlot): void {
    this.#seat = seat;
    if (this.#trial === undefined) this.#login.shield.counters.challenged++;
    this.#machine.start();
  }

  received(chunk: Buffer): void {
    this.#machine.received(chunk);
  }

  get signals(): Signals {
    return this.#machine.signals;
  }

  /** The deadline has passed. */
  expire(): void {
    this.#machine.expire();
  }

  /** To be called every `keepAliveEveryMs`. */
  keepAlive(): void {
    this.#machine.keepAlive();
  }

  makeRoom(): void {
    this.#machine.makeRoom();
  }

  /** The connection is gone. */
  abort(): void {
    this.#machine.abort();
    this.#seat?.leave();
    this.#notPassed();
  }

  send(bytes: Buffer): void {
    this.#connection.send(bytes);
  }

  answered(turn: Turn): void {
    const nowMs = this.#deps.monotonicMs();
    if (turn === "edge") this.#seat?.working();
    else if (turn === "reader") this.#seat?.reading(nowMs);
    else this.#seat?.asked(nowMs);
    this.#connection.answered();
  }

  passed(last: Buffer | undefined, transfers: boolean, tookMs: number): void {
    const { shield, name, ip, protocol, challenge } = this.#login;
    const { verified, nowMs } = this.#deps;
    this.#seat?.leave();
    this.#isOver = true;
    const trial = this.#trial;
    if (trial === undefined) {
      verified.add(name, ip, challenge, nowMs(), shield.rules.mitigation.verified_ms);
      shield.counters.passed(tookMs, protocol, challenge);
    } else {
      verified.add(trialName(name, trial), ip, challenge, nowMs(), trialPassMs);
    }
    this.#connection.verified(last, transfers);
  }

  failed(fault: VerificationFailure, last: Buffer | undefined): void {
    this.#seat?.leave();
    if (isEdgeFailure(fault)) this.#isOver = true;
    this.#notPassed();
    this.#connection.unverified(fault, last);
  }

  /** Counted once, whether the player fails or leaves. */
  #notPassed(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { shield, protocol, challenge } = this.#login;
    if (this.#trial === undefined) shield.counters.failed(protocol, challenge);
  }

  get #trial(): Trial | undefined {
    return this.#login.shield.rules.mitigation.trial;
  }
}
