import { canTransfer } from "@palisade/minecraft-protocol/java/cookies";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import { canBeAsked } from "@palisade/login-rules/askable";
import { asksAt } from "@palisade/login-rules/login-verdict";
import type { Challenge, VerifiedPlayers } from "@palisade/login-rules/shared/verified-players";
import type { Signals, Trial } from "@palisade/login-rules/login-attempt";
import { trialName, trialPassMs } from "@palisade/login-rules/trial";
import type { KickTemplate, KickValues } from "#src/shields/kick-template.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { ClientState } from "./rules/client-packets.ts";
import { disconnectWith } from "./disconnects.ts";
import { packetLimitsOf, shareOf, totalMsOf, type VerificationLimits } from "./rules/limits.ts";
import { AccountVerifier, createLoginKey } from "./account-challenge.ts";
import { noSlot, type SlotHolder, VerificationSlots } from "./verification-slots.ts";
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
  type VerificationSubject,
} from "./verification.ts";

export interface VerificationServiceDeps extends Omit<
  PlayerVerificationDeps,
  "premium" | "packetLimits" | "slots"
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
  readonly #slots: VerificationSlots;
  /** All players have the same ones; a new key makes new ones. */
  #playerDeps: PlayerVerificationDeps;

  constructor(deps: VerificationServiceDeps) {
    const limits = shareOf(deps.limits, deps.shares ?? 1);
    this.#deps = { ...deps, limits };
    this.#slots = new VerificationSlots(limits);
    this.#playerDeps = {
      ...deps,
      slots: this.#slots,
      packetLimits: packetLimitsOf(limits),
      premium: undefined,
    };
  }

  /** Players in verification now. */
  get inProgress(): number {
    return this.#slots.seated;
  }

  /** Whether the key for it is there. */
  get canCheckAccounts(): boolean {
    return this.#playerDeps.premium !== undefined;
  }

  /** Makes the key players encrypt to. Until it is there, accounts cannot be proven. */
  async prepare(): Promise<void> {
    const { limits, monotonicMs, breaker, sessionServerUrl: url } = this.#deps;
    const sessions = new SessionServer({ url, limits, monotonicMs, breaker });
    const key = await createLoginKey();
    const premium = new AccountVerifier({ key, sessions, limits, monotonicMs });
    this.#playerDeps = { ...this.#playerDeps, premium };
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
    const verification = new PlayerVerification(login, this.#playerDeps, connection);
    const slot = this.#slots.enter(login.shield.id, this.#deps.monotonicMs(), verification);
    if (slot === noSlot) return undefined;
    verification.start(slot);
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
  /** As the handshake names them. */
  readonly host: string;
  readonly port: number;
  readonly challenge: Challenge;
  /** The handshake has the marker of Forge. */
  readonly forge: boolean;
}

/** The connection of a player who is verified. */
export interface ChallengedConnection {
  /** Made when it is asked for: most players leave before it is needed again. */
  readonly ip: IpBytes;
  /** The code that the player reads in a kick. */
  readonly trace: string;
  readonly receivedBytes: number;
  send(bytes: Buffer): void;
  /** The player goes on answering, and is now the last to make room. */
  answered(): void;
  /** @param transfers the client closes the connection itself once it has read it */
  verified(last: Buffer | undefined, transfers: boolean): void;
  unverified(fault: VerificationFailure, last: Buffer | undefined): void;
}

export interface PlayerVerificationDeps extends VerificationDeps {
  readonly verified: Pick<VerifiedPlayers, "add">;
  readonly slots: VerificationSlots;
}

/**
 * One player's verification with everything around it: slot, counters, and the record that the
 * player is verified.
 */
export class PlayerVerification implements VerificationListener, VerificationSubject, SlotHolder {
  readonly protocol: number;
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly challenge: Challenge;
  readonly forge: boolean;
  readonly #shield: CompiledShield;
  readonly #deps: PlayerVerificationDeps;
  readonly #connection: ChallengedConnection;
  readonly #machine: Verification;
  #slot = noSlot;
  #isOver = false;

  constructor(
    login: ChallengedLogin,
    deps: PlayerVerificationDeps,
    connection: ChallengedConnection,
  ) {
    this.protocol = login.protocol;
    this.name = login.name;
    this.host = login.host;
    this.port = login.port;
    this.challenge = login.challenge;
    this.forge = login.forge;
    this.#shield = login.shield;
    this.#deps = deps;
    this.#connection = connection;
    this.#machine = new Verification(this, deps, this);
  }

  get ip(): IpBytes {
    return this.#connection.ip;
  }

  get isStrict(): boolean {
    return this.#shield.rules.mitigation.advanced_antibot;
  }

  get allowsTextCaptcha(): boolean {
    return this.#shield.rules.mitigation.text_captcha;
  }

  get cookieKey(): Buffer | undefined {
    return this.#shield.verification.cookieKey;
  }

  text(about: "rejoin" | VerificationFailure): string {
    return this.#wordsOf(about).text(this.#values);
  }

  kick(about: "rejoin" | VerificationFailure, state: ClientState): Buffer | undefined {
    return disconnectWith(this.#wordsOf(about), state, this.protocol, this.#values);
  }

  get receivedBytes(): number {
    return this.#connection.receivedBytes;
  }

  start(slot: number): void {
    this.#slot = slot;
    if (this.#trial === undefined) this.#shield.counters.challenged++;
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
    this.#leaveSlot();
    this.#notPassed();
  }

  send(bytes: Buffer): void {
    this.#connection.send(bytes);
  }

  answered(turn: Turn): void {
    const { slots, monotonicMs } = this.#deps;
    if (turn === "edge") slots.working(this.#slot);
    else if (turn === "reader") slots.reading(this.#slot, monotonicMs());
    else slots.asked(this.#slot, monotonicMs());
    this.#connection.answered();
  }

  passed(last: Buffer | undefined, transfers: boolean, tookMs: number): void {
    const { name, ip, protocol, challenge } = this;
    const shield = this.#shield;
    const { verified, nowMs } = this.#deps;
    this.#leaveSlot();
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
    this.#leaveSlot();
    if (isEdgeFailure(fault)) this.#isOver = true;
    this.#notPassed();
    this.#connection.unverified(fault, last);
  }

  /** Counted once, whether the player fails or leaves. */
  #notPassed(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#trial === undefined) this.#shield.counters.failed(this.protocol, this.challenge);
  }

  /** Another player may have the slot from now on. */
  #leaveSlot(): void {
    this.#deps.slots.leave(this.#slot);
    this.#slot = noSlot;
  }

  #wordsOf(about: "rejoin" | VerificationFailure): KickTemplate {
    const { kicks, verification, rules } = this.#shield;
    if (about === "rejoin") return verification.rejoin;
    return kicks[kickReasonOf(about, rules.mitigation)];
  }

  get #values(): KickValues {
    return { player: this.name, trace: this.#connection.trace };
  }

  get #trial(): Trial | undefined {
    return this.#shield.rules.mitigation.trial;
  }
}
