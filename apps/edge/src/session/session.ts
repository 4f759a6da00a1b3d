import type { Socket } from "node:net";
import { type FrameResult, readFrame } from "@palisade/minecraft-protocol/java/frame";
import {
  decodeHandshake,
  type Handshake,
  handshakeFrameBytesMax,
  handshakePacketId,
} from "@palisade/minecraft-protocol/java/handshake";
import { detectLegacy, type LegacyKind } from "@palisade/minecraft-protocol/java/legacy";
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
import { atLeast } from "@palisade/minecraft-protocol/java/versions";
import { legacy, unknownHost } from "#src/answers/edge-answers.ts";
import { ipOfSocketAddress } from "#src/forwarding/proxy-header.ts";
import type { Sheddable, ShedReason } from "#src/listeners/admission.ts";
import { decideLogin } from "#src/protection/login-verdict.ts";
import { traceCode } from "#src/protection/trace-code.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { Outcome } from "#src/telemetry/outcome-counts.ts";
import { PlayerHandover } from "./player-handover.ts";
import type { SessionDeps } from "./session-deps.ts";
import { attach, detach } from "./socket-events.ts";
import type { Expiring } from "./timer-wheel.ts";

/** What is waited for. While answering or dialling bytes are kept, while closing thrown away. */
type State = "handshake" | "status" | "login" | "answering" | "dialling" | "closing" | "gone";

const frameBytesMax = {
  handshake: handshakeFrameBytesMax,
  status: statusFrameBytesMax,
  login: loginStartFrameBytesMax,
} as const;

/** Highest id of a packet that is expected of a client before its verdict. */
const packetIdMax = pingPacketId;

type Packet = Extract<FrameResult, { kind: "packet" }>;

const nothing = Buffer.alloc(0);

/**
 * One Java connection from accept to its verdict: a status exchange, a kick, or
 * a player handed to the relay. Whatever the bytes are, it ends by a deadline,
 * with one outcome counted, and nothing it does throws.
 */
export class Session implements Expiring, Sheddable {
  readonly #socket: Socket;
  readonly #deps: SessionDeps;
  readonly #connection: number;
  readonly #sourceKey: string;
  #state: State = "handshake";
  /** Everything received and not yet dealt with; of a login everything, for the backend. */
  #head: Buffer = nothing;
  #offset = 0;
  #legacyOtherwise: LegacyKind | undefined;
  #isModern = false;
  #handshake: Handshake | undefined;
  #shield: CompiledShield | undefined;
  #handover: PlayerHandover | undefined;
  #answered = false;
  #peerEnded = false;
  #discarded = 0;
  #outcome: Outcome | undefined;

  constructor(socket: Socket, sourceKey: string, connection: number, deps: SessionDeps) {
    this.#socket = socket;
    this.#sourceKey = sourceKey;
    this.#connection = connection;
    this.#deps = deps;
    deps.admission.enter(this, sourceKey);
    deps.wheel.schedule(this, deps.limits.handshakeMs);
    attach(socket, this);
  }

  received(chunk: Buffer): void {
    if (this.#state === "closing") {
      this.#discarded += chunk.length;
      if (this.#discarded > this.#deps.limits.discardedBytesMax) this.#socket.destroy();
      return;
    }
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
    if (this.#state !== "answering") this.#socket.destroy();
  }

  closed(): void {
    if (this.#state === "gone") return;
    this.#state = "gone";
    this.#finish("left");
    this.#deps.wheel.cancel(this);
    this.#handover?.abort();
    this.#deps.admission.leave(this, this.#sourceKey);
    this.#deps.sessions.delete(this);
  }

  expire(): void {
    if (this.#legacyOtherwise !== undefined) this.#answerLegacy(this.#legacyOtherwise);
    else if (this.#state === "dialling") this.#handover?.abort();
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
    if (state !== "handshake" && state !== "status" && state !== "login") return false;
    if (!this.#isModern && !this.#decideLegacy()) return false;
    const frame = readFrame(this.#head, this.#offset, frameBytesMax[state]);
    if (frame.kind === "need-more") {
      // Scanners speaking HTTP or TLS need not be waited for.
      return frame.id !== undefined && frame.id > packetIdMax && this.#drop("malformed");
    }
    if (frame.kind === "malformed") return this.#drop("malformed");
    if (state === "handshake") return this.#tookHandshake(frame);
    return state === "status" ? this.#tookStatusPacket(frame) : this.#tookLoginStart(frame);
  }

  /** True once the first bytes are known to be a modern client's. */
  #decideLegacy(): boolean {
    if (this.#head.length === 0) return false;
    const result = detectLegacy(this.#head);
    if (result.kind === "undecided") {
      this.#legacyOtherwise = result.otherwise;
      this.#deps.wheel.schedule(this, this.#deps.limits.legacyDecisionMs);
      return false;
    }
    if (result.kind !== "modern") {
      this.#answerLegacy(result.kind);
      return false;
    }
    if (this.#legacyOtherwise !== undefined) {
      // Once per connection, so the deadline stays one.
      this.#legacyOtherwise = undefined;
      this.#deps.wheel.schedule(this, this.#deps.limits.handshakeMs);
    }
    this.#isModern = true;
    return true;
  }

  #answerLegacy(kind: LegacyKind): void {
    this.#legacyOtherwise = undefined;
    this.#finish("legacy");
    this.#closeAfter(legacy[kind]);
  }

  #tookHandshake(frame: Packet): boolean {
    if (frame.id !== handshakePacketId) return this.#drop("malformed");
    const result = decodeHandshake(this.#head, frame.bodyStart, frame.bodyEnd);
    if (!result.ok) return this.#drop("malformed");
    const { handshake } = result;
    if (handshake.intent === "transfer" && !atLeast(handshake.protocol, "1.20.5")) {
      return this.#drop("malformed");
    }
    this.#handshake = handshake;
    this.#shield = this.#deps.shields.route(handshake.host);
    this.#offset = frame.bodyEnd;
    this.#state = handshake.intent === "status" ? "status" : "login";
    return true;
  }

  #tookStatusPacket(frame: Packet): boolean {
    const bodyBytes = frame.bodyEnd - frame.bodyStart;
    this.#offset = frame.bodyEnd;
    if (frame.id === pingPacketId && bodyBytes === pingPayloadBytes) {
      const payload = this.#head.subarray(frame.bodyStart, frame.bodyEnd);
      this.#finish("ping");
      this.#socket.write(encodePong(payload));
      return this.#leave();
    }
    const isRequest = frame.id === statusRequestPacketId && bodyBytes === 0;
    if (!isRequest || this.#answered) return this.#drop("malformed");
    this.#answered = true;
    this.#deps.wheel.schedule(this, this.#deps.limits.statusMs);
    const answer = this.#statusAnswer();
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

  #statusAnswer(): Buffer | Promise<Buffer> {
    const shield = this.#shield;
    if (shield === undefined || this.#handshake === undefined) return unknownHost.motd;
    shield.tally.pings++;
    return this.#deps.statuses.answer(shield, this.#handshake.protocol);
  }

  /** True where a ping may follow. */
  #sendStatus(answer: Buffer): boolean {
    this.#finish(this.#shield === undefined ? "unknown_host" : "status");
    this.#socket.write(answer);
    return this.#peerEnded ? this.#leave() : true;
  }

  #tookLoginStart(frame: Packet): boolean {
    const handshake = this.#handshake;
    if (frame.id !== loginStartPacketId || handshake === undefined) return this.#drop("malformed");
    const { bodyStart, bodyEnd } = frame;
    const login = decodeLoginStart(this.#head, bodyStart, bodyEnd, handshake.protocol);
    if (!login.ok) return this.#drop("malformed");
    const { bootSeed } = this.#deps;
    const connection = this.#connection;
    const player = login.name;
    const shield = this.#shield;
    if (shield === undefined) {
      const trace = traceCode(bootSeed, connection);
      return this.#kick("unknown_host", unknownHost.kick({ player, trace }), player, trace);
    }
    shield.tally.logins++;
    const ip = ipOfSocketAddress(this.#socket.remoteAddress);
    const { nameValid } = login;
    const verdict = decideLogin({ ip, nameValid, connection, bootSeed }, shield.rules);
    if (verdict.kind === "refuse") {
      const { reason, trace } = verdict;
      shield.tally.refuse(reason);
      return this.#kick(reason, shield.kicks[reason]({ player, trace }), player, trace);
    }
    this.#dial(shield, player);
    return false;
  }

  #dial(shield: CompiledShield, player: string): void {
    this.#state = "dialling";
    this.#deps.admission.passed(this);
    this.#deps.wheel.schedule(this, this.#deps.limits.dialMs);
    this.#handover = new PlayerHandover(this.#socket, shield, this.#deps);
    void this.#connect(this.#handover, shield, player);
  }

  async #connect(handover: PlayerHandover, shield: CompiledShield, player: string): Promise<void> {
    const dialled = await handover.dial();
    if (this.#state !== "dialling") dialled?.socket.destroy();
    else if (dialled === undefined) this.#offline(shield, player);
    else {
      this.#log("forwarded", player);
      this.#giveUp();
      handover.start(dialled, this.#head, () => this.#deps.admission.leave(this, this.#sourceKey));
      this.#head = nothing;
    }
  }

  /** The socket is a player's from here on. */
  #giveUp(): void {
    detach(this.#socket);
    this.#state = "gone";
    this.#finish("forwarded");
    this.#deps.wheel.cancel(this);
    this.#deps.admission.settle(this, this.#sourceKey);
    this.#deps.sessions.delete(this);
  }

  #offline(shield: CompiledShield, player: string): void {
    const trace = traceCode(this.#deps.bootSeed, this.#connection);
    shield.tally.refuse("offline");
    this.#kick("offline", shield.kicks.offline({ player, trace }), player, trace);
  }

  #kick(outcome: Outcome, packet: Buffer, player: string, trace: string): false {
    this.#finish(outcome);
    this.#log(outcome, player, trace);
    return this.#closeAfter(packet);
  }

  /** Sends the last answer and waits for the client to take it. */
  #closeAfter(packet: Buffer): false {
    this.#state = "closing";
    this.#head = nothing;
    this.#socket.end(packet);
    // Unread bytes at close would reset the connection and take the answer with them.
    this.#socket.resume();
    this.#deps.wheel.schedule(this, this.#deps.limits.lingerMs);
    return false;
  }

  /** Everything was read and answered: no need to linger. */
  #leave(): false {
    this.#state = "closing";
    this.#socket.destroySoon();
    return false;
  }

  #drop(outcome: Outcome): false {
    this.#finish(outcome);
    this.#socket.destroy();
    return false;
  }

  #finish(outcome: Outcome): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = outcome;
    this.#deps.outcomes.count(outcome);
  }

  #log(verdict: Outcome, player: string, trace?: string): void {
    this.#deps.log.info(
      {
        connection: this.#connection,
        ip: this.#socket.remoteAddress,
        host: this.#handshake?.host,
        protocol: this.#handshake?.protocol,
        shield: this.#shield?.id,
        player,
        verdict,
        trace,
      },
      "login",
    );
  }
}
