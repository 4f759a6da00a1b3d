import type {
  AntibotLevel,
  RefusalReason,
  TryChallenge,
} from "@palisade/contract/edge/plain-values";
import type { ProfileKey } from "@palisade/minecraft-protocol/java/profile-key";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { AttackStatus } from "./attack-rules.ts";
import type { LoginMemory } from "./login-memory.ts";
import type { Challenge, VerifiedPlayers } from "./shared/verified-players.ts";
import type { MitigationConfig } from "@palisade/contract/edge/shield-config";
import type { AddressSet } from "./address-set.ts";
import { type NetworkRules, networkRules, type NetworkVerdict } from "./network-rules.ts";
import type { KnownHistory, Place } from "./source-history.ts";

/** A set of signals of suspicion, one bit for each. */
export type Signals = number;

export interface LoginAttempt {
  readonly ip: IpBytes;
  readonly name: string;
  readonly nameValid: boolean;
  /** As the client names it. */
  readonly protocol: number;
  /** `legacy`: before 1.7. */
  readonly form: "modern" | "legacy";
  readonly forge: boolean;
  /** Undefined if the client shows none. */
  readonly profileKey: ProfileKey | undefined;
  /** Announced size of its Login Start; 0 if no larger than any client's. */
  readonly frameBytes: number;
  /** The challenge that the player has passed, shown by a cookie of this edge or another. */
  readonly passed: Challenge | undefined;
  /** The attack on the shield, as this edge sees it. */
  readonly attack: AttackStatus;
  /** Another server has transferred the player here. */
  readonly isTransfer: boolean;
  /** Signals that the edge has seen in the first bytes. */
  readonly wire: Signals;
  /** All signals, of a login of the log; undefined: they are still to be collected. */
  readonly logged?: Signals | undefined;
}

/** State of the edge that rules read besides the login and the shield's settings. */
export interface ProtectionState {
  readonly memory: LoginMemory;
  readonly verified: Pick<VerifiedPlayers, "passedChallenge">;
  readonly history: KnownHistory;
  /** Absent where the edge has no database of places. */
  readonly place?: ((ip: IpBytes) => Place | undefined) | undefined;
  /** Addresses of VPNs, proxies and data centres. */
  readonly vpn: { find(ip: IpBytes): Refusal | undefined };
  /** Whether the edge can ask clients of this version for such a challenge. */
  canAsk(challenge: Challenge, protocol: number): boolean;
}

export interface Refusal {
  readonly reason: RefusalReason;
  /** Details for the owner's log. */
  readonly facts: Readonly<Record<string, string>>;
  /** Seconds after which the verdict would be another, if it depends on time. */
  readonly seconds?: number;
}

/** One connection as the rules see it. */
export interface ConnectionContext {
  readonly facts: Pick<LoginAttempt, "ip" | "attack">;
  readonly rules: MitigationRules;
  readonly state: ProtectionState;
  readonly nowMs: number;
  /** The level that acts: the owner's, or what it was relaxed to. */
  readonly level: AntibotLevel;
  /** The strongest challenge the player has passed, here or before a transfer. */
  readonly passed: Challenge | undefined;
  /** The owner's rule for the country or the network of the address. */
  readonly network: NetworkVerdict | undefined;
}

/** One login. */
export interface LoginContext extends ConnectionContext {
  readonly facts: LoginAttempt;
  /** 1 if its name is a new one that is noted, and counts among the names like it. */
  readonly newNames: 0 | 1;
}

export function refusalOf(reason: Refusal["reason"], fact: string, value: string): Refusal {
  return { reason, facts: { [fact]: value } };
}

/** A name of the shield at which every player is checked, so that its owner can see the check. */
export interface Trial {
  /** Normalised. */
  readonly host: string;
  readonly challenge: TryChallenge;
  /** It works until then, in epoch ms. */
  readonly untilMs: number;
}

/** A shield's mitigation settings, prepared for the packet path. */
export interface MitigationRules extends Omit<
  MitigationConfig,
  | "attack_threshold"
  | "attack_duration_ms"
  | "cookie_key"
  | "network_rules"
  | "try_label"
  | "try_challenge"
  | "try_until"
> {
  /** The shield's id, the key in shared memory. */
  readonly shield: Uint8Array;
  /** Addresses that no rule applies to; absent if the whitelist is turned off. */
  readonly trusted: AddressSet | undefined;
  /** Names in lower case of players that no rule but rates applies to; absent as `trusted` is. */
  readonly trustedNames: ReadonlySet<string> | undefined;
  /** For players who come by the name that always checks; undefined for all others. */
  readonly trial: Trial | undefined;
  /** Rules by country and network; undefined without any. */
  readonly network: NetworkRules | undefined;
  /** Whether any rule is on. */
  readonly asks: boolean;
  /** Whether rules need to know which players have pinged. */
  readonly notesPings: boolean;
}

/** @param shieldId a UUID */
export function mitigationRules(
  shieldId: string,
  config: MitigationConfig,
  { trusted, trustedNames }: Pick<MitigationRules, "trusted" | "trustedNames">,
): MitigationRules {
  const {
    attack_threshold: _threshold,
    attack_duration_ms: _duration,
    cookie_key: _key,
    try_label: _label,
    try_challenge: _challenge,
    try_until: _until,
    network_rules,
    ...asked
  } = config;
  const network = networkRules(network_rules);
  const levelOrNames = config.antibot !== "disabled" || config.advanced_antibot;
  const limits = [config.logins_per_second, config.rejoin_cooldown_ms, config.packet_bytes_max];
  const { secure_profiles, anti_vpn, anti_forge } = config;
  return {
    ...asked,
    shield: Uint8Array.from(Buffer.from(shieldId.replaceAll("-", ""), "hex")),
    trusted,
    trustedNames,
    trial: undefined,
    network,
    asks:
      network !== undefined ||
      levelOrNames ||
      secure_profiles ||
      anti_vpn ||
      anti_forge ||
      limits.some((limit) => limit !== null),
    notesPings: levelOrNames,
  };
}
