import { traceCode } from "#src/protection/trace-code.ts";
import { type Conversation, Phase } from "./conversation.ts";
import type { Judged, Kick, LoginRequest } from "./judge-login.ts";
import { kick } from "./login-end.ts";

export type Admitted = Extract<Judged, { kind: "admit" }>;

/** A login that nothing speaks against, until it has become a player or ended: its name is in use. */
export abstract class AdmittedPhase extends Phase {
  readonly at: Conversation;
  readonly request: LoginRequest;
  readonly admitted: Admitted;
  #holdsName: boolean;

  constructor(at: Conversation, request: LoginRequest, admitted: Admitted) {
    super();
    this.at = at;
    this.request = request;
    this.admitted = admitted;
    this.#holdsName = admitted.holdsName;
  }

  get trace(): string {
    return traceCode(this.request.bootSeed, this.request.connection);
  }

  kick(packet: Kick): false {
    this.releaseName();
    return kick(this.at, packet, this.request.name);
  }

  releaseName(): void {
    if (!this.#holdsName) return;
    this.#holdsName = false;
    const { shield } = this.admitted;
    this.at.deps.mitigation.memory.releaseName(shield.rules.mitigation.shield, this.request.name);
  }

  override closed(): void {
    this.releaseName();
  }
}
