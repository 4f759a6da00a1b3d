import { randomInt } from "node:crypto";
import {
  canTransfer,
  encodeStoreCookie,
  encodeTransfer,
} from "@palisade/minecraft-protocol/java/cookies";
import {
  acknowledgesLogin,
  encodeLoginSuccess,
  loginAcknowledgedPacketId,
} from "@palisade/minecraft-protocol/java/login-success";
import { unprovenUuid } from "@palisade/minecraft-protocol/java/uuid";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { Challenge } from "@palisade/login-rules/shared/verified-players";
import type { Signals } from "@palisade/login-rules/login-attempt";
import { noSignals } from "@palisade/login-rules/suspicion";
import { AccountChallenge, type AccountVerifier } from "./account-challenge.ts";
import { type LimboDeps, LimboVisit } from "./limbo-visit.ts";
import type { ClientState, Packet } from "./rules/client-packets.ts";
import { ClientSettings } from "./rules/client-settings.ts";
import { shortDisconnectOf } from "./disconnects.ts";
import { type PacketLimits, verificationLimits } from "./rules/limits.ts";
import { PacketStream } from "./rules/packet-stream.ts";
import { ProtocolChallenge } from "./rules/protocol-challenge.ts";
import type { VerificationFailure } from "./rules/verification-failure.ts";
import { needsLimbo } from "./steps/plan.ts";
import type { StepOutcome } from "./rules/step-outcome.ts";
import { createTransferCookie, transferCookieKey } from "./transfer-cookie.ts";

export interface VerificationSubject {
  readonly protocol: number;
  readonly name: string;
  readonly ip: IpBytes;
  /** Host the player came by and is sent back to; "" if it is not known. */
  readonly host: string;
  readonly port: number;
  /** All but `protocol` and `premium` only for versions that can enter the limbo. */
  readonly challenge: Challenge;
  /** The handshake has the marker of Forge. */
  readonly forge?: boolean;
  /** Client information and brand must come, where the game sends them by itself, and make sense. */
  readonly isStrict: boolean;
  /** The owner gives the code of a captcha as text to players who ask for it. */
  readonly allowsTextCaptcha: boolean;
  /** Undefined: the player has to join again by themselves. */
  readonly cookieKey: Uint8Array | undefined;
  /** The text for the player, placeholders filled in: that they may join again, or why not. */
  text(about: "rejoin" | VerificationFailure): string;
  /** The same as the packet of a state; undefined in a state that the version does not have. */
  kick(about: "rejoin" | VerificationFailure, state: ClientState): Buffer | undefined;
  /** Bytes that the client has sent on this connection. */
  readonly receivedBytes: number;
}

/** The one who has to do something next; `reader`: a person who reads a captcha. */
export type Turn = "edge" | "client" | "reader";

/** The owner of the connection. No method is called after `passed` or `failed`. */
export interface VerificationListener {
  /** May call `makeRoom` if the player does not read. */
  send(bytes: Buffer): void;
  /** The player has answered. */
  answered(turn: Turn): void;
  /**
   * @param last the last packets for the player; `transfers`: the client closes the connection itself
   *   and comes back; `tookMs`: since its login succeeded
   */
  passed(last: Buffer | undefined, transfers: boolean, tookMs: number): void;
  failed(fault: VerificationFailure, last: Buffer | undefined): void;
}

export interface VerificationDeps extends LimboDeps {
  /** By the challenge. */
  readonly packetLimits: Readonly<Record<Challenge, PacketLimits>>;
  /** Undefined while accounts cannot be checked. */
  readonly premium: AccountVerifier | undefined;
  /** Time of day. */
  readonly nowMs: () => number;
}

/** The expected packet; `session`: the edge asks the session server, and the player waits. */
type State = "encryption" | "session" | "acknowledgement" | "game" | "over";

const nothing = Buffer.alloc(0);
const { sentPerReceivedMax } = verificationLimits;

/**
 * The first join of an unknown player, which ends at the edge itself: a login as a server does it, a
 * keep-alive, and for the stronger grades a stay in the limbo; then the player is sent to join again.
 * This class takes and gives bytes and knows neither socket nor timer: its owner calls `expire` at the
 * deadline.
 */
export class Verification {
  readonly #subject: VerificationSubject;
  readonly #deps: VerificationDeps;
  readonly #owner: VerificationListener;
  // Made when they are needed: most bots leave or fall silent before.
  #packets: PacketStream | undefined;
  #settings: ClientSettings | undefined;
  /** The questions that the client answers once it is logged in. */
  #game: ProtocolChallenge | LimboVisit | undefined;
  /** Only for players whose account is checked. */
  #account: AccountChallenge | undefined;
  #state: State = "encryption";
  #loggedInAtMs = 0;
  /** Bytes that were sent. */
  #sentBytes = 0;
  /** A question that waits until the bytes behind its cause are read. */
  #unsent: Buffer = nothing;

  constructor(subject: VerificationSubject, deps: VerificationDeps, owner: VerificationListener) {
    this.#subject = subject;
    this.#deps = deps;
    this.#owner = owner;
  }

  start(): void {
    const { challenge, name } = this.#subject;
    if (challenge !== "premium") return this.#logIn(unprovenUuid(name));
    const { premium } = this.#deps;
    if (premium?.isAvailable !== true) return void this.#fail("session-server");
    this.#account = new AccountChallenge(premium, this.#subject);
    this.#send(this.#account.request);
  }

  received(chunk: Buffer): void {
    if (this.#state === "over") return;
    if (!this.#stream.receive(chunk)) return void this.#fail("too-much");
    this.#advance();
  }

  /** Signals that the client has given so far. */
  get signals(): Signals {
    return this.#settings?.signals ?? noSignals;
  }

  /** The deadline has passed. */
  expire(): void {
    this.#fail(this.#state === "session" ? "session-server" : "silence");
  }

  /** To be called now and then. A player who has not answered the first question by then fails. */
  keepAlive(): void {
    if (this.#state === "over" || !needsLimbo(this.#subject.challenge)) return;
    const question = this.#game instanceof LimboVisit ? this.#game.keepAlive() : undefined;
    if (question === undefined) this.#fail("silence");
    else this.#send(question);
  }

  /** Others need the place. */
  makeRoom(): void {
    this.#fail("too-slow");
  }

  /** The connection is gone. */
  abort(): void {
    this.#state = "over";
    this.#packets?.close();
    this.#account?.abort();
  }

  get #stream(): PacketStream {
    const { packetLimits } = this.#deps;
    return (this.#packets ??= new PacketStream(packetLimits[this.#subject.challenge]));
  }

  #advance(): void {
    while (this.#state !== "over" && this.#state !== "session" && this.#step());
    if (this.#state !== "over" && this.#unsent.length > 0) this.#send(nothing);
  }

  #step(): boolean {
    const frame = this.#stream.nextPacket();
    if (frame.kind === "need-more") return false;
    if (frame.kind !== "packet") return this.#fail(frame.kind);
    if (this.#state === "encryption") return this.#tookEncryption(frame);
    if (this.#state === "acknowledgement") return this.#tookAcknowledgement(frame);
    return this.#tookAnswer(frame);
  }

  #tookEncryption(frame: Packet): boolean {
    const account = this.#account;
    if (account === undefined) return this.#fail("unexpected");
    const secret = account.answered(this.#stream, frame);
    if (typeof secret === "string") return this.#fail(secret);
    this.#state = "session";
    this.#owner.answered("edge");
    void this.#askSessionServer(account, secret);
    return false;
  }

  async #askSessionServer(account: AccountChallenge, secret: Buffer): Promise<void> {
    const id = await account.idOf(secret);
    if (this.#state !== "session") return;
    if (typeof id === "string") return void this.#fail(id);
    this.#logIn(id);
    this.#advance();
  }

  /** Tells the client that it is logged in. */
  #logIn(uuid: Buffer): void {
    const { protocol, name } = this.#subject;
    const success = encodeLoginSuccess(protocol, { uuid, name });
    // A whole number takes no memory of its own.
    this.#loggedInAtMs = Math.trunc(this.#deps.monotonicMs());
    const acknowledges = acknowledgesLogin(protocol);
    this.#state = acknowledges ? "acknowledgement" : "game";
    if (acknowledges) this.#send(success);
    else this.#ask(success);
    this.#owner.answered("client");
  }

  #tookAcknowledgement(frame: Packet): boolean {
    const isEmpty = frame.bodyStart === frame.bodyEnd;
    if (frame.id !== loginAcknowledgedPacketId || !isEmpty) return this.#fail("unexpected");
    this.#state = "game";
    this.#owner.answered("client");
    this.#ask(nothing);
    return true;
  }

  #ask(before: Buffer): void {
    const { protocol, isStrict } = this.#subject;
    const keepAliveId = randomInt(1, 0x7fff_ffff);
    this.#settings = new ClientSettings(isStrict, this.#subject);
    this.#game = new ProtocolChallenge(protocol, this.#settings, keepAliveId);
    const question = this.#game.begin();
    // The table of versions has a keep-alive for each state; without it no player could pass.
    if (question === undefined) return void this.#fail("unexpected");
    // Most who have sent more by now have answered wrongly: then one packet has question and kick.
    const bytes = before.length === 0 ? question : Buffer.concat([before, question]);
    if (this.#packets?.hasMore === true) this.#unsent = bytes;
    else this.#send(bytes);
  }

  #tookAnswer(frame: Packet): boolean {
    if (this.#game === undefined) return this.#fail("unexpected");
    const result = this.#game.take(this.#stream.received, frame);
    if (typeof result === "string") return this.#cameTo(result);
    this.#send(result.send);
    return this.#cameTo(result.outcome ?? "on");
  }

  #cameTo(outcome: StepOutcome): boolean {
    // The player did not read what they were sent last, and had to make room.
    if (this.#state === "over") return false;
    if (outcome === "on") return true;
    if (outcome === "passed") return this.#hasMore ? this.#enterLimbo() : this.#pass();
    if (outcome !== "answered") return this.#fail(outcome);
    const isReading = this.#game instanceof LimboVisit && this.#game.isReading;
    this.#owner.answered(isReading ? "reader" : "client");
    return true;
  }

  /** Whether the grade asks for more than the login and a keep-alive. */
  get #hasMore(): boolean {
    return this.#game instanceof ProtocolChallenge && needsLimbo(this.#subject.challenge);
  }

  #enterLimbo(): boolean {
    const subject = this.#subject;
    this.#settings ??= new ClientSettings(subject.isStrict, subject);
    const visit = new LimboVisit(subject, this.#settings, this.#deps);
    const world = visit.begin();
    // Players of versions without one are not asked for it.
    if (world === undefined) return this.#fail("unexpected");
    this.#game = visit;
    this.#owner.answered("client");
    this.#send(world);
    return true;
  }

  #pass(): false {
    const back = this.#wayBack();
    const last = back ?? this.#disconnect("rejoin");
    const tookMs = this.#deps.monotonicMs() - this.#loggedInAtMs;
    this.abort();
    this.#owner.passed(last && this.#sealed(last), back !== undefined, tookMs);
    return false;
  }

  /** Undefined if the player has to come back by themselves. */
  #wayBack(): Buffer | undefined {
    const { protocol, cookieKey, host, port } = this.#subject;
    if (cookieKey === undefined || host === "" || !canTransfer(protocol)) return undefined;
    const cookie = createTransferCookie(
      this.#subject,
      this.#subject.challenge,
      cookieKey,
      this.#deps.nowMs(),
    );
    const state = this.#gameState;
    const store = encodeStoreCookie(state, protocol, transferCookieKey, cookie);
    const transfer = encodeTransfer(state, protocol, host, port);
    return store && transfer && Buffer.concat([store, transfer]);
  }

  #fail(fault: VerificationFailure): false {
    if (this.#state === "over") return false;
    const last = this.#disconnect(fault);
    this.abort();
    this.#owner.failed(fault, last && this.#sealed(last));
    return false;
  }

  /** Whether the client has answered a question that no recording answers. */
  get #hasAnswered(): boolean {
    if (this.#account !== undefined) return this.#state !== "encryption";
    return this.#game instanceof LimboVisit;
  }

  #send(bytes: Buffer): void {
    this.#owner.send(this.#sealed(bytes));
  }

  /** Bytes for the client, behind those that wait. */
  #sealed(more: Buffer): Buffer {
    const bytes = this.#unsent.length === 0 ? more : Buffer.concat([this.#unsent, more]);
    this.#unsent = nothing;
    this.#sentBytes += bytes.length;
    return this.#packets?.sealed(bytes) ?? bytes;
  }

  /** The state of a client that is logged in. */
  get #gameState(): Exclude<ClientState, "login"> {
    return this.#game?.state ?? "configuration";
  }

  #disconnect(about: "rejoin" | VerificationFailure): Buffer | undefined {
    const subject = this.#subject;
    const isLoggedIn = this.#state === "acknowledgement" || this.#state === "game";
    const state = isLoggedIn ? this.#gameState : "login";
    const packet = subject.kick(about, state);
    if (packet === undefined || about === "rejoin" || this.#hasAnswered) return packet;
    const sentBytes = this.#sentBytes + this.#unsent.length;
    const max = sentPerReceivedMax * subject.receivedBytes - sentBytes;
    if (packet.length <= max) return packet;
    return shortDisconnectOf(state, subject.protocol, subject.text(about), max);
  }
}
