import type { Socket } from "node:net";
import type { LoginVerdict } from "@palisade/contract/edge/telemetry";
import { type FrameResult, readFrame } from "@palisade/minecraft-protocol/java/frame";
import {
  decodeHandshake,
  type Handshake,
  handshakeFrameBytesMax,
  handshakePacketId,
} from "@palisade/minecraft-protocol/java/handshake";
import { hasForgeMarker } from "@palisade/minecraft-protocol/java/host";
import {
  detectLegacy,
  type LegacyHello,
  type LegacyKind,
  readLegacyHello,
} from "@palisade/minecraft-protocol/java/legacy";
import {
  decodeLoginStart,
  loginStartFrameBytesMax,
  loginStartPacketId,
} from "@palisade/minecraft-protocol/java/login";
import {
  encodePong,
  pingPacketId,
  pingPayloadBytes,
  statusFrameBytesMax,
  statusRequestPacketId,
} from "@palisade/minecraft-protocol/java/status";
import { atLeast, currentProtocol } from "@palisade/minecraft-protocol/java/versions";
import { nameless, unknownHost } from "#src/answers/edge-answers.ts";
import { legacyAnswer } from "#src/answers/legacy-answer.ts";
import { playerAddress, playerIp } from "#src/forwarding/peer.ts";
import type { ShedReason } from "#src/listeners/admission.ts";
import type { Proof } from "#src/protection/shared/verified-players.ts";
import type { Refusal } from "#src/protection/login-facts.ts";
import { traceCode } from "#src/protection/trace-code.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { Outcome } from "#src/telemetry/outcome-counts.ts";
import type { PlayerVerification } from "#src/verification/player-verification.ts";
import { asLogin, cookieRequest, readCookieAnswer } from "#src/verification/returning-player.ts";
import type { VerificationFault } from "#src/verification/verification.ts";
import { ConnectionLife, type ConnectionOwner } from "./connection-life.ts";
import {
  judgeLogin,
  type Kick,
  kickOffline,
  kickUnverified,
  type LoginRequest,
} from "./judge-login.ts";
import { PlayerHandover } from "./player-handover.ts";
import type { SessionDeps } from "./session-deps.ts";
import type { Expiring } from "./timer-wheel.ts";

/** What is waited for. While answering or dialling bytes are kept, while closing thrown away. */
type State =
  | "handshake"
  | "status"
  | "login"
  | "cookie"
  | "answering"
  | "verifying"
  | "dialling"
  | "closing"
  | "gone";

const frameBytesMax = {
  handshake: handshakeFrameBytesMax,
  status: statusFrameBytesMax,
  login: loginStartFrameBytesMax,
} as const;

/** Highest id of a packet that is expected of a client before its verdict. */
const packetIdMax = pingPacketId;

type Packet = Extract<FrameResult, { kind: "packet" }>;
type Malformed = Extract<FrameResult, { kind: "malformed" }>;

/** What a client says of itself; one before 1.7 names host and version only. */
type Client = Pick<Handshake, "host" | "protocol"> & Partial<Handshake>;

/** What a login says beside what the handshake has said. */
type LoginSays = Pick<LoginRequest, "name" | "nameValid" | "protocol" | "form"> &
  Partial<Pick<LoginRequest, "profileKey" | "frameBytes" | "proof">>;

const nothing = Buffer.alloc(0);

/**
 * One Java connection from accept to its verdict: a status exchange, a kick, or
 * a player handed to the relay. Whatever the bytes are, it ends by a deadline,
 * with one outcome counted, and nothing it does throws.
 */
export class Session implements ConnectionOwner {
  readonly #socket: Socket;
  readonly #deps: SessionDeps;
  readonly #connection: number;
  readonly #life: ConnectionLife;
  place: Expiring["place"] = undefined;
  #state: State = "handshake";
  /** Everything received and not yet dealt with; of a login everything, for the backend. */
  #head: Buffer = nothing;
  #offset = 0;
  #legacyOtherwise: LegacyKind | undefined;
  #isModern = false;
  /** Once it is known. */
  #client: Client | undefined;
  #shield: CompiledShield | undefined;
  #handshakeEnd = 0;
  /** The login of a player who was sent here from elsewhere, until it is known what he brings. */
  #transferred: LoginSays | undefined;
  #verification: PlayerVerification | undefined;
  #handover: PlayerHandover | undefined;
  #shadowed: Refusal | undefined;
  /** The login whose name is in use as long as it has not become a player, nor ended. */
  #named: LoginRequest | undefined;
  #answered = false;
  #peerEnded = false;

  constructor(socket: Socket, sourceKey: string, connection: number, deps: SessionDeps) {
    this.#socket = socket;
    this.#connection = connection;
    this.#deps = deps;
    this.#life = new ConnectionLife(socket, this, sourceKey, deps);
  }

  received(chunk: Buffer): void {
    if (this.#state === "closing") {
      this.#life.discard(chunk.length);
      return;
    }
    if (this.#state === "verifying") return this.#verification?.received(chunk);
    this.#head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    if (this.#state === "dialling" || this.#state === "answering") {
      if (this.#head.length > this.#deps.limits.heldBytesMax) this.#socket.pause();
      return;
    }
    this.#advance();
  }

  /** The client has sent its last byte. */
  ended(): void {
    this.#peerEnded = true;
    if (this.#state !== "answering") this.#life.leave();
  }

  closed(): void {
    this.#state = "gone";
    this.#handover?.abort();
    this.#verification?.abort();
    this.#releaseName();
    this.#life.closed();
  }

  expire(): void {
    if (this.#legacyOtherwise !== undefined) this.#answerNameless(this.#legacyOtherwise);
    else if (this.#state === "dialling") this.#handover?.abort();
    else if (this.#state === "verifying") this.#verification?.expire();
    else this.#drop("deadline");
  }

  shed(reason: ShedReason): void {
    this.#drop(reason);
  }

  /** The edge is stopping. */
  stop(): void {
    this.#drop("stopped");
  }

  #advance(): void {
    while (this.#step());
  }

  /** Takes one packet; false where there is none or nothing more is read. */
  #step(): boolean {
    const state = this.#state;
    if (state === "cookie") return this.#tookCookie();
    if (state !== "handshake" && state !== "status" && state !== "login") return false;
    if (!this.#isModern && !this.#decideLegacy()) return false;
    const frame = readFrame(this.#head, this.#offset, frameBytesMax[state]);
    if (frame.kind === "need-more") {
      // Scanners speaking HTTP or TLS need not be waited for.
      return frame.id !== undefined && frame.id > packetIdMax && this.#drop("malformed");
    }
    if (frame.kind === "malformed") return this.#tookMalformed(frame);
    if (state === "handshake") return this.#tookHandshake(frame);
    return state === "status" ? this.#tookStatusPacket(frame) : this.#tookLoginStart(frame);
  }

  /** True once the first bytes are known to be a modern client's. */
  #decideLegacy(): boolean {
    if (this.#head.length === 0) return false;
    const result = detectLegacy(this.#head);
    if (result.kind === "undecided") {
      this.#legacyOtherwise = result.otherwise;
      this.#life.deadline(this.#deps.limits.legacyDecisionMs);
      return false;
    }
    if (result.kind !== "modern") {
      this.#readLegacy(result.kind);
      return false;
    }
    this.#waitOn(undefined);
    this.#isModern = true;
    return true;
  }

  /** Once the first bytes have told what it is: the deadline was short while they had not. */
  #waitOn(otherwise: LegacyKind | undefined): void {
    const wasUndecided = this.#legacyOtherwise !== undefined;
    if (wasUndecided && this.#legacyOtherwise !== otherwise) {
      // Once per connection, so the deadline stays one.
      this.#life.deadline(this.#deps.limits.handshakeMs);
    }
    this.#legacyOtherwise = otherwise;
  }

  #readLegacy(kind: LegacyKind): void {
    if (kind !== "ping-1.6" && kind !== "login") return this.#answerNameless(kind);
    const result = readLegacyHello(this.#head, kind);
    if (result.kind === "need-more") return this.#waitOn(kind);
    this.#legacyOtherwise = undefined;
    if (result.kind === "malformed") return void this.#drop("malformed");
    const { hello } = result;
    this.#deps.outcomes.countHandshake("legacy");
    this.#client = hello;
    this.#shield = this.#deps.shields.route(hello.host);
    if (kind === "login") this.#tookLogin({ ...hello, form: "legacy" });
    else this.#tookLegacyPing(hello);
  }

  #tookLegacyPing({ protocol, host }: LegacyHello): void {
    const shield = this.#shield;
    this.#state = "answering";
    this.#life.deadline(this.#deps.limits.statusMs);
    // Backends that can be asked know no legacy client; each is asked as by the newest.
    const answer = this.#statusAnswer(currentProtocol, host);
    const send = (frame: Buffer): void => {
      if (this.#state !== "answering") return;
      const mayJoin = frame !== shield?.motd.frame && shield?.rules.versions.has(protocol) === true;
      this.#life.finish(shield === undefined ? "unknown_host" : "status");
      this.#closeAfter(legacyAnswer(frame, mayJoin ? protocol : undefined));
    };
    if (Buffer.isBuffer(answer)) send(answer);
    else void answer.then(send);
  }

  /** To a client that names no host, or has not in time. */
  #answerNameless(kind: LegacyKind): void {
    this.#legacyOtherwise = undefined;
    this.#life.finish("legacy");
    this.#closeAfter(nameless[kind]);
  }

  #tookHandshake(frame: Packet): boolean {
    if (frame.id !== handshakePacketId) return this.#drop("malformed");
    const result = decodeHandshake(this.#head, frame.bodyStart, frame.bodyEnd);
    if (!result.ok) return this.#drop("malformed");
    const { handshake } = result;
    if (handshake.intent === "transfer" && !atLeast(handshake.protocol, "1.20.5")) {
      return this.#drop("malformed");
    }
    this.#deps.outcomes.countHandshake(handshake.intent);
    this.#client = handshake;
    this.#shield = this.#deps.shields.route(handshake.host);
    this.#offset = this.#handshakeEnd = frame.bodyEnd;
    this.#state = handshake.intent === "status" ? "status" : "login";
    return true;
  }

  #tookStatusPacket(frame: Packet): boolean {
    const bodyBytes = frame.bodyEnd - frame.bodyStart;
    this.#offset = frame.bodyEnd;
    if (frame.id === pingPacketId && bodyBytes === pingPayloadBytes) {
      const payload = this.#head.subarray(frame.bodyStart, frame.bodyEnd);
      this.#life.finish("ping");
      this.#socket.write(encodePong(payload));
      return this.#leave();
    }
    const isRequest = frame.id === statusRequestPacketId && bodyBytes === 0;
    if (!isRequest || this.#answered) return this.#drop("malformed");
    this.#answered = true;
    this.#life.deadline(this.#deps.limits.statusMs);
    const answer = this.#statusAnswer(
      this.#client?.protocol ?? currentProtocol,
      this.#client?.host,
    );
    if (Buffer.isBuffer(answer)) return this.#sendStatus(answer);
    this.#state = "answering";
    void this.#sendWhenFetched(answer);
    return false;
  }

  async #sendWhenFetched(fetched: Promise<Buffer>): Promise<void> {
    const answer = await fetched;
    if (this.#state !== "answering") return;
    this.#state = "status";
    this.#socket.resume();
    if (this.#sendStatus(answer)) this.#advance();
  }

  #statusAnswer(protocol: number, host = ""): Buffer | Promise<Buffer> {
    const shield = this.#shield;
    if (shield === undefined) return unknownHost.motd.frame;
    shield.tally.pings++;
    this.#notePing(shield);
    return this.#deps.statuses.answer(shield, protocol, host);
  }

  #notePing({ rules: { mitigation } }: CompiledShield): void {
    if (!mitigation.notesPings) return;
    const { memory, nowMs } = this.#deps.mitigation;
    memory.sawPing(mitigation.shield, playerIp(this.#socket), nowMs());
  }

  /** True where a ping may follow. */
  #sendStatus(answer: Buffer): boolean {
    this.#life.finish(this.#shield === undefined ? "unknown_host" : "status");
    this.#socket.write(answer);
    return this.#peerEnded ? this.#leave() : true;
  }

  #tookLoginStart(frame: Packet): boolean {
    const protocol = this.#client?.protocol;
    if (frame.id !== loginStartPacketId || protocol === undefined) return this.#drop("malformed");
    const login = decodeLoginStart(this.#head, frame.bodyStart, frame.bodyEnd, protocol);
    if (!login.ok) return this.#drop("malformed");
    this.#offset = frame.bodyEnd;
    const says: LoginSays = { ...login, protocol, form: "modern" };
    return this.#mayBringCookie(protocol) ? this.#askForCookie(says) : this.#tookLogin(says);
  }

  #mayBringCookie(protocol: number): boolean {
    if (this.#client?.intent !== "transfer" || this.#shield === undefined) return false;
    return this.#deps.verification.asksForCookie(this.#shield, protocol);
  }

  #askForCookie(says: LoginSays): true {
    this.#transferred = says;
    this.#state = "cookie";
    this.#life.deadline(this.#deps.verification.cookieMs);
    this.#socket.write(cookieRequest);
    return true;
  }

  #tookCookie(): false {
    const says = this.#transferred;
    const shield = this.#shield;
    const answer = readCookieAnswer(this.#head, this.#offset);
    if (answer.kind === "need-more") return false;
    if (answer.kind === "malformed" || says === undefined || shield === undefined) {
      return this.#drop("malformed");
    }
    const subject = { name: says.name, ip: playerIp(this.#socket) };
    const proof = answer.cookie && this.#deps.verification.redeem(answer.cookie, subject, shield);
    const sent = this.#head.subarray(0, this.#offset);
    // The backend hears neither of the question nor of a transfer that was the edge's own.
    const asSent = proof === undefined ? sent : asLogin(sent, this.#handshakeEnd);
    this.#head = Buffer.concat([asSent, this.#head.subarray(answer.end)]);
    return this.#tookLogin({ ...says, proof });
  }

  /**
   * More than any client's Login Start is read of nobody. Who announces more than the owner allows
   * hears so; the name he has not sent decides nothing.
   */
  #tookMalformed({ frameBytes = 0 }: Malformed): false {
    const protocol = this.#client?.protocol;
    const max = this.#shield?.rules.mitigation.packet_bytes_max ?? Number.POSITIVE_INFINITY;
    if (this.#state !== "login" || protocol === undefined || frameBytes <= max) {
      return this.#drop("malformed");
    }
    const says = { name: "", nameValid: true, protocol, form: "modern", frameBytes } as const;
    const judged = judgeLogin(this.#requestOf(says), this.#deps.mitigation);
    return judged.kind === "kick" ? this.#kick(judged, "") : this.#drop("malformed");
  }

  #requestOf(says: LoginSays): LoginRequest {
    return {
      profileKey: false,
      frameBytes: 0,
      proof: undefined,
      ...says,
      shield: this.#shield,
      ip: playerIp(this.#socket),
      forge: hasForgeMarker(this.#client?.suffix ?? ""),
      connection: this.#connection,
      bootSeed: this.#deps.bootSeed,
    };
  }

  #tookLogin(says: LoginSays): false {
    const request = this.#requestOf(says);
    const judged = judgeLogin(request, this.#deps.mitigation);
    if (judged.kind === "kick") return this.#kick(judged, request.name);
    this.#shadowed = judged.shadowed;
    if (judged.holdsName) this.#named = request;
    if (judged.proof !== undefined) return this.#verify(request, judged.shield, judged.proof);
    return this.#dial(request, judged.shield);
  }

  #verify(request: LoginRequest, shield: CompiledShield, proof: Proof): false {
    const early = this.#head.subarray(this.#offset);
    this.#head = nothing;
    this.#state = "verifying";
    const { admission, verification, bootSeed } = this.#deps;
    admission.passed(this);
    this.#life.deadline(verification.totalMs(proof));
    const { host = "", port = 0 } = this.#client ?? {};
    const { name, ip, protocol } = request;
    const trace = traceCode(bootSeed, this.#connection);
    this.#verification = verification.begin(
      { shield, name, ip, protocol, host, port, proof, trace },
      {
        send: (bytes) => void this.#socket.write(bytes),
        answered: () => admission.passed(this),
        verified: (last, transfers) => this.#verified(name, trace, last, transfers),
        unverified: (fault, last) => void this.#unverified(request, shield, fault, last),
      },
    );
    if (this.#verification === undefined) return this.#unverified(request, shield, "no-room");
    if (early.length > 0) this.#verification.received(early);
    return false;
  }

  #verified(name: string, trace: string, last: Buffer = nothing, transfers: boolean): void {
    this.#releaseName();
    this.#note("verified", name, trace);
    this.#life.finish("verified");
    this.#log("verified", name);
    if (!transfers) return void this.#closeAfter(last);
    this.#state = "closing";
    this.#life.awaitLeave(last);
  }

  #unverified(
    request: LoginRequest,
    shield: CompiledShield,
    fault: VerificationFault,
    last?: Buffer,
  ): false {
    const { mitigation } = this.#deps;
    return this.#kick(kickUnverified(request, shield, mitigation, fault, last), request.name);
  }

  #dial(request: LoginRequest, shield: CompiledShield): false {
    this.#state = "dialling";
    this.#deps.admission.passed(this);
    this.#life.deadline(this.#deps.limits.dialMs);
    this.#handover = new PlayerHandover(this.#socket, shield, this.#deps);
    void this.#join(this.#handover, shield, request);
    return false;
  }

  #releaseName(): void {
    const named = this.#named;
    this.#named = undefined;
    if (named?.shield === undefined) return;
    this.#deps.mitigation.memory.releaseName(named.shield.rules.mitigation.shield, named.name);
  }

  async #join(
    handover: PlayerHandover,
    shield: CompiledShield,
    request: LoginRequest,
  ): Promise<void> {
    const dialled = await handover.dial();
    if (this.#state !== "dialling") dialled?.socket.destroy();
    else if (dialled === undefined) this.#kick(kickOffline(request, shield), request.name);
    else {
      this.#log("forwarded", request.name);
      this.#noteJoined(request);
      this.#state = "gone";
      this.#releaseName();
      this.#life.becomePlayer();
      handover.start(dialled, this.#head, { onClosed: () => this.#life.playerLeft() });
      this.#head = nothing;
    }
  }

  #kick({ outcome, packet, trace, facts }: Kick, player: string): false {
    this.#releaseName();
    if (outcome !== "unknown_host") this.#note(outcome, player, trace, facts);
    this.#life.finish(outcome);
    this.#log(outcome, player, trace);
    return this.#closeAfter(packet);
  }

  #closeAfter(packet: Buffer): false {
    this.#state = "closing";
    this.#head = nothing;
    this.#life.lingerAfter(packet);
    return false;
  }

  #leave(): false {
    this.#state = "closing";
    this.#life.leave();
    return false;
  }

  #drop(outcome: Outcome): false {
    this.#life.drop(outcome);
    return false;
  }

  #noteJoined({ name, bootSeed, connection }: LoginRequest): void {
    const { reason = "joined", facts } = this.#shadowed ?? {};
    this.#note(reason, name, traceCode(bootSeed, connection), facts);
  }

  /** For the owner's log, once it is known what became of the login. */
  #note(verdict: LoginVerdict, player: string, trace: string, facts?: Refusal["facts"]): void {
    if (this.#shield === undefined) return;
    this.#deps.logins.note({
      shieldId: this.#shield.id,
      trace,
      verdict,
      shadow: verdict === this.#shadowed?.reason,
      ip: playerIp(this.#socket),
      player,
      protocol: this.#client?.protocol ?? 0,
      host: this.#client?.host ?? "",
      facts,
    });
  }

  #log(verdict: Outcome, player: string, trace?: string): void {
    this.#deps.log.info(
      () => ({
        connection: this.#connection,
        ip: playerAddress(this.#socket),
        host: this.#client?.host,
        protocol: this.#client?.protocol,
        shield: this.#shield?.id,
        player,
        verdict,
        trace,
      }),
      "login",
    );
  }
}
