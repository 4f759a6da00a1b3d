import type { Dialled } from "#src/forwarding/player-dial.ts";
import type { Admitted } from "./admitted-phase.ts";
import type { Conversation } from "./conversation.ts";
import { noteLeft } from "./login-end.ts";
import { JoiningPhase, watchOf } from "./joining-phase.ts";
import { kickOffline, type LoginRequest, shadowFacts } from "./judge-login.ts";
import { MeasuredLogin } from "./measured-login.ts";
import { PlayerHandover } from "./player-handover.ts";

/** A backend is being dialled; bytes of the player are kept for it, up to a limit. */
export class Dialling extends JoiningPhase {
  readonly #handover: PlayerHandover;

  constructor(at: Conversation, request: LoginRequest, admitted: Admitted) {
    super(at, request, admitted, watchOf(request, admitted));
    this.#handover = new PlayerHandover(at.socket, admitted.shield, at.deps);
  }

  begin(): void {
    const { at } = this;
    at.phase = this;
    at.deps.admission.passed(at);
    at.life.deadline(at.deps.limits.dialMs);
    if (this.#allows(at.head.subarray(at.offset))) this.#join();
  }

  override received(at: Conversation, chunk: Buffer): void {
    if (this.#allows(chunk)) at.hold(chunk);
  }

  override expire(): void {
    this.#handover.abort();
    this.#refuseOffline();
  }

  override closed(): void {
    this.#handover.abort();
    super.closed();
    noteLeft(this.at, this.request.name, this.trace, shadowFacts(this.soFar.shadowed));
  }

  #allows(bytes: Buffer): boolean {
    const tooLarge = this.measure(bytes);
    if (tooLarge === undefined) return true;
    this.#handover.abort();
    return this.kick(tooLarge);
  }

  #join(): void {
    this.#handover.dial((dialled) => {
      if (dialled === undefined) this.#refuseOffline();
      else this.#handOver(dialled);
    });
  }

  #refuseOffline(): void {
    this.kick(kickOffline(this.request, this.admitted.shield, this.soFar.shadowed));
  }

  #handOver(dialled: Dialled): void {
    const { at, request, watch } = this;
    if (at.socket.isGone) {
      // Its end is reported next.
      dialled.socket.destroy();
      return;
    }
    if (watch?.isOver === false) {
      new MeasuredLogin(at, request, this.soFar, watch, this.#handover, dialled).begin();
      return;
    }
    this.joined();
    const { head } = at;
    this.#handover.start(dialled, head, { onClosed: at.becomePlayer() });
  }
}
