import { withForwardedHost } from "@palisade/minecraft-protocol/java/forwarded-handshake";
import type { Handshake } from "@palisade/minecraft-protocol/java/handshake";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { Connection } from "#src/reactor/tcp-connection.ts";
import { playerIp } from "#src/reactor/peer.ts";
import type { Sheddable } from "#src/admission/admission.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { Outcome, ShedReason } from "#src/telemetry/outcomes.ts";
import { ConnectionLife, type ConnectionOwner } from "#src/admission/connection-life.ts";
import type { ConnectionDeps } from "./connection-deps.ts";
import type { Expiring } from "#src/reactor/timer-wheel.ts";

/** The client's own data; one before 1.7 names host and version only. */
export type Client = Pick<Handshake, "host" | "protocol"> & Partial<Handshake>;

const nothing = Buffer.alloc(0);

/**
 * The step of a connection. Steps without data of a single connection are shared by all, so that a
 * ping and a kick cost no object for them.
 */
export abstract class Phase {
  /** Whether it uses promises, which have to go on after each of its events. */
  readonly usesNode: boolean = true;

  received(conn: ConnectionState, chunk: Buffer): void {
    conn.keep(chunk);
    conn.advance();
  }

  /** Takes one packet; false if there is none, or if no more is read. */
  step(_conn: ConnectionState): boolean {
    return false;
  }

  /** The client has sent its last byte. One that is slow to take what it was sent stays a while. */
  ended(conn: ConnectionState): void {
    // Called also if its deadline closes it.
    conn.life.finish("left");
    conn.leave();
    this.closed(conn);
  }

  expire(conn: ConnectionState): void {
    conn.drop("deadline");
  }

  /** The edge is stopping. */
  stop(conn: ConnectionState): void {
    conn.drop("stopped");
  }

  /** The client has taken all bytes that waited for it. */
  drained(): void {
    // Most write no more than the kernel takes.
  }

  /** The connection is gone, or has no other end any more. */
  closed(_conn: ConnectionState): void {
    // Most have nothing to give back.
  }
}

class ClosingPhase extends Phase {
  override readonly usesNode = false;

  override received(conn: ConnectionState, chunk: Buffer): void {
    conn.life.discard(chunk.length);
  }
}

class GonePhase extends Phase {
  override readonly usesNode = false;

  override received(): void {
    // No client is left to read it.
  }
}

const closing = new ClosingPhase();
const gone = new GonePhase();

/** One Java connection: what its phases have in common, and the ways it ends. */
export class ConnectionState implements ConnectionOwner {
  readonly socket: Connection;
  readonly deps: ConnectionDeps;
  /** Its number since the edge started. */
  readonly connection: number;
  readonly life: ConnectionLife;
  place: Expiring["place"] = undefined;
  seat: Sheddable["seat"] = undefined;
  phase: Phase;
  /** Received bytes that are not handled yet; during a login all of them, for the backend. */
  head: Buffer = nothing;
  /** Offset of the next packet in it. */
  offset = 0;
  handshakeEnd = 0;
  /** Once it is known. */
  client: Client | undefined;
  shield: CompiledShield | undefined;
  peerEnded = false;
  #ip: IpBytes | undefined;

  constructor(
    socket: Connection,
    sourceKey: string,
    connection: number,
    deps: ConnectionDeps,
    first: Phase,
  ) {
    this.socket = socket;
    this.connection = connection;
    this.deps = deps;
    this.phase = first;
    this.life = new ConnectionLife(socket, this, sourceKey, deps);
  }

  get usesNode(): boolean {
    return this.phase.usesNode;
  }

  /** The player's address, read when it is first asked for. */
  get ip(): IpBytes {
    return (this.#ip ??= playerIp(this.socket));
  }

  received(chunk: Buffer): void {
    this.phase.received(this, chunk);
  }

  ended(): void {
    this.peerEnded = true;
    this.phase.ended(this);
  }

  drained(): void {
    this.phase.drained();
  }

  closed(): void {
    const { phase } = this;
    this.phase = gone;
    phase.closed(this);
    this.life.closed();
  }

  expire(): void {
    this.phase.expire(this);
  }

  shed(reason: ShedReason): void {
    this.drop(reason);
  }

  stop(): void {
    this.phase.stop(this);
  }

  /**
   * @param shield of the named host; undefined if there is none
   * @returns false if the shield has no room for it, which ends it
   */
  comesTo(shield: CompiledShield | undefined): boolean {
    this.shield = shield;
    if (shield === undefined) return true;
    const hasRoom = this.deps.admission.named(this, shield.id, shield.shares.halfOpen);
    return hasRoom || this.drop("shed_shield");
  }

  keep(chunk: Buffer): void {
    this.head = this.head.length === 0 ? chunk : Buffer.concat([this.head, chunk]);
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
    return client?.suffix ? withForwardedHost(head, handshakeEnd) : head;
  }

  /** Gives up what was kept. */
  forget(): void {
    this.head = nothing;
  }

  advance(): void {
    while (this.phase.step(this));
  }

  /** Sends the last answer and waits until the client has taken it. */
  closeAfter(packet: Buffer): false {
    this.phase = closing;
    this.head = nothing;
    this.deps.admission.waits(this);
    this.life.lingerAfter(packet);
    return false;
  }

  /** Sends the last answer to a client that closes the connection itself. */
  closeBehind(packet: Buffer): void {
    this.phase = closing;
    this.head = nothing;
    this.deps.admission.waits(this);
    this.life.awaitLeave(packet);
  }

  /** Everything is answered, with this as the last answer if there is one. */
  leave(answer?: Buffer): false {
    this.phase = closing;
    this.life.leave(answer);
    return false;
  }

  drop(outcome: Outcome): false {
    this.life.drop(outcome);
    return false;
  }

  /**
   * The socket belongs to a relay from here on.
   *
   * @returns as of `ConnectionLife`
   */
  becomePlayer(): () => void {
    this.phase = gone;
    this.head = nothing;
    return this.life.becomePlayer();
  }
}
