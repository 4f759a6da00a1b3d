import type { Socket } from "node:net";
import { asUnpacked } from "@palisade/minecraft-protocol/java/frame";
import type { Dialled } from "#src/forwarding/dialler.ts";
import { passOn } from "#src/forwarding/pass-on.ts";
import type { Admitted } from "./admitted-phase.ts";
import type { Conversation } from "./conversation.ts";
import { JoiningPhase } from "./joining-phase.ts";
import type { Kick, LoginRequest } from "./judge-login.ts";
import type { LoginWatch } from "./login-watch.ts";
import type { PlayerHandover } from "./player-handover.ts";

const nothing = Buffer.alloc(0);

/**
 * Passes a login on between player and backend while the sizes of the player's packets are limited;
 * then a relay takes both sockets. Without a limit of the owner no login comes here.
 */
export class MeasuredLogin extends JoiningPhase {
  readonly #watch: LoginWatch;
  readonly #handover: PlayerHandover;
  readonly #dialled: Dialled;
  #isAnswered = false;
  /** Neither side is read any more. */
  #isLeaving = false;

  constructor(
    at: Conversation,
    request: LoginRequest,
    admitted: Admitted,
    watch: LoginWatch,
    handover: PlayerHandover,
    dialled: Dialled,
  ) {
    super(at, request, admitted, watch);
    this.#watch = watch;
    this.#handover = handover;
    this.#dialled = dialled;
  }

  begin(): void {
    const { at } = this;
    const { socket, reader } = this.#dialled;
    const { head } = at;
    at.forget();
    at.phase = this;
    at.life.deadline(at.deps.limits.loginMs);
    at.socket.setNoDelay(true);
    socket.on("end", this.#onServersEnd).on("close", this.#onServersEnd);
    socket.on("drain", this.#onServersDrain);
    at.socket.on("drain", this.#onPlayersDrain);
    this.#counters.bytesUp += head.length;
    this.#handover.greet(this.#dialled, head);
    reader.take((bytes) => this.#answered(bytes));
    // A backend that sent first may have ended this already.
    if (at.phase !== this || this.#isLeaving) return;
    socket.resume();
    at.socket.resume();
  }

  override received(_at: Conversation, chunk: Buffer): void {
    const tooLarge = this.measure(chunk);
    if (tooLarge !== undefined) {
      this.#refuse(tooLarge);
      return;
    }
    this.#counters.bytesUp += chunk.length;
    if (!this.#server.write(chunk)) this.at.socket.pause();
    if (this.#watch.isOver) this.#handOver();
  }

  override ended(at: Conversation): void {
    this.#end();
    at.leave();
  }

  /** Longer than any server waits; the connection is not cut for it. */
  override expire(at: Conversation): void {
    if (this.#isLeaving) at.drop("deadline");
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

  get #server(): Socket {
    return this.#dialled.socket;
  }

  get #counters() {
    return this.admitted.shield.counters;
  }

  /** @returns whether the server is read on */
  #answered(bytes: Buffer): boolean {
    const { at } = this;
    if (!this.#isAnswered) at.deps.health.succeeded(this.#dialled.backend);
    this.#isAnswered = true;
    this.#watch.readServer(bytes);
    this.#counters.bytesDown += bytes.length;
    const hasRoom = passOn(at.socket, bytes);
    if (!this.#watch.isOver) return hasRoom;
    this.#handOver();
    return false;
  }

  readonly #onServersDrain = (): void => {
    if (!this.#isLeaving) this.at.socket.resume();
  };

  readonly #onPlayersDrain = (): void => {
    if (!this.#isLeaving) this.#server.resume();
  };

  readonly #onServersEnd = (): void => {
    const { at } = this;
    if (!this.#isAnswered) at.deps.health.hungUp(this.#dialled.backend);
    this.#end();
    at.closeAfter(nothing);
  };

  #handOver(): void {
    this.#isLeaving = true;
    this.at.socket.pause();
    this.#server.pause();
    // Also when the deadline has expired: an end that takes no bytes is not waited for.
    this.at.life.deadline(this.at.deps.limits.dialMs);
    this.#handOverWritten();
  }

  /** Bytes that one end has not taken yet would be lost when ours ends. */
  #handOverWritten(): void {
    const { at } = this;
    const sockets = [at.socket, this.#server];
    // The end of a side that is gone is reported, and ends this.
    if (at.phase !== this || sockets.some(({ destroyed }) => destroyed)) return;
    const slow = sockets.find(({ writableLength }) => writableLength > 0);
    if (slow !== undefined) {
      slow.write(nothing, () => this.#handOverWritten());
      return;
    }
    this.#letGo();
    this.joined();
    this.#handover.start(this.#dialled, undefined, { onClosed: at.becomePlayer() });
  }

  #refuse(kick: Kick): void {
    const { isBetweenPackets, isCompressed } = this.#watch;
    this.#letGo();
    this.#server.destroy();
    // Inside another packet no client would read it.
    const packet = isCompressed ? asUnpacked(kick.packet) : kick.packet;
    this.kick({ ...kick, packet: isBetweenPackets ? packet : nothing });
  }

  /** The player or the server has left: ends like any login that had reached the backend. */
  #end(): void {
    this.#letGo();
    this.#server.destroy();
    this.#counters.joins++;
    this.joined();
    this.at.life.finish("forwarded");
  }

  #letGo(): void {
    this.at.socket.off("drain", this.#onPlayersDrain);
    this.#server.off("end", this.#onServersEnd).off("close", this.#onServersEnd);
    this.#server.off("drain", this.#onServersDrain);
  }
}
