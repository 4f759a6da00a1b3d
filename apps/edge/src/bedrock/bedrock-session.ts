import { errno } from "@palisade/sockets/errno";
import { isDisconnect } from "@palisade/minecraft-protocol/bedrock/disconnect-notification";
import { LoginReader } from "@palisade/minecraft-protocol/bedrock/login-reader";
import { encodeOpenReply2 } from "@palisade/minecraft-protocol/bedrock/offline-messages";
import type { RefusalReason } from "@palisade/contract/edge/plain-values";
import type { DatagramBatch } from "@palisade/sockets/udp-socket";
import type { Source } from "#src/admission/admission.ts";
import { type EventHandler, threadReactor } from "@palisade/sockets/reactor";
import type { Expiring } from "@palisade/sockets/timer-wheel";
import { attackOn } from "#src/connection/login.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { HeldSession } from "./session-record.ts";
import { playerHeader } from "./backend-socket.ts";
import type { BedrockDeps } from "./bedrock-deps.ts";
import type { SessionHome } from "./session-home.ts";
import { downBurst } from "./datagram-room.ts";
import { checkPlayer, type PlayerVerdict } from "./login-check.ts";
import { nextTrace, noteArrival } from "./owner-log.ts";
import { edgeGuid } from "./ping-answers.ts";
import { encodeRecord } from "./session-record.ts";
import {
  type OpenedByClient,
  UpstreamHandshake,
  type UpstreamOpen,
  type UpstreamOutcome,
} from "./upstream-handshake.ts";

/** A client that sends nothing for so long is gone: it acknowledges and pings every few seconds. */
const idleMs = 30_000;
/** After one side has said that it leaves, for the other's acknowledgement. */
const leavingMs = 1_000;
/** A request that opens a connection may come again, behind the first datagrams of the connection, for so long. */
const repeatedMs = 5_000;
/** The login comes in the first seconds; without it the entry of the owner's log names no player. */
const loginMs = 15_000;

/**
 * One player of Bedrock: their address, and a socket of their own to a backend. Datagrams of the
 * connection go through unchanged; what comes outside of it never reaches the other side.
 */
export class BedrockSession implements EventHandler, Expiring {
  /** In the port's table. */
  readonly number: number;
  /** The descriptor to its backend; -1 while there is none. Every datagram needs it. */
  fd = -1;
  readonly request: OpenedByClient;
  readonly #port: SessionHome;
  readonly #deps: BedrockDeps;
  readonly #shield: CompiledShield;
  readonly #source: Source;
  /** Their source has not joined lately, and the level is High at least or the owner challenges its place. */
  readonly #isSuspected: boolean;
  /** The reactor's turn in which the backend was heard last. */
  #readyAtTurn = 0;
  #handshake: UpstreamHandshake | undefined;
  #open: UpstreamOpen | undefined;
  /** Until the login is known, or does not come. */
  #reader: LoginReader | undefined;
  #isClosed = false;
  #isLeaving = false;
  /** Among the connections of the shield that are on their way to a backend. */
  #isOnItsWay = false;
  /** The id of its copy; undefined while there is none. */
  #copy: number | undefined;
  /** The client has sent a datagram of its connection. */
  hasBegun = false;
  /** Begins as a number, so that V8 writes later ones in place and makes no object for each datagram. */
  #lastSeenMs = 0;
  #openedAtMs = 0;
  /** Before every datagram to the backend; empty mostly. */
  header: Uint8Array = new Uint8Array(0);
  place: Expiring["place"] = undefined;

  constructor(
    port: SessionHome,
    number: number,
    shield: CompiledShield,
    source: Source,
    request: OpenedByClient,
    isSuspected = false,
  ) {
    this.#port = port;
    this.number = number;
    this.#deps = port.deps;
    this.#shield = shield;
    this.#source = source;
    this.request = request;
    this.#isSuspected = isSuspected;
    this.#lastSeenMs = this.#deps.monotonicMs();
  }

  get isOpen(): boolean {
    return this.fd >= 0;
  }

  /** Its datagrams are to be given to `read`. */
  get isReading(): boolean {
    return this.#reader !== undefined;
  }

  /** Looks for a backend. The shield has counted the player as on the way. */
  dial(): void {
    const { upstream, wheel, limits } = this.#deps;
    this.#isOnItsWay = true;
    wheel.schedule(this, limits.dialMs);
    this.#handshake = new UpstreamHandshake(upstream, this.#shield, this.request, (outcome) =>
      this.#dialled(outcome),
    );
    this.#handshake.start();
  }

  isOpenedBy(guid: bigint): boolean {
    if (!this.hasBegun) return true;
    const ageMs = this.#deps.monotonicMs() - this.#openedAtMs;
    return guid === this.request.guid && ageMs < repeatedMs && !this.#isLeaving;
  }

  answerAgain(): void {
    if (this.#open === undefined) return;
    const { client } = this.request;
    const answer = encodeOpenReply2({ guid: edgeGuid, client, mtu: this.#open.mtu });
    this.#port.send(this.number, answer);
  }

  /** Datagrams of the backend. */
  ready(): void {
    const { room } = this.#deps;
    const batch = room.down;
    const { fd } = this;
    if (fd < 0) return;
    const first = room.beginDown(this.#port.fd);
    const { turns } = threadReactor();
    // One at a time is cheapest; of a backend that sends more, they are taken together.
    const isBusy = turns === this.#readyAtTurn + 1;
    this.#readyAtTurn = turns;
    let kept = first;
    if (isBusy) {
      const count = batch.receive(fd, first, downBurst);
      if (count < 0) {
        this.#failed(-count);
        return;
      }
      for (let entry = first; entry < first + count; entry += 1) {
        const length = batch.isCut(entry) ? 0 : batch.length(entry);
        if (this.#keep(batch, entry, length, kept)) kept += 1;
      }
    } else {
      const length = batch.receiveOne(fd, first);
      if (length < 0) {
        this.#failed(-length);
        return;
      }
      if (this.#keep(batch, first, length <= batch.datagramBytesMax ? length : 0, first)) kept += 1;
    }
    room.endDown(kept);
  }

  /** Prepares a datagram of the backend as entry `kept`. @returns whether it is one of the connection */
  #keep(batch: DatagramBatch, entry: number, length: number, kept: number): boolean {
    const at = batch.offset(entry);
    // A backend may say things outside of the connection, which no player has asked.
    if (length === 0 || !isConnected(batch.bytes, at)) return false;
    if (isDisconnect(batch.bytes, at, at + length)) this.leaves();
    if (kept !== entry) batch.bytes.copyWithin(batch.offset(kept), at, at + length);
    batch.addresses.copyFrom(this.#port.table.addresses, this.number, kept);
    batch.prepare(kept, length);
    this.#shield.counters.bytesDown += length;
    return true;
  }

  #failed(code: number): void {
    if (code === errno.EAGAIN) return;
    // Nothing listens there any more.
    this.#open?.target.health.failed("refused", this.#moment());
    this.end();
  }

  /** The client has sent these bytes to the backend. */
  sentUp(bytes: number, nowMs: number): void {
    this.hasBegun = true;
    this.#lastSeenMs = nowMs;
    this.#shield.counters.bytesUp += bytes;
  }

  /** Looks for the player's login in what the client sends. */
  read(datagram: Buffer): void {
    const reader = this.#reader;
    if (reader === undefined) return;
    reader.receive(datagram);
    if (reader.isOver || this.#deps.monotonicMs() - this.#openedAtMs > loginMs) this.#decide();
  }

  /** One side has said that it leaves. */
  leaves(): void {
    if (this.#isLeaving || this.#isClosed) return;
    this.#isLeaving = true;
    this.#deps.wheel.schedule(this, leavingMs);
  }

  expire(): void {
    const { wheel, monotonicMs } = this.#deps;
    if (this.#open === undefined) {
      this.#refuse("offline");
      return;
    }
    const leftMs = this.#lastSeenMs + idleMs - monotonicMs();
    if (leftMs <= 0 || this.#isLeaving) this.end();
    else wheel.schedule(this, leftMs);
  }

  /** The player is gone, or is to go. */
  end(): undefined {
    if (this.#isClosed) return;
    this.#note({ kind: "passes" });
    this.#handshake?.abort();
    this.#open?.socket.close();
    this.#leave();
  }

  /** Gives the session to the next edge; undefined if there is nothing to give. */
  release(): HeldSession | undefined {
    const open = this.#open;
    if (open === undefined || this.#isClosed) return this.end();
    this.#note({ kind: "passes" });
    const record = this.#recordOf(open);
    const fd = open.socket.release();
    this.#leave();
    return { fd, record };
  }

  /** Continues a session of an earlier edge. @param header as of `SessionRecord` */
  adopt(open: UpstreamOpen, header: string): void {
    this.header = Buffer.from(header, "base64");
    this.hasBegun = true;
    this.#opened(open);
    this.#keepCopy();
  }

  #recordOf({ backend, mtu }: UpstreamOpen): string {
    const { ip, port } = this.#port.table.addresses.read(this.number);
    return encodeRecord({
      form: 2,
      shield: this.#shield.id,
      backend: backend.id,
      port: this.#port.port,
      client: { ip, port },
      guid: String(this.request.guid),
      mtu,
      header: Buffer.from(this.header).toString("base64"),
    });
  }

  /** From now on the next edge continues the session, should this one be killed. */
  #keepCopy(): void {
    const open = this.#open;
    if (open === undefined || this.#copy !== undefined) return;
    this.#copy = this.#deps.copies.add({ fd: this.fd, record: this.#recordOf(open) });
  }

  #dialled(outcome: UpstreamOutcome): void {
    if (this.#isClosed) return;
    this.#handshake = undefined;
    if (outcome.kind === "offline") this.#refuse("offline");
    else if (outcome.kind === "refused") {
      this.#deps.outcomes.count("offline", this.#source.key);
      this.#log("offline", { backend: "refused" });
      this.#port.send(this.number, outcome.answer);
      this.end();
    } else {
      const { target, socket } = outcome;
      const { client, server } = this.request;
      if (target.proxy === "every") this.header = playerHeader(target, client, server);
      socket.handTo(this);
      this.#deps.outcomes.count("forwarded", this.#source.key);
      this.#reader = new LoginReader();
      this.#opened(outcome);
      this.answerAgain();
    }
  }

  #opened(open: UpstreamOpen): void {
    const { counters } = this.#shield;
    this.#arrived();
    this.#open = open;
    this.fd = open.socket.fd;
    open.target.players += 1;
    open.backend.load.joined();
    counters.load.countJoined(1);
    counters.players += 1;
    counters.bedrockPlayers += 1;
    this.#openedAtMs = this.#lastSeenMs = this.#deps.monotonicMs();
    this.#deps.wheel.schedule(this, idleMs);
    // In an attack it has to log in first.
    if (!attackOn(this.#shield, this.#deps.mitigation).isUnderAttack) this.#keepCopy();
  }

  /** The login is known, or has not come in time. */
  #decide(): void {
    const verdict = checkPlayer(
      this.#reader,
      this.request.client,
      this.#shield,
      this.#isSuspected,
      this.#deps,
    );
    if (verdict.kind === "passes" && this.#isSuspected) {
      this.#deps.known.note(this.#shield.id, this.#source.key);
    }
    this.#note(verdict);
    if (verdict.kind === "refused") this.end();
    else this.#keepCopy();
  }

  /** Writes the entry of the owner's log, once, and counts a player who has joined. */
  #note(verdict: PlayerVerdict): void {
    const reader = this.#reader;
    if (reader === undefined) return;
    this.#reader = undefined;
    const { login } = reader;
    if (verdict.kind !== "refused") {
      this.#shield.counters.joins += 1;
      this.#shield.counters.bedrockJoins += 1;
    }
    const shadow = verdict.kind === "shadowed";
    const reason = verdict.kind === "passes" ? "joined" : verdict.reason;
    const facts = verdict.kind === "passes" ? {} : verdict.facts;
    noteArrival(this.#deps, this.#arrival, nextTrace(this.#deps), {
      verdict: reason,
      facts,
      shadow,
      player: login?.displayName,
      protocol: login?.protocol,
    });
  }

  #log(verdict: RefusalReason, facts: Readonly<Record<string, string>>): string {
    const trace = nextTrace(this.#deps);
    noteArrival(this.#deps, this.#arrival, trace, { verdict, facts });
    return trace;
  }

  get #arrival() {
    return { shield: this.#shield, client: this.request.client, port: this.#port.port };
  }

  #refuse(reason: "offline"): void {
    this.#shield.counters.refuse(reason);
    this.#deps.outcomes.count(reason, this.#source.key);
    const trace = this.#log(reason, {});
    const message = this.#shield.kicks[reason].text({ player: "", trace });
    this.#port.refuse(this, this.request.mtu, message);
  }

  #arrived(): void {
    if (this.#isOnItsWay) this.#shield.counters.load.arrived();
    this.#isOnItsWay = false;
  }

  #leave(): void {
    this.#isClosed = true;
    const { wheel, admission } = this.#deps;
    const { counters } = this.#shield;
    wheel.cancel(this);
    this.#arrived();
    counters.load.leavePlace();
    if (this.#copy !== undefined) this.#deps.copies.remove(this.#copy);
    if (this.#open !== undefined) {
      const { target, backend } = this.#open;
      this.#open = undefined;
      this.fd = -1;
      target.players -= 1;
      backend.load.left();
      counters.load.countJoined(-1);
      counters.players -= 1;
      counters.bedrockPlayers -= 1;
    }
    admission.disown(this.#source);
    this.#port.forget(this.number);
  }

  #moment() {
    const { nowMs, monotonicMs } = this.#deps;
    return { wallMs: nowMs(), monotonicMs: monotonicMs() };
  }
}

/** Datagrams of a connection have the highest bit set. */
export function isConnected(bytes: Buffer, at: number): boolean {
  return ((bytes[at] ?? 0) & 0x80) !== 0;
}
