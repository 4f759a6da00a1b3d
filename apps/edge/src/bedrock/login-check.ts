import { checkLogin } from "@palisade/login-rules/bedrock/login-chain";
import type { LoginReader } from "@palisade/minecraft-protocol/bedrock/login-reader";
import { tooLarge } from "@palisade/login-rules/login-rules";
import type { MitigationRules } from "@palisade/login-rules/login-attempt";
import type { Endpoint } from "@palisade/minecraft-protocol/proxy/proxy-v2";
import type { RefusalReason } from "@palisade/contract/edge/plain-values";
import { attackOn } from "#src/connection/login.ts";
import { countRefusal } from "#src/connection/login-kicks.ts";
import type { Mitigation } from "#src/connection/connection-deps.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { LoginKeyService } from "./login-key-service.ts";

export type PlayerVerdict =
  | { readonly kind: "passes" }
  | {
      readonly kind: "refused" | "shadowed";
      readonly reason: RefusalReason;
      readonly facts: Readonly<Record<string, string>>;
    };

export interface CheckDeps {
  readonly mitigation: Mitigation;
  readonly nowMs: () => number;
  /** The keys that may sign logins. */
  readonly loginKeys: Pick<LoginKeyService, "keys">;
}

/** The limit of a login with its skin, whatever the owner sets: several times the largest skin. */
const loginBytesMax = 4 * 1_024 * 1_024;

/** The part of a login that was read on its way. */
type ReadLogin = Pick<LoginReader, "login" | "identityBytes" | "messageBytes">;

const passes: PlayerVerdict = { kind: "passes" };

/**
 * Decides a player whose login was read on its way to the backend. Names on the blacklist may not play; in
 * maintenance mode only those on the whitelist may, and no other rule here applies to them.
 * An owner's limit of packets counts for the proof of the account alone, because the skin behind it is
 * larger than any packet of Java.
 * A valid chain is asked for where the owner allows signed profiles only; and in an attack, of sources
 * that are not known: at Extreme a valid one, else one that is not forged.
 *
 * @param read its login is undefined where none has come
 * @param isSuspected its source has not joined lately, and the level or a rule of the owner asks for more
 */
export function checkPlayer(
  read: ReadLogin | undefined,
  { ip }: Pick<Endpoint, "ip">,
  shield: CompiledShield,
  isSuspected: boolean,
  deps: CheckDeps,
): PlayerVerdict {
  const { rules } = shield;
  const login = read?.login;
  const name = login?.displayName.toLowerCase();
  if (name !== undefined && rules.blacklistNames?.has(name) === true) {
    return refusal(shield, "blacklist", { entry: "name" }, deps, false);
  }
  const { mitigation, exclusive, exclusiveNames } = rules;
  if (exclusive?.has(ip) === false && (name === undefined || exclusiveNames?.has(name) !== true)) {
    return refusal(shield, "whitelist_only", {}, deps, false);
  }
  if (mitigation.trusted?.has(ip) === true) return passes;
  if (name !== undefined && mitigation.trustedNames?.has(name) === true) return passes;
  const bytes = read && oversize(read, mitigation);
  if (bytes !== undefined) {
    const { reason, facts } = tooLarge(bytes);
    return refusal(shield, reason, facts, deps, mitigation.shadow);
  }
  const isChecked = isSuspected && attackOn(shield, deps.mitigation).isUnderAttack;
  if (!isChecked && !mitigation.secure_profiles) return passes;
  const kind =
    login === undefined
      ? "none"
      : checkLogin(login, new Date(deps.nowMs()), deps.loginKeys.keys).kind;
  if (kind === "valid" || mayBeUnproven(kind, mitigation)) return passes;
  const reason = mitigation.secure_profiles ? "secure_profiles" : "bot_check";
  return refusal(shield, reason, { login: kind }, deps, mitigation.shadow);
}

/** The size that is over the owner's limit; undefined where none is. */
function oversize(
  { identityBytes, messageBytes }: ReadLogin,
  { packet_bytes_max: max }: Pick<MitigationRules, "packet_bytes_max">,
): number | undefined {
  if (max === null) return undefined;
  if (identityBytes > max) return identityBytes;
  return messageBytes > loginBytesMax ? messageBytes : undefined;
}

/**
 * While the keys of the game's service are not known, logins of the newest form cannot be checked. They pass for
 * signed profiles, because the backend checks them; at Extreme, in an attack, they prove no more than no account
 * does.
 */
function mayBeUnproven(
  kind: string,
  { antibot, secure_profiles }: Pick<MitigationRules, "antibot" | "secure_profiles">,
): boolean {
  if (kind === "unknown") return antibot !== "extreme";
  return kind === "offline" && !secure_profiles && antibot !== "extreme";
}

function refusal(
  shield: CompiledShield,
  reason: RefusalReason,
  facts: Readonly<Record<string, string>>,
  { mitigation }: CheckDeps,
  isShadow: boolean,
): PlayerVerdict {
  if (isShadow) shield.counters.wouldRefuse(reason);
  else countRefusal(shield, reason, mitigation);
  return { kind: isShadow ? "shadowed" : "refused", reason, facts };
}
