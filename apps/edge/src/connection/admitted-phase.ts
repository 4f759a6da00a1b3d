import type { ConnectionState } from "./connection-state.ts";
import type { Refusal } from "#src/rules/login-attempt.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { Kick } from "./login-kicks.ts";
import type { LoginRequest } from "./login-request.ts";
import { LoginPhase } from "./login-phase.ts";

export interface Admitted {
  readonly shield: CompiledShield;
  /** The name is in use until the connection releases it. */
  readonly holdsName: boolean;
  /** Why the player would have been refused without shadow mode. */
  readonly shadowed: Refusal | undefined;
}

/** An admitted login, until it has become a player or ended: its name is in use. */
export abstract class AdmittedPhase extends LoginPhase {
  readonly admitted: Admitted;
  #holdsName: boolean;

  constructor(conn: ConnectionState, request: LoginRequest, admitted: Admitted) {
    super(conn, request);
    this.admitted = admitted;
    this.#holdsName = admitted.holdsName;
  }

  override kick(packet: Kick): false {
    this.releaseName();
    return super.kick(packet);
  }

  releaseName(): void {
    if (!this.#holdsName) return;
    this.#holdsName = false;
    const { shield } = this.admitted;
    this.conn.deps.mitigation.memory.releaseName(shield.rules.mitigation.shield, this.request.name);
  }

  override closed(): void {
    this.releaseName();
  }
}
