import type { Dialled, DialRefusal } from "#src/dialling/player-dial.ts";
import type { Admitted } from "./admitted-phase.ts";
import type { ConnectionState } from "./connection-state.ts";
import { noteLeft } from "./login-outcome.ts";
import { JoiningPhase, watchOf } from "./joining-phase.ts";
import { kickFull, kickOffline, shadowedFacts } from "./login-kicks.ts";
import type { LoginRequest } from "./login-request.ts";
import { SizeLimitedLogin } from "./size-limited-login.ts";
import { PlayerHandover } from "./player-handover.ts";

/** A backend is being dialled; bytes of the player are kept for it, up to a limit. */
export class Dialling extends JoiningPhase {
  readonly #handover: PlayerHandover;

  constructor(conn: ConnectionState, request: LoginRequest, admitted: Admitted) {
    super(conn, request, admitted, watchOf(request, admitted));
    this.#handover = new PlayerHandover(conn.socket, admitted.shield, conn.deps);
  }

  begin(): void {
    const { conn } = this;
    conn.phase = this;
    if (!this.#handover.takePlace()) {
      this.kick(kickFull(this.request, this.admitted.shield, this.soFar.shadowed));
      return;
    }
    conn.deps.admission.passed(conn);
    conn.life.deadline(conn.deps.limits.dialMs);
    if (this.#allows(conn.head.subarray(conn.offset))) this.#join();
  }

  override received(conn: ConnectionState, chunk: Buffer): void {
    if (this.#allows(chunk)) conn.hold(chunk);
  }

  override expire(): void {
    this.#refuseOffline("offline");
  }

  override closed(): void {
    this.#handover.abort();
    super.closed();
    noteLeft(this.conn, this.request.name, this.trace, shadowedFacts(this.soFar.shadowed));
  }

  #allows(bytes: Buffer): boolean {
    const tooLarge = this.measure(bytes);
    if (tooLarge === undefined) return true;
    this.#handover.abort();
    return this.kick(tooLarge);
  }

  #join(): void {
    this.#handover.dial((outcome) => {
      if (typeof outcome === "string") this.#refuseOffline(outcome);
      else this.#handOver(outcome);
    });
  }

  #refuseOffline(why: DialRefusal): void {
    this.#handover.abort();
    this.kick(kickOffline(this.request, this.admitted.shield, why, this.soFar.shadowed));
  }

  #handOver(dialled: Dialled): void {
    const { conn, request, watch } = this;
    if (conn.socket.isGone) {
      // Its end is reported next.
      dialled.socket.destroy();
      return;
    }
    if (watch?.isOver === false) {
      new SizeLimitedLogin(conn, request, this.soFar, watch, this.#handover, dialled).begin();
      return;
    }
    this.joined();
    this.#handover.start(dialled, conn.forwarded, { onClosed: conn.becomePlayer() });
  }
}
