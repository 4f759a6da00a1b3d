import type { LoggedAttempt, LoginVerdict } from "@palisade/contract/edge/telemetry";
import type { ProfileKey } from "@palisade/minecraft-protocol/java/profile-key";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import { playerAddress } from "#src/admission/peer.ts";
import type { AttackStatus } from "@palisade/login-rules/attack-rules";
import type { LoginAttempt, Refusal, Signals } from "@palisade/login-rules/login-attempt";
import { strongestChallenge } from "@palisade/login-rules/login-rules";
import { signalsForLog } from "@palisade/login-rules/login-verdict";
import type { Challenge } from "@palisade/login-rules/shared/verified-players";
import { noSignals, raiseScores, scoreOf, suspicionOf } from "@palisade/login-rules/suspicion";
import type { Outcome } from "#src/telemetry/outcomes.ts";
import type { JavaConnection } from "./java-connection.ts";
import { countRefusal, type Kick, shadowedFacts } from "./login-kicks.ts";

/** Shorter waits between a verdict and its outcome are not logged. */
const waitNotedMs = 250;

/** The login's data besides the handshake. */
export type LoginSays = Pick<LoginAttempt, "name" | "nameValid" | "protocol" | "form"> &
  Partial<Pick<LoginAttempt, "profileKey" | "frameBytes" | "wire">>;

/**
 * One counted login, from its arrival until its outcome is known. However it ends, it is logged once
 * for the owner, and its name is free again.
 */
export class Login implements LoginAttempt {
  readonly conn: JavaConnection;
  readonly name: string;
  readonly nameValid: boolean;
  readonly protocol: number;
  readonly form: LoginAttempt["form"];
  readonly forge: boolean;
  readonly profileKey: ProfileKey | undefined;
  readonly frameBytes: number;
  passed: Challenge | undefined = undefined;
  attack: AttackStatus;
  readonly isTransfer: boolean;
  readonly wire: Signals;
  /** All signals of an unknown player, once they are collected. */
  signals: Signals | undefined = undefined;
  /** Why the player would have been refused without shadow mode; the first such refusal. */
  shadowed: Refusal | undefined = undefined;
  /** The challenge that shadow mode has spared the player. */
  wouldChallenge: Challenge | undefined = undefined;
  /** When its verdict was decided; 0 if it was refused before. */
  decidedAtMs = 0;
  /** The challenge that the player was asked to pass. */
  asked: Challenge | undefined = undefined;
  #holdsName = false;
  #trace: string | undefined;

  constructor(conn: JavaConnection, says: LoginSays, forge: boolean, attack: AttackStatus) {
    this.conn = conn;
    this.name = says.name;
    this.nameValid = says.nameValid;
    this.protocol = says.protocol;
    this.form = says.form;
    this.forge = forge;
    this.profileKey = says.profileKey;
    this.frameBytes = says.frameBytes ?? 0;
    this.wire = says.wire ?? 0;
    this.isTransfer = conn.client?.intent === "transfer";
    this.attack = attack;
  }

  get ip(): IpBytes {
    return this.conn.ip;
  }

  /** The code that its player reads in a kick, made when it is first asked for: most leave before. */
  get trace(): string {
    return (this.#trace ??= this.conn.deps.traceCodes.of(this.conn.connection));
  }

  /** Its name is in use from now on. */
  holdName(): void {
    this.#holdsName = true;
  }

  /** Adds what an unknown player has shown after their login. */
  showed(signals: Signals = noSignals): void {
    if (this.signals !== undefined) this.signals |= signals;
  }

  /** It has become a player, or has ended. */
  releaseName(): void {
    const { shield, deps } = this.conn;
    if (!this.#holdsName || shield === undefined) return;
    this.#holdsName = false;
    deps.mitigation.memory.releaseName(shield.rules.mitigation.shield, this.name);
  }

  /** The player has reached the backend. */
  joined(): void {
    const { shadowed } = this;
    const { reason: verdict = "joined", facts } = shadowed ?? {};
    this.#log("forwarded");
    const isSpared = shadowed !== undefined || this.wouldChallenge !== undefined;
    this.note(verdict, facts, isSpared, true);
    this.#countPlayer();
    this.releaseName();
  }

  /** Notes and logs the refusal, and sends the kick. */
  kick({ outcome, ends = outcome, packet, facts, isAsked = false }: Kick): false {
    this.releaseName();
    if (outcome !== "unknown_host") this.note(outcome, facts);
    if (outcome !== "offline") this.#countAttackBytes(packet.length);
    this.conn.finish(ends);
    this.#log(outcome, this.trace);
    return this.conn.closeLogin(packet, isAsked);
  }

  /** The player has passed the challenge, and is to join again. */
  verified(): void {
    const { mitigation } = this.conn.deps;
    if (!this.#isTrial) {
      mitigation.history.passed(this.ip, mitigation.place?.(this.ip), mitigation.nowMs());
    }
    this.releaseName();
    this.note("verified");
    this.conn.finish("verified");
    this.#log("verified");
  }

  /** It ended before its verdict. Mostly the player has left; if the edge ended it, the reason is added. */
  left(): void {
    const { outcome = "left" } = this.conn;
    const facts = this.shadowed && shadowedFacts(this.shadowed);
    this.note("left", outcome === "left" ? facts : { ...facts, edge: outcome });
  }

  /**
   * The player left without passing the challenge. That counts as not passed, because bots hang up
   * too; a player that the edge had to drop may still have been about to pass.
   */
  unanswered(facts: Refusal["facts"]): void {
    const { outcome = "left", shield, deps } = this.conn;
    if (outcome !== "left" || shield === undefined) {
      this.left();
      return;
    }
    const { mitigation } = deps;
    countRefusal(shield, "bot_check", mitigation);
    if (this.asked !== undefined && !this.#isTrial) {
      mitigation.history.failed(this.ip, mitigation.place?.(this.ip), true, mitigation.nowMs());
    }
    this.#countAttackBytes(0);
    this.note("bot_check", facts);
  }

  /** The player came by the name at which every player is checked, and counts in no statistics. */
  get #isTrial(): boolean {
    return this.conn.shield?.rules.mitigation.trial !== undefined;
  }

  /**
   * Players tell which versions and countries are usual. Bots of an attack, and logins that look like a
   * bot's, do not.
   */
  #countPlayer(): void {
    const { shield, deps } = this.conn;
    const isSuspicious = scoreOf(this.signals ?? 0) >= raiseScores[0];
    if (shield === undefined || this.attack.isUnderAttack || isSuspicious) return;
    const { history, place, nowMs } = deps.mitigation;
    history.joined(shield.rules.mitigation.shield, this.protocol, place?.(this.ip), nowMs());
  }

  /** Refused connections are not billed. */
  #countAttackBytes(sent: number): void {
    const { shield, receivedBytes } = this.conn;
    if (shield !== undefined && !this.#isTrial) shield.counters.attackBytes += receivedBytes + sent;
  }

  /**
   * For the owner's log, once it is known what became of the login.
   *
   * @param shadow the verdict was only recorded, in shadow mode
   * @param isAdmitted the player has reached the backend
   */
  note(verdict: LoginVerdict, facts?: Refusal["facts"], shadow = false, isAdmitted = false): void {
    const { shield, client, deps } = this.conn;
    if (shield === undefined) return;
    if (this.attack.isUnderAttack) {
      deps.attackSamples.note(shield.id, this.ip, this.name, isAdmitted);
    }
    deps.logins.note(
      {
        shieldId: shield.id,
        verdict,
        shadow,
        ip: this.ip,
        player: this.name,
        protocol: client?.protocol ?? 0,
        host: client?.host ?? "",
        facts,
      },
      this,
    );
  }

  /** The facts that the rules read of it, for its entry in the log. */
  loggedAttempt(verdict: LoginVerdict): LoggedAttempt {
    const { shield, deps } = this.conn;
    if (shield === undefined) return {};
    const { mitigation } = deps;
    const { shield: key, notesPings, verified_ms } = shield.rules.mitigation;
    const nowMs = mitigation.nowMs();
    const waitedMs = this.decidedAtMs === 0 ? 0 : Math.round(nowMs - this.decidedAtMs);
    const { isUnderAttack, relaxedTo } = this.attack;
    const signals = this.signals ?? signalsForLog(this, shield.rules, mitigation, nowMs);
    const hasPinged = notesPings && mitigation.memory.hasPinged(key, this.ip, nowMs);
    const passed = verdict === "verified" ? this.passed : this.#hasPassed(nowMs, verified_ms);
    const vpn = mitigation.vpn.hasRanges ? mitigation.vpn.find(this.ip)?.facts : undefined;
    return {
      ...(this.frameBytes > 0 && { frame_bytes: this.frameBytes }),
      ...(this.forge && { forge: true }),
      ...(this.form === "legacy" && { legacy: true }),
      ...(!this.nameValid && { invalid_name: true }),
      ...(this.profileKey !== undefined && { profile_key: keyFact(this.profileKey) }),
      ...(passed !== undefined && { passed }),
      ...(this.asked !== undefined && { asked: this.asked }),
      ...(this.wouldChallenge !== undefined && { would_challenge: this.wouldChallenge }),
      ...(signals !== undefined && signals !== 0 && suspicionOf(signals)),
      ...(!hasPinged && { ping: notesPings ? "none" : "unknown" }),
      ...(vpn !== undefined && { vpn }),
      ...(isUnderAttack && { attack: relaxedTo ?? true }),
      ...(waitedMs > waitNotedMs && { waited_ms: waitedMs }),
    };
  }

  #hasPassed(nowMs: number, withinMs: number): Challenge | undefined {
    const { verified } = this.conn.deps.mitigation;
    const known = verified.passedChallenge(this.name, this.ip, nowMs, withinMs);
    return strongestChallenge(this.passed, known);
  }

  #log(verdict: Outcome, trace?: string): void {
    const { connection, socket, client, shield, deps } = this.conn;
    deps.log.info(
      () => ({
        connection,
        ip: playerAddress(socket),
        host: client?.host,
        protocol: client?.protocol,
        shield: shield?.id,
        player: this.name,
        verdict,
        trace,
      }),
      "login",
    );
  }
}

function keyFact({
  isReadable,
  expiresAtMs,
}: ProfileKey): NonNullable<LoggedAttempt["profile_key"]> {
  if (!isReadable) return "unreadable";
  // The client says the time, in 64 bits.
  const { MAX_SAFE_INTEGER: most } = Number;
  return Math.trunc(Math.min(Math.max(expiresAtMs, -most), most));
}
