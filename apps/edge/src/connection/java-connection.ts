import { withForwardedHost } from "@palisade/minecraft-protocol/java/forwarded-handshake";
import { FrameCursor } from "@palisade/minecraft-protocol/java/frame";
import type { Handshake } from "@palisade/minecraft-protocol/java/handshake";
import { withForwardedLegacyHost } from "@palisade/minecraft-protocol/java/legacy";
import { pingPacketId } from "@palisade/minecraft-protocol/java/status";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import { EdgeConnection, type SettledPlayer } from "#src/admission/ingress.ts";
import { playerIp } from "#src/admission/peer.ts";
import type { Connection } from "@palisade/sockets/tcp-connection";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { ConnectionDeps } from "./connection-deps.ts";

/** The client's own data; one before 1.7 names host and version only. */
export type Client = Pick<Handshake, "host" | "protocol"> & Partial<Handshake>;

const nothing = Buffer.alloc(0);

/**
 * A step of a connection: the handlers of its events until the next one. Steps without data of a
 * single connection are shared by all, so that a ping and a kick cost no object for them.
 */
export abstract class Step {
  /** Whether it uses promises, which have to go on after each of its events. */
  readonly usesNode: boolean = true;

  received(conn: JavaConnection, chunk: Buffer): void {
    conn.keep(chunk);
    conn.advance();
  }

  /** Takes one packet; false if there is none, or if no more is read. */
  take(_conn: JavaConnection): boolean {
    return false;
  }

  /** The client has sent its last byte. One that is slow to take what it was sent stays a while. */
  ended(conn: JavaConnection): void {
    // Called also if its deadline closes it.
    conn.finish("left");
    conn.leave();
    this.closed(conn);
  }

  expire(conn: JavaConnection): void {
    conn.drop("deadline");
  }

  /** The edge is stopping. */
  stop(conn: JavaConnection): void {
    conn.drop("stopped");
  }

  /** The client has taken all bytes that waited for it. */
  drained(_conn: JavaConnection): void {
    // Most write no more than the kernel takes.
  }

  /** The connection is gone, or has no other end any more. */
  closed(_conn: JavaConnection): void {
    // Most have nothing to give back.
  }
}

/** A packet where it lies in the connection's bytes; valid until the next one is read. */
export type Packet = Pick<FrameCursor, "id" | "bodyStart" | "bodyEnd">;
/** The one frame that this thread looks at. */
const frame = new FrameCursor();

/** Highest id of a packet that is expected of a client before its verdict. */
const packetIdMax = pingPacketId;

/** Waits for a packet of bounded length. */
export abstract class PacketStep extends Step {
  override readonly usesNode: boolean = false;
  readonly #frameBytesMax: number;

  constructor(frameBytesMax: number) {
    super();
    this.#frameBytesMax = frameBytesMax;
  }

  /** @returns whether the next one is read */
  abstract took(conn: JavaConnection, frame: Packet): boolean;

  override take(conn: JavaConnection): boolean {
    const kind = frame.read(conn.head, conn.offset, this.#frameBytesMax);
    if (kind === "packet") return this.took(conn, frame);
    if (kind === "malformed") return this.tookMalformed(conn, frame.frameBytes);
    if (conn.head.length > conn.offset) conn.isSplit = true;
    // Scanners speaking HTTP or TLS need not be waited for.
    return frame.hasId && frame.id > packetIdMax && conn.drop("malformed");
  }

  /** @param _frameBytes the announced length, if that is the fault; else 0 */
  tookMalformed(conn: JavaConnection, _frameBytes: number): false {
    return conn.drop("malformed");
  }
}

/** The client has its last answer, and closes. */
class Closing extends Step {
  override readonly usesNode = false;

  override received(conn: JavaConnection, chunk: Buffer): void {
    conn.discard(chunk.length);
  }
}

class Gone extends Step {
  override readonly usesNode = false;

  override received(): void {
    // No client is left to read it.
  }
}

const closing = new Closing();
const gone = new Gone();

/**
 * One Java connection from accept to its verdict: a status exchange, a kick, or a player handed to the
 * relay. Whatever the bytes are, it ends by a deadline, with one outcome counted, and nothing it does
 * throws.
 *
 * Its steps: `handshake.ts`, then `status-exchange.ts` or `login.ts`, for players sent here from
 * elsewhere `cookie-request.ts`, for unknown ones `verifying.ts`, and `size-limited-login.ts` where the
 * owner limits packets.
 */
export class JavaConnection extends EdgeConnection<ConnectionDeps> {
  /** Its number since the edge started. */
  readonly connection: number;
  step: Step;
  /** Received bytes that are not handled yet; during a login all of them, for the backend. */
  head: Buffer = nothing;
  /** Offset of the next packet in it. */
  offset = 0;
  handshakeEnd = 0;
  /** Once it is known. */
  client: Client | undefined;
  shield: CompiledShield | undefined;
  /** When its handshake was read; 0 before. */
  handshakeAtMs = 0;
  /** A packet has come in parts. */
  isSplit = false;
  peerEnded = false;
  receivedBytes = 0;
  #ip: IpBytes | undefined;
  #discarded = 0;

  constructor(
    socket: Connection,
    key: string,
    connection: number,
    deps: ConnectionDeps,
    first: Step,
  ) {
    super(socket, key, deps);
    this.connection = connection;
    this.step = first;
  }

  get usesNode(): boolean {
    return this.step.usesNode;
  }

  /** The player's address, read when it is first asked for. */
  get ip(): IpBytes {
    return (this.#ip ??= playerIp(this.socket));
  }

  received(chunk: Buffer): void {
    this.receivedBytes += chunk.length;
    this.step.received(this, chunk);
  }

  ended(): void {
    this.peerEnded = true;
    this.step.ended(this);
  }

  drained(): void {
    this.step.drained(this);
  }

  override closed(): void {
    const { step } = this;
    this.step = gone;
    step.closed(this);
    super.closed();
  }

  expire(): void {
    this.step.expire(this);
  }

  override stop(): void {
    this.step.stop(this);
  }

  /**
   * @param shield of the named host; undefined if there is none
   * @returns false if the shield has no room for it, which ends it
   */
  comesTo(shield: CompiledShield | undefined): boolean {
    if (shield === undefined || this.#isOver(shield)) return true;
    this.shield = shield;
    const hasRoom = this.deps.admission.named(this, shield.id, shield.shares.halfOpen);
    return hasRoom || this.drop("shed_shield");
  }

  /** Whether the name was one to try checks by, and its time is over. */
  #isOver({ rules }: CompiledShield): boolean {
    const { trial } = rules.mitigation;
    return trial !== undefined && this.deps.mitigation.nowMs() >= trial.untilMs;
  }

  advance(): void {
    while (this.step.take(this));
  }

  keep(chunk: Buffer): void {
    this.head = this.head.length === 0 ? chunk : Buffer.concat([this.head, chunk]);
  }

  /** All bytes so far are handled, and these are the next ones. */
  startAnew(chunk: Buffer): void {
    this.head = chunk;
    this.offset = 0;
  }

  /** Keeps the bytes while no packet is read; the client waits if it sends too much. */
  hold(chunk: Buffer): void {
    this.keep(chunk);
    if (this.head.length > this.deps.limits.heldBytesMax) this.socket.pause();
  }

  /** Every byte of the player, as a backend may get it. */
  get forwarded(): Buffer {
    const { head, client, handshakeEnd } = this;
    // Most have nothing behind the host, and need no second look.
    if (!client?.suffix) return head;
    return handshakeEnd > 0 ? withForwardedHost(head, handshakeEnd) : withForwardedLegacyHost(head);
  }

  /** Gives up what was kept and can be made again. */
  forget(): void {
    this.head = nothing;
    this.#ip = undefined;
    this.socket.remote.bytes = undefined;
  }

  /** Bytes that still arrive from a client that has its answer. */
  discard(bytes: number): void {
    this.#discarded += bytes;
    if (this.#discarded > this.deps.limits.discardedBytesMax) this.socket.destroy();
  }

  /**
   * Sends the last answer and waits for the client to take it: closing while it still sends would
   * reset the connection and could take the answer with it.
   */
  closeAfter(packet: Buffer): false {
    this.#close();
    this.socket.end(packet);
    this.#linger();
    return false;
  }

  /**
   * Sends the last answer to a login and closes at once, as nothing of the client's can still be on its
   * way: games send nothing behind their Login Start before they have an answer. Clients that do are
   * waited for, like after every other answer.
   *
   * @param isAsked the client has been asked something, and may answer yet
   */
  closeLogin(packet: Buffer, isAsked: boolean): false {
    const isAllRead = this.head.length > 0 && this.head.length === this.offset;
    if (!isAllRead || isAsked) return this.closeAfter(packet);
    this.leave(packet);
    // It is slow to take the answer.
    if (!this.socket.isGone) this.deadline(this.deps.limits.lingerMs);
    return false;
  }

  /** Sends the last answer to a client that closes the connection itself, and gives it time to. */
  closeBehind(packet: Buffer): void {
    this.#close();
    this.socket.write(packet);
    this.#linger();
  }

  /** Everything is read and answered, with this as the last answer if there is one. */
  leave(answer?: Buffer): false {
    this.step = closing;
    // Closing tells the client the same as a shutdown before it.
    this.socket.closeWhenSent(answer);
    return false;
  }

  /** Closes at once, and tells the client so. */
  reset(): void {
    this.step = closing;
    this.socket.reset();
  }

  override becomePlayer(): SettledPlayer {
    this.step = gone;
    this.forget();
    return super.becomePlayer();
  }

  #close(): void {
    this.step = closing;
    this.forget();
    this.deps.admission.waits(this);
  }

  #linger(): void {
    this.socket.resume();
    this.deadline(this.deps.limits.lingerMs);
  }
}
