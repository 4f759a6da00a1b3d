import { hasForgeMarker } from "@palisade/minecraft-protocol/java/host";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { DialOutcome, DialRefusal } from "#src/dialling/player-dial.ts";
import type { AttackStatus } from "@palisade/login-rules/attack-rules";
import { edgeAttackKey } from "#src/rules/attack-table.ts";
import { countVerdict, decideLogin, type Verdict } from "@palisade/login-rules/login-verdict";
import { scoreOf } from "@palisade/login-rules/suspicion";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { Mitigation } from "./connection-deps.ts";
import { type JavaConnection, Step } from "./java-connection.ts";
import { kickFull, kickOffline, kickUnknownHost, refuse } from "./login-kicks.ts";
import { Login, type LoginSays } from "./login-outcome.ts";
import { PlayerHandover } from "./player-handover.ts";
import { type LoginWatch, measure, SizeLimitedLogin, watchOf } from "./size-limited-login.ts";
import { Verifying } from "./verifying.ts";

/** Counts a login that has come, decides it and carries the verdict out. */
export function takeLogin(conn: JavaConnection, says: LoginSays): false {
  const login = arrived(conn, says);
  const { shield } = conn;
  if (shield === undefined) return login.kick(kickUnknownHost(login));
  return applyVerdict(login, shield, decide(login, shield));
}

/** The same for a login that was not read, and is never admitted. */
export function takeUnread(conn: JavaConnection, says: LoginSays): false {
  const login = arrived(conn, says);
  const { shield, deps } = conn;
  if (shield === undefined) return login.kick(kickUnknownHost(login));
  const verdict = decide(login, shield);
  if (verdict.kind === "refuse") {
    return login.kick(refuse(login, shield, deps.mitigation, verdict.refusal));
  }
  if (verdict.kind === "forward" && verdict.shadowed !== undefined) {
    const { reason, facts } = verdict.shadowed;
    shield.counters.wouldRefuse(reason);
    login.note(reason, facts, true);
  }
  return conn.drop("malformed");
}

/** The login, counted. */
export function arrived(conn: JavaConnection, says: LoginSays): Login {
  const { shield, client, deps, ip } = conn;
  const attack = countArrival(ip, shield, deps.mitigation);
  return new Login(conn, says, hasForgeMarker(client?.suffix ?? ""), attack);
}

const quiet: AttackStatus = { isUnderAttack: false, relaxedTo: null };

/**
 * Counts a login, whatever becomes of it. Those to unknown hosts count for the edge alone.
 *
 * @returns the attack on its shield
 */
export function countArrival(
  ip: IpBytes,
  shield: CompiledShield | undefined,
  { attacks, monotonicMs }: Mitigation,
): AttackStatus {
  const atMs = monotonicMs();
  attacks.login(edgeAttackKey, ip, atMs);
  if (shield === undefined || shield.rules.mitigation.trial !== undefined) return quiet;
  shield.counters.logins++;
  return shield.attack === undefined ? quiet : attacks.login(shield.attack, ip, atMs);
}

/** The attack on the shield by now. */
export function attackOn(
  { attack }: CompiledShield,
  { attacks, monotonicMs }: Mitigation,
): AttackStatus {
  return attack === undefined ? quiet : attacks.status(attack, monotonicMs());
}

export function decide(login: Login, { rules }: CompiledShield): Verdict {
  const { mitigation } = login.conn.deps;
  const nowMs = mitigation.nowMs();
  login.decidedAtMs = nowMs;
  return decideLogin(login, rules, mitigation, nowMs);
}

/** Carries out a verdict: counts it, and kicks the player or takes them to the next step. */
export function applyVerdict(login: Login, shield: CompiledShield, decided: Verdict): false {
  const verdict = countVerdict(decided);
  if (verdict.kind === "refuse") {
    return login.kick(refuse(login, shield, login.conn.deps.mitigation, verdict.refusal));
  }
  login.signals = verdict.signals;
  if (verdict.signals !== undefined) {
    login.conn.deps.outcomes.countScore(scoreOf(verdict.signals));
  }
  if (verdict.holdsName) login.holdName();
  if (verdict.kind === "verify") {
    // Once they have passed, the table of verified players no longer tells what they were before.
    login.passed = verdict.counting?.login.passed;
    login.asked = verdict.challenge;
    new Verifying(login, shield).begin(verdict.challenge);
    return false;
  }
  login.shadowed = verdict.shadowed;
  login.wouldChallenge = verdict.wouldChallenge;
  if (login.shadowed !== undefined) shield.counters.wouldRefuse(login.shadowed.reason);
  if (login.wouldChallenge !== undefined) shield.counters.wouldAsk(login.wouldChallenge);
  new Dialling(login, shield).begin();
  return false;
}

/** A backend is being dialled; bytes of the player are kept for it, up to a limit. */
class Dialling extends Step {
  override readonly usesNode = false;
  readonly #login: Login;
  readonly #shield: CompiledShield;
  readonly #handover: PlayerHandover;
  /** Undefined if the owner does not limit the player's packets. */
  readonly #watch: LoginWatch | undefined;

  constructor(login: Login, shield: CompiledShield) {
    super();
    const { socket, source, deps } = login.conn;
    this.#login = login;
    this.#shield = shield;
    this.#handover = new PlayerHandover(socket, source?.key ?? "", shield, deps);
    const bytesMax = shield.rules.mitigation.packet_bytes_max;
    this.#watch = bytesMax === null ? undefined : watchOf(login, shield, bytesMax);
  }

  begin(): void {
    const { conn } = this.#login;
    const { admission, limits } = conn.deps;
    conn.step = this;
    if (!this.#handover.takePlace()) {
      this.#login.kick(kickFull(this.#login, this.#shield, this.#login.shadowed));
      return;
    }
    admission.passed(conn);
    conn.deadline(limits.dialMs);
    if (!this.#allows(conn.head, conn.offset)) return;
    this.#handover.dial((outcome) => this.#tried(outcome));
  }

  override received(conn: JavaConnection, chunk: Buffer): void {
    if (this.#allows(chunk, 0)) conn.hold(chunk);
  }

  override expire(): void {
    this.#refuseOffline("offline");
  }

  override closed(): void {
    this.#handover.abort();
    this.#login.releaseName();
    this.#login.left();
  }

  /** @param from where the player's bytes begin that are new */
  #allows(bytes: Buffer, from: number): boolean {
    const tooLarge = this.#watch && measure(this.#login, this.#shield, this.#watch, bytes, from);
    if (tooLarge === undefined) return true;
    this.#handover.abort();
    return this.#login.kick(tooLarge);
  }

  #tried(outcome: DialOutcome): void {
    const { conn } = this.#login;
    if (typeof outcome === "string") {
      this.#refuseOffline(outcome);
      return;
    }
    if (conn.socket.isGone) {
      // Its end is reported next.
      outcome.socket.destroy();
      return;
    }
    const watch = this.#watch;
    if (watch?.isOver === false) {
      new SizeLimitedLogin(this.#login, this.#shield, watch, this.#handover, outcome).begin();
      return;
    }
    this.#login.joined();
    this.#handover.start(outcome, conn.forwarded, conn.becomePlayer());
  }

  #refuseOffline(why: DialRefusal): void {
    this.#handover.abort();
    this.#login.kick(kickOffline(this.#login, this.#shield, why, this.#login.shadowed));
  }
}
