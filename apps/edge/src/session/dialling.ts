import { AdmittedPhase, type Admitted } from "./admitted-phase.ts";
import type { Conversation } from "./conversation.ts";
import { kickOffline, type LoginRequest } from "./judge-login.ts";
import { logLogin, noteLogin } from "./login-end.ts";
import { PlayerHandover } from "./player-handover.ts";

/** A backend is looked for; what the player says meanwhile is kept for it, within bounds. */
export class Dialling extends AdmittedPhase {
  readonly #handover: PlayerHandover;

  constructor(at: Conversation, request: LoginRequest, admitted: Admitted) {
    super(at, request, admitted);
    this.#handover = new PlayerHandover(at.socket, admitted.shield, at.deps);
  }

  begin(): void {
    const { at } = this;
    at.phase = this;
    at.deps.admission.passed(at);
    at.life.deadline(at.deps.limits.dialMs);
    void this.#join();
  }

  override received(at: Conversation, chunk: Buffer): void {
    at.hold(chunk);
  }

  override expire(): void {
    this.#handover.abort();
  }

  override closed(): void {
    this.#handover.abort();
    super.closed();
  }

  async #join(): Promise<void> {
    const { at, request } = this;
    const dialled = await this.#handover.dial();
    if (at.phase !== this) dialled?.socket.destroy();
    else if (dialled === undefined) this.kick(kickOffline(request, this.admitted.shield));
    else {
      logLogin(at, "forwarded", request.name);
      this.#noteJoined();
      this.releaseName();
      const { head } = at;
      this.#handover.start(dialled, head, { onClosed: at.becomePlayer() });
    }
  }

  #noteJoined(): void {
    const { at, request, trace } = this;
    const { shadowed } = this.admitted;
    const { reason: verdict = "joined", facts } = shadowed ?? {};
    noteLogin(at, { verdict, player: request.name, trace, facts, shadow: shadowed !== undefined });
  }
}
