import { asUnpacked } from "@palisade/minecraft-protocol/java/frame";
import type { Connection, ConnectionListener } from "#src/reactor/tcp-connection.ts";
import type { Dialled } from "#src/dialling/player-dial.ts";
import type { Admitted } from "./admitted-phase.ts";
import type { ConnectionState } from "./connection-state.ts";
import { JoiningPhase } from "./joining-phase.ts";
import { type Kick, kickOffline } from "./login-kicks.ts";
import type { LoginRequest } from "./login-request.ts";
import type { LoginWatch } from "./login-watch.ts";
import type { PlayerHandover } from "./player-handover.ts";

const nothing = Buffer.alloc(0);

/**
 * Passes a login on between player and backend while the sizes of the player's packets are limited;
 * then a relay takes both sockets. Without a limit of the owner no login comes here.
 */
export class SizeLimitedLogin extends JoiningPhase {
  readonly #watch: LoginWatch;
  readonly #handover: PlayerHandover;
  readonly #dialled: Dialled;
  readonly #serversListener: ConnectionListener = {
    usesNode: false,
    received: (bytes) => this.#answered(bytes),
    ended: () => this.#serverEnded(),
    closed: () => this.#serverEnded(),
    drained: () => this.#serverDrained(),
  };
  #isAnswered = false;
  /** Neither side is read any more. */
  #isLeaving = false;

  constructor(
    conn: ConnectionState,
    request: LoginRequest,
    admitted: Admitted,
    watch: LoginWatch,
    handover: PlayerHandover,
    dialled: Dialled,
  ) {
    super(conn, request, admitted, watch);
    this.#watch = watch;
    this.#handover = handover;
    this.#dialled = dialled;
  }

  begin(): void {
    const { conn } = this;
    const { socket } = this.#dialled;
    const head = conn.forwarded;
    conn.forget();
    conn.phase = this;
    // Until the server has said something it may be a silent one.
    conn.life.deadline(conn.deps.limits.dialMs);
    conn.socket.setNoDelay();
    socket.listen(this.#serversListener);
    this.#counters.bytesUp += head.length;
    this.#handover.greet(this.#dialled, head);
    socket.resume();
    conn.socket.resume();
  }

  override received(_conn: ConnectionState, chunk: Buffer): void {
    const tooLarge = this.measure(chunk);
    if (tooLarge !== undefined) {
      this.#refuse(tooLarge);
      return;
    }
    this.#counters.bytesUp += chunk.length;
    if (!this.#server.write(chunk)) this.conn.socket.pause();
    // A relay would not know that the server has still to say something.
    if (this.#watch.isOver && this.#isAnswered) this.#handOver();
  }

  override ended(conn: ConnectionState): void {
    this.#end();
    conn.leave();
  }

  /**
   * The server has said nothing, and the player is told that it is offline. `loginMs` is longer than
   * any server waits; the connection is not cut for it.
   */
  override expire(conn: ConnectionState): void {
    if (!this.#isAnswered) this.#refuseOffline();
    else if (this.#isLeaving) conn.drop("deadline");
    else this.#handOver();
  }

  /**
   * The server has let the player in: both sockets go to a relay process, which may outlive this
   * one.
   */
  override stop(): void {
    if (!this.#isLeaving) this.#handOver();
  }

  override closed(): void {
    this.#end();
  }

  get #server(): Connection {
    return this.#dialled.socket;
  }

  get #counters() {
    return this.admitted.shield.counters;
  }

  #answered(bytes: Buffer): void {
    const { conn } = this;
    if (!this.#isAnswered) {
      this.#isAnswered = true;
      conn.deps.health.succeeded(this.#dialled.backend);
      conn.life.deadline(conn.deps.limits.loginMs);
    }
    this.#watch.readServer(bytes);
    this.#counters.bytesDown += bytes.length;
    const hasRoom = conn.socket.write(bytes);
    if (this.#watch.isOver) this.#handOver();
    else if (!hasRoom) this.#server.pause();
  }

  /** The player has taken all that waited for them. */
  override drained(): void {
    if (this.#isLeaving) this.#handOverWritten();
    else this.#server.resume();
  }

  #serverDrained(): void {
    if (this.#isLeaving) this.#handOverWritten();
    else this.conn.socket.resume();
  }

  #serverEnded(): void {
    const { conn } = this;
    if (!this.#isAnswered) conn.deps.health.hungUp(this.#dialled.backend);
    this.#end();
    conn.closeAfter(nothing);
  }

  #handOver(): void {
    this.#isLeaving = true;
    this.conn.socket.pause();
    this.#server.pause();
    // Also when the deadline has expired: an end that takes no bytes is not waited for.
    this.conn.life.deadline(this.conn.deps.limits.dialMs);
    this.#handOverWritten();
  }

  /** Bytes that one end has not taken yet would be lost when ours ends. */
  #handOverWritten(): void {
    const { conn } = this;
    const sockets = [conn.socket, this.#server];
    // The end of a side that is gone is reported, and ends this. A slow one reports that it drained.
    if (conn.phase !== this || sockets.some(({ isGone }) => isGone)) return;
    if (sockets.some(({ unsentBytes }) => unsentBytes > 0)) return;
    this.#letGo();
    this.joined();
    this.#handover.start(this.#dialled, undefined, { onClosed: conn.becomePlayer() });
  }

  #refuse(kick: Kick): void {
    const { isBetweenPackets, isCompressed } = this.#watch;
    this.#giveUp();
    // Inside another packet no client would read it.
    const packet = isCompressed ? asUnpacked(kick.packet) : kick.packet;
    this.kick({ ...kick, packet: isBetweenPackets ? packet : nothing });
  }

  #refuseOffline(): void {
    const { conn, request, admitted } = this;
    conn.deps.health.hungUp(this.#dialled.backend);
    this.#giveUp();
    this.kick(kickOffline(request, admitted.shield, "offline", this.soFar.shadowed));
  }

  /** The player or the server has left: ends like any login that had reached the backend. */
  #end(): void {
    this.#giveUp();
    this.#counters.joins++;
    this.joined();
    this.conn.life.finish("forwarded");
  }

  #giveUp(): void {
    this.#letGo();
    this.#server.destroy();
    this.#handover.abort();
  }

  #letGo(): void {
    this.#server.listen(undefined);
  }
}
