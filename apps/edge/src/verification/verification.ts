import { randomInt } from "node:crypto";
import type { ClientPacket } from "@palisade/minecraft-protocol/java/client-packet";
import {
  decodeEncryptionResponse,
  encodeEncryptionRequest,
  encryptionResponsePacketId,
} from "@palisade/minecraft-protocol/java/encryption";
import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import {
  acknowledgesLogin,
  encodeLoginSuccess,
  loginAcknowledgedPacketId,
} from "@palisade/minecraft-protocol/java/login-success";
import {
  canTransfer,
  encodeStoreCookie,
  encodeTransfer,
} from "@palisade/minecraft-protocol/java/cookies";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import { FallCheck } from "@palisade/minecraft-protocol/java/gravity/fall";
import type { Movement } from "@palisade/minecraft-protocol/java/gravity/movement";
import { offlineUuid } from "./hashes.ts";
import type { Proof } from "#src/protection/shared/verified-players.ts";
import { isSaneBrand, isSaneInformation } from "./client-sanity.ts";
import {
  clientPacketOf,
  disconnectOf,
  keepAliveOf,
  type Packet,
  type Stage,
} from "./client-stage.ts";
import { arrivalOf, movementOf, teleportId } from "./gravity.ts";
import type { VerificationLimits } from "./limits.ts";
import { type ConnectionCipher, createCipher } from "./premium-key.ts";
import type { PremiumProof } from "./premium-proof.ts";
import { createTransferCookie, transferCookieKey } from "./transfer-cookie.ts";

export interface VerificationSubject {
  readonly protocol: number;
  readonly name: string;
  readonly ip: IpBytes;
  /** What he came by and is sent back to; "" where that cannot be said. */
  readonly host: string;
  readonly port: number;
  /** `gravity`: of versions that can fall, beside the protocol. */
  readonly proof: Proof;
  /** Client information and brand must come, where the game sends them by itself, and make sense. */
  readonly isStrict: boolean;
  /** Undefined: he joins again by himself. */
  readonly cookieKey: Uint8Array | undefined;
  /** What he reads, placeholders filled in: that he may join again, or why he may not. */
  readonly text: (about: "rejoin" | VerificationFault) => string;
}

/** Why somebody did not pass, for log and counters. */
export type VerificationFault =
  | "malformed"
  | "unexpected"
  | "wrong-echo"
  | "too-much"
  | "no-settings"
  | "odd-settings"
  | "no-fall"
  | "silence"
  | "no-room"
  | "encryption"
  | "not-premium"
  | "session-server";

/** Whose connection it is. Nothing is called any more after `passed` or `failed`. */
export interface VerificationOwner {
  send(bytes: Buffer): void;
  /** The player has answered; `isOurTurn`: and now waits for the edge. */
  answered(isOurTurn: boolean): void;
  /** @param last what he is told; `transfers`: he closes the connection himself and comes back */
  passed(last: Buffer | undefined, transfers: boolean): void;
  failed(fault: VerificationFault, last: Buffer | undefined): void;
}

export interface VerificationDeps {
  readonly limits: VerificationLimits;
  /** Undefined where accounts cannot be proven. */
  readonly premium: PremiumProof | undefined;
  /** Time of day. */
  readonly nowMs: () => number;
}

type State = "encryption" | "session" | "acknowledgement" | "echo" | "over";

const nothing = Buffer.alloc(0);

/**
 * The first join of an unknown player, ended at the edge itself: a login as a server would do it,
 * up to a keep-alive that comes back; then he is sent to join again. Takes bytes, gives bytes, and
 * knows neither socket nor timer: its owner calls `expire` at the deadline.
 */
export class Verification {
  readonly #subject: VerificationSubject;
  readonly #deps: VerificationDeps;
  readonly #owner: VerificationOwner;
  #state: State = "acknowledgement";
  #stage: Stage = "login";
  #head: Buffer = nothing;
  #offset = 0;
  #bytes = 0;
  #packets = 0;
  #token: Buffer = nothing;
  #cipher: ConnectionCipher | undefined;
  #uuid: Buffer | undefined;
  /** Ends the question to the session server. */
  #gone: AbortController | undefined;
  #keepAlive = 0n;
  #hasEchoed = false;
  /** Undefined where he need not fall, or has fallen. */
  #fall: FallCheck | undefined;
  #hasInformation = false;
  #hasBrand = false;

  constructor(subject: VerificationSubject, deps: VerificationDeps, owner: VerificationOwner) {
    this.#subject = subject;
    this.#deps = deps;
    this.#owner = owner;
  }

  start(): void {
    if (this.#subject.proof !== "premium") return this.#succeed();
    const { premium } = this.#deps;
    if (premium?.isAvailable !== true) return void this.#fail("session-server");
    this.#state = "encryption";
    this.#token = premium.createToken();
    const request = { ...premium.request, verifyToken: this.#token };
    this.#owner.send(encodeEncryptionRequest(this.#subject.protocol, request));
  }

  received(chunk: Buffer): void {
    if (this.#state === "over") return;
    this.#bytes += chunk.length;
    if (this.#bytes > this.#deps.limits.bytesMax) return void this.#fail("too-much");
    const plain = this.#cipher?.decrypt(chunk) ?? chunk;
    const isMore = this.#offset < this.#head.length;
    this.#head = isMore ? Buffer.concat([this.#head.subarray(this.#offset), plain]) : plain;
    this.#offset = 0;
    this.#advance();
  }

  /** The deadline has passed. */
  expire(): void {
    this.#fail(this.#state === "session" ? "session-server" : "silence");
  }

  /** Others need the place. */
  makeRoom(): void {
    this.#fail("no-room");
  }

  /** The connection is gone. */
  abort(): void {
    this.#state = "over";
    this.#head = nothing;
    this.#gone?.abort();
  }

  #advance(): void {
    while (this.#state !== "over" && this.#state !== "session" && this.#step());
  }

  #step(): boolean {
    const { frameBytesMax, packetsMax, fallPacketsMax } = this.#deps.limits;
    const frame = readFrame(this.#head, this.#offset, frameBytesMax);
    if (frame.kind === "need-more") return false;
    if (frame.kind === "malformed") return this.#fail("malformed");
    if (++this.#packets > (this.#subject.proof === "gravity" ? fallPacketsMax : packetsMax))
      return this.#fail("too-much");
    this.#offset = frame.bodyEnd;
    if (this.#state === "encryption") return this.#tookEncryption(frame);
    if (this.#state === "acknowledgement") return this.#tookAcknowledgement(frame);
    return this.#tookAnswer(frame);
  }

  #tookEncryption(frame: Packet): boolean {
    const { protocol } = this.#subject;
    const { premium } = this.#deps;
    if (frame.id !== encryptionResponsePacketId) return this.#fail("unexpected");
    const { bodyStart, bodyEnd } = frame;
    const response = decodeEncryptionResponse(this.#head, bodyStart, bodyEnd, protocol);
    if (!response.ok) return this.#fail("malformed");
    // What follows would be encrypted already, and comes only after the next packet of ours.
    if (this.#offset < this.#head.length) return this.#fail("unexpected");
    const { encryptedSecret, proof } = response;
    const secret = premium?.secretOf(encryptedSecret, proof, this.#token);
    if (secret === "busy") return this.#fail("no-room");
    const cipher = secret && createCipher(secret);
    if (secret === undefined || cipher === undefined) return this.#fail("encryption");
    this.#cipher = cipher;
    this.#state = "session";
    this.#owner.answered(true);
    void this.#askSessionServer(secret);
    return false;
  }

  async #askSessionServer(secret: Buffer): Promise<void> {
    const { name } = this.#subject;
    this.#gone = new AbortController();
    const answer = await this.#deps.premium?.hasJoined(name, secret, this.#gone.signal);
    if (this.#state !== "session") return;
    if (answer?.kind === "unknown") return void this.#fail("not-premium");
    if (answer?.kind !== "joined") return void this.#fail("session-server");
    if (answer.name.toLowerCase() !== name.toLowerCase()) return void this.#fail("not-premium");
    this.#uuid = Buffer.from(answer.id, "hex");
    this.#succeed();
    this.#advance();
  }

  /** Tells the client that it is logged in. */
  #succeed(): void {
    const { protocol, name } = this.#subject;
    const uuid = this.#uuid ?? offlineUuid(name);
    const packet = encodeLoginSuccess(protocol, { uuid, name });
    if (acknowledgesLogin(protocol)) {
      this.#stage = "configuration";
      this.#state = "acknowledgement";
      this.#send(packet);
    } else {
      this.#stage = "play";
      this.#ask(this.#subject.proof === "gravity" ? this.#drop(packet) : packet);
    }
    this.#owner.answered(false);
  }

  #tookAcknowledgement(frame: Packet): boolean {
    const isEmpty = frame.bodyStart === frame.bodyEnd;
    if (frame.id !== loginAcknowledgedPacketId || !isEmpty) return this.#fail("unexpected");
    this.#owner.answered(false);
    this.#ask(nothing);
    return true;
  }

  /** Puts him into an empty world, high up. */
  #drop(before: Buffer): Buffer {
    const world = arrivalOf(this.#subject.protocol);
    if (world === undefined) return before;
    this.#fall = new FallCheck();
    return Buffer.concat([before, world]);
  }

  #ask(before: Buffer): void {
    this.#state = "echo";
    this.#keepAlive = BigInt(randomInt(1, 0x7fff_ffff));
    const question = keepAliveOf(this.#stage, this.#subject.protocol, this.#keepAlive);
    // The table of versions has one for each state; without it nobody could pass.
    if (question === undefined) return void this.#fail("unexpected");
    this.#send(Buffer.concat([before, question]));
  }

  #tookAnswer(frame: Packet): boolean {
    const movement = this.#fall && movementOf(this.#subject.protocol, this.#head, frame);
    if (movement !== undefined) return this.#tookMovement(movement);
    const packet = clientPacketOf(this.#stage, this.#subject.protocol, this.#head, frame);
    switch (packet.kind) {
      case "keep-alive":
        return this.#tookEcho(packet.id);
      case "client-information":
      case "brand":
        return this.#tookSettings(packet);
      // Mods announce their channels, and versions differ in what they say by themselves.
      case "plugin-message":
      case "other":
        return true;
      case "malformed":
        return this.#fail("malformed");
      case "unknown":
      case "configuration-finished":
        return this.#fail("unexpected");
    }
  }

  #tookSettings(packet: Extract<ClientPacket, { kind: "client-information" | "brand" }>): boolean {
    const isBrand = packet.kind === "brand";
    const isSane = isBrand ? isSaneBrand(packet.brand) : isSaneInformation(packet.information);
    if (this.#subject.isStrict && !isSane) return this.#fail("odd-settings");
    if (isBrand) this.#hasBrand = true;
    else this.#hasInformation = true;
    return true;
  }

  #tookMovement(movement: Movement): boolean {
    if (movement.kind === "teleport-confirmed" && movement.teleportId !== teleportId) {
      return this.#fail("wrong-echo");
    }
    const verdict = this.#fall?.accept(movement);
    if (verdict === "wrong") return this.#fail("no-fall");
    if (verdict !== "fell") return true;
    this.#fall = undefined;
    return this.#hasEchoed ? this.#settle(true) : true;
  }

  #tookEcho(id: bigint): boolean {
    if (id !== this.#keepAlive || this.#hasEchoed) return this.#fail("wrong-echo");
    this.#hasEchoed = true;
    const isGravity = this.#subject.proof === "gravity";
    if (this.#fall === undefined) {
      // Both come as the configuration state or a world is entered, before this answer.
      return this.#settle(isGravity || this.#stage === "configuration");
    }
    // He is on his way down.
    this.#owner.answered(false);
    return true;
  }

  /** @param tells a game that has come this far has told its settings and brand before */
  #settle(tells: boolean): false {
    const isSettled = this.#hasBrand && this.#hasInformation;
    const mustSettle = this.#subject.isStrict && tells;
    return mustSettle && !isSettled ? this.#fail("no-settings") : this.#pass();
  }

  #pass(): false {
    const back = this.#wayBack();
    const last =
      back ?? disconnectOf(this.#stage, this.#subject.protocol, this.#subject.text("rejoin"));
    this.#end();
    this.#owner.passed(this.#sealed(last), back !== undefined);
    return false;
  }

  /** Undefined where he has to come back by himself. */
  #wayBack(): Buffer | undefined {
    const { protocol, cookieKey, host, port } = this.#subject;
    if (cookieKey === undefined || host === "" || !canTransfer(protocol)) return undefined;
    const cookie = createTransferCookie(
      this.#subject,
      this.#subject.proof,
      cookieKey,
      this.#deps.nowMs(),
    );
    const store = encodeStoreCookie(protocol, transferCookieKey, cookie);
    const transfer = encodeTransfer(protocol, host, port);
    return store && transfer && Buffer.concat([store, transfer]);
  }

  #fail(fault: VerificationFault): false {
    if (this.#state === "over") return false;
    const { protocol, text } = this.#subject;
    const last = disconnectOf(this.#stage, protocol, text(fault));
    this.#end();
    this.#owner.failed(fault, this.#sealed(last));
    return false;
  }

  #end(): void {
    this.#state = "over";
    this.#head = nothing;
    this.#offset = 0;
    this.#gone?.abort();
  }

  #send(bytes: Buffer): void {
    this.#owner.send(this.#cipher?.encrypt(bytes) ?? bytes);
  }

  #sealed(bytes: Buffer | undefined): Buffer | undefined {
    return bytes && (this.#cipher?.encrypt(bytes) ?? bytes);
  }
}
