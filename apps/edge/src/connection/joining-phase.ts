import { type Refusal, asksAt } from "#src/rules/login-attempt.ts";
import { AdmittedPhase, type Admitted } from "./admitted-phase.ts";
import type { ConnectionState } from "./connection-state.ts";
import { type Kick, refusePacket } from "./login-kicks.ts";
import type { LoginRequest } from "./login-request.ts";
import { logLogin, noteLogin } from "./login-outcome.ts";
import { LoginWatch } from "./login-watch.ts";

/** A player on the way to a backend, whose packets are measured if the owner limits them. */
export abstract class JoiningPhase extends AdmittedPhase {
  override readonly usesNode = false;
  /** Undefined if nothing is limited. */
  readonly watch: LoginWatch | undefined;
  #shadowed: Refusal | undefined;

  constructor(
    conn: ConnectionState,
    request: LoginRequest,
    admitted: Admitted,
    watch?: LoginWatch,
  ) {
    super(conn, request, admitted);
    this.watch = watch;
    this.#shadowed = admitted.shadowed;
  }

  /** Its current state, for the phase that follows. */
  get soFar(): Admitted {
    return { ...this.admitted, shadowed: this.#shadowed };
  }

  /**
   * Checks the player's bytes.
   *
   * @returns the kick for a packet that is too large
   */
  measure(bytes: Buffer): Kick | undefined {
    const { watch, request, admitted, conn } = this;
    if (watch === undefined || watch.isOver) return undefined;
    watch.readPlayer(bytes);
    if (watch.excess === undefined) return undefined;
    const { mitigation } = conn.deps;
    const refused = refusePacket(request, admitted.shield, mitigation, watch.excess);
    if ("kick" in refused) return refused.kick;
    this.#shadowed = refused.shadowed;
    return undefined;
  }

  /** The player has reached the backend: reports the login. */
  joined(): void {
    const { conn, request, trace } = this;
    const shadowed = this.#shadowed;
    const { reason: verdict = "joined", facts } = shadowed ?? {};
    logLogin(conn, "forwarded", request.name);
    noteLogin(conn, {
      verdict,
      player: request.name,
      trace,
      facts,
      shadow: shadowed !== undefined,
    });
    this.releaseName();
  }
}

/** In shadow mode only the first refusal of a login is reported. */
export function watchOf({ ip, form }: LoginRequest, { shield, shadowed }: Admitted) {
  const { mitigation } = shield.rules;
  const { packet_bytes_max: bytesMax } = mitigation;
  const isLimited = form === "modern" && shadowed === undefined && asksAt(mitigation, ip);
  return bytesMax === null || !isLimited ? undefined : new LoginWatch(bytesMax);
}
