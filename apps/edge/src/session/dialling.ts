import type { Dialled } from "#src/forwarding/dialler.ts";
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
    if (this.#allows(at.head.subarray(at.offset))) void this.#join();
  }

  override received(at: Conversation, chunk: Buffer): void {
    if (this.#allows(chunk)) at.hold(chunk);
  }

  override expire(): void {
    this.#handover.abort();
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

  async #join(): Promise<void> {
    const { at, request } = this;
    const dialled = await this.#handover.dial();
    if (at.phase !== this) dialled?.socket.destroy();
    else if (dialled === undefined) {
      this.kick(kickOffline(request, this.admitted.shield, this.soFar.shadowed));
    } else this.#handOver(dialled);
  }

  #handOver(dialled: Dialled): void {
    const { at, request, watch } = this;
    if (watch?.isOver === false) {
      new MeasuredLogin(at, request, this.soFar, watch, this.#handover, dialled).begin();
      return;
    }
    this.joined();
    const { head } = at;
    this.#handover.start(dialled, head, { onClosed: at.becomePlayer() });
  }
}
