import {
  type AntibotLevel,
  antibotLevels,
  type RefusalReason,
} from "@palisade/contract/edge/plain-values";
import type { VersionRange } from "@palisade/minecraft-protocol/java/versions";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { AddressSet } from "./address-set.ts";
import {
  type ConnectionContext,
  type LoginAttempt,
  type LoginContext,
  type MitigationRules,
  type ProtectionState,
  type Refusal,
  refusalOf,
  type Signals,
} from "./login-attempt.ts";
import {
  botName,
  canPass,
  cooldown,
  countRest,
  countSecond,
  countSources,
  forge,
  loginsPerSecond,
  nameInUse,
  notesName,
  packetSize,
  pingBeforeJoin,
  requiredChallenge,
  secureProfile,
  sourceRates,
  strongestChallenge,
  takesName,
  vpn,
} from "./login-rules.ts";
import { networkVerdict, type NetworkVerdict } from "./network-rules.ts";
import type { Challenge } from "./shared/verified-players.ts";
import { noSignals, signalsOf } from "./suspicion.ts";
import { trialName, trialPassMs } from "./trial.ts";

interface AddressRules {
  readonly status: "active" | "expired" | "blocked" | "traffic_used_up";
  /** Absent where the list is turned off. */
  readonly blacklist: AddressSet | undefined;
  /** Addresses that may join in maintenance mode; absent if every address may. */
  readonly exclusive: AddressSet | undefined;
}

export interface LoginRules extends AddressRules {
  /** Names of players in lower case; absent where the list is turned off. */
  readonly blacklistNames: ReadonlySet<string> | undefined;
  /** Names in lower case that may join in maintenance mode, from any address; absent outside of it. */
  readonly exclusiveNames: ReadonlySet<string> | undefined;
  readonly versions: VersionRange;
  readonly mitigation: MitigationRules;
}

/** Counts that `countVerdict` makes later. */
interface Counting {
  readonly login: LoginContext;
  /** The login goes on, and takes places in limits. */
  readonly takesPlaces: boolean;
}

interface Counted {
  /** Undefined: nothing. */
  readonly counting?: Counting | undefined;
}

/** `countVerdict` still has to count it. */
export type Verdict = Counted &
  (
    | {
        readonly kind: "forward";
        /** Why the player would have been refused without shadow mode. */
        readonly shadowed?: Refusal;
        /** The challenge that they would have had to pass without shadow mode. */
        readonly wouldChallenge?: Challenge | undefined;
        /** Undefined where none were collected. */
        readonly signals?: Signals | undefined;
        /** The name is in use until `LoginMemory.releaseName`. */
        readonly holdsName: boolean;
      }
    /** The player must pass the challenge before the connection reaches a backend. */
    | {
        readonly kind: "verify";
        readonly challenge: Challenge;
        readonly holdsName: boolean;
        readonly signals: Signals | undefined;
      }
    | { readonly kind: "refuse"; readonly refusal: Refusal }
  );

type Rule = (login: LoginContext) => Refusal | undefined;

/** In the order in which they decide; the first refusal is the one told. */
const first: readonly Rule[] = [
  packetSize,
  sourceRates,
  loginsPerSecond,
  cooldown,
  nameInUse,
  forge,
  vpn,
];
/** The name of a login that has come as far as these is noted, whatever they decide. */
const second: readonly Rule[] = [botName, pingBeforeJoin, secureProfile];

const forward: Verdict = { kind: "forward", holdsName: false };
const nothing: Refusal["facts"] = {};
/** Counts as passed where nothing better than it could change the verdict. */
const best: Challenge = "premium";
const blockedName = refusalOf("blacklist", "entry", "name");

/**
 * Whether a player may join. It reads and changes nothing. The blacklist beats the whitelist. An address
 * on the whitelist beats all mitigation; a name on it, which anyone can type, beats all but the
 * rates of its source and the logins in a second. Maintenance mode goes by the whitelist's entries, whether or not that list is
 * turned on for trust, so that turning trust off never locks the owner out. Rules that block a country
 * or a network come after both lists. Shadow mode softens mitigation alone, and no list and no such rule.
 *
 * A login that goes on to a backend or to verification is counted by `countVerdict`, so that refused
 * ones take no place in a limit and prolong no cooldown.
 */
export function decideLogin(
  facts: LoginAttempt,
  rules: LoginRules,
  state: ProtectionState,
  nowMs: number,
): Verdict {
  const listed = refusedByLists(facts, rules);
  if (listed !== undefined) return { kind: "refuse", refusal: listed };
  const { mitigation } = rules;
  if (!asksAt(mitigation, facts.ip)) return forward;
  if (hasName(mitigation.trustedNames, facts.name)) return decideNamed(facts, rules, state, nowMs);
  const network = networkOf(facts.ip, mitigation, state, nowMs);
  const blocked = blockedBy(network);
  if (blocked !== undefined) return { kind: "refuse", refusal: blocked };
  const login = contextOf(facts, mitigation, state, nowMs, network);
  const early = refusalBy(first, login);
  if (early !== undefined) return refused(early, mitigation, undefined);
  const late = refusalBy(second, login);
  const signals = late === undefined && login.passed === undefined ? signalsOf(login) : undefined;
  const challenge = late === undefined ? requiredChallenge(login, signals ?? noSignals) : undefined;
  const refusal = late ?? unaskable(challenge, login);
  if (refusal !== undefined) {
    const counting = notesName(login) ? { login, takesPlaces: false } : undefined;
    return refused(refusal, mitigation, counting);
  }
  const counting = { login, takesPlaces: true };
  const holdsName = takesName(login);
  if (challenge === undefined) return { kind: "forward", holdsName, counting, signals };
  if (mitigation.shadow) {
    return { kind: "forward", wouldChallenge: challenge, holdsName, counting, signals };
  }
  return { kind: "verify", challenge, holdsName, counting, signals };
}

/**
 * The signals of a login whose verdict came without them, for the log. Undefined for players who are
 * known or on the whitelist.
 */
export function signalsForLog(
  facts: LoginAttempt,
  { mitigation }: LoginRules,
  state: ProtectionState,
  nowMs: number,
): Signals | undefined {
  const { trusted, trustedNames } = mitigation;
  if (trusted?.has(facts.ip) === true || hasName(trustedNames, facts.name)) return undefined;
  // Signals do not go by the owner's rules for places.
  const login = contextOf(facts, mitigation, state, nowMs, undefined);
  return login.passed === undefined ? signalsOf(login) : undefined;
}

/** For a name on the whitelist that comes from an address which is not on it. */
function decideNamed(
  facts: LoginAttempt,
  { mitigation }: LoginRules,
  state: ProtectionState,
  nowMs: number,
): Verdict {
  const known = connectionContext(facts, mitigation, state, nowMs, best);
  const refusal = sourceRates(known) ?? loginsPerSecond(known);
  if (refusal !== undefined) return refused(refusal, mitigation, undefined);
  const login = { ...known, facts, newNames: 0 } as const;
  return { ...forward, counting: { login, takesPlaces: true } };
}

/**
 * Counts a login by its verdict: notes its name, and takes its places in the limits if it goes on. Of
 * two threads that saw the last free place, one gets it.
 *
 * @returns the verdict, or a refusal where a place was taken in between
 */
export function countVerdict(verdict: Verdict): Verdict {
  const { counting } = verdict;
  if (counting === undefined) return verdict;
  const { login, takesPlaces } = counting;
  const { facts, rules, state, nowMs } = login;
  if (notesName(login)) state.memory.sawName(rules.shield, facts.name, nowMs);
  if (!takesPlaces) return verdict;
  const refusal = countSources(login) ?? countSecond(login) ?? countRest(login, takesName(login));
  return refusal === undefined ? verdict : refused(refusal, rules, undefined);
}

/**
 * Why a login is refused whatever cookie its player may bring; undefined if that depends on the
 * cookie.
 */
export function decideBeforeCookie(
  facts: LoginAttempt,
  rules: LoginRules,
  state: ProtectionState,
  nowMs: number,
): Refusal | undefined {
  const listed = refusedByLists(facts, rules);
  if (listed !== undefined) return listed;
  // As if the cookie were the best there is.
  const known = connectionContext(facts, rules.mitigation, state, nowMs, best);
  const blocked = blockedBy(known.network);
  if (blocked !== undefined) return blocked;
  return sourceRates(known) ?? loginsPerSecond(known);
}

export interface ConnectionRefusal extends Refusal {
  /** It would have been refused without shadow mode. */
  readonly shadow: boolean;
}

/**
 * Why a connection whose game is not parsed is refused, in the order of logins: lists, rules
 * by country and network, rates, logins in a second, VPN lists. Undefined if it may go on; then it is counted.
 *
 * @param facts `isNamedLater`: its player is named afterwards, so the names on the whitelist may still let
 *   them in during maintenance
 */
export function refusesConnection(
  facts: Pick<LoginAttempt, "ip" | "attack"> & { readonly isNamedLater?: boolean },
  rules: LoginRules,
  state: ProtectionState,
  nowMs: number,
): ConnectionRefusal | undefined {
  const mayBeNamed = facts.isNamedLater === true && (rules.exclusiveNames?.size ?? 0) > 0;
  const reason =
    refusesAddress(facts.ip, rules) ?? (mayBeNamed ? undefined : refusesOthers(facts.ip, rules));
  if (reason !== undefined) return { reason, facts: nothing, shadow: false };
  const { mitigation } = rules;
  if (!asksAt(mitigation, facts.ip)) return undefined;
  const connection = connectionContext(facts, mitigation, state, nowMs, undefined);
  const blocked = blockedBy(connection.network);
  if (blocked !== undefined) return { ...blocked, shadow: false };
  const refusal =
    sourceRates(connection) ??
    loginsPerSecond(connection) ??
    vpn(connection) ??
    countSources(connection) ??
    countSecond(connection);
  return refusal && { ...refusal, shadow: mitigation.shadow };
}

function refused(
  refusal: Refusal,
  { shadow }: MitigationRules,
  counting: Counting | undefined,
): Verdict {
  if (!shadow) return { kind: "refuse", refusal, counting };
  return { kind: "forward", shadowed: refusal, holdsName: false, counting };
}

/**
 * Whether the owner challenges players from where this address is, at every level. For players that cannot be
 * asked to pass a check, as those of Bedrock: the edge then checks what it can.
 */
export function isChallengedPlace(
  ip: IpBytes,
  rules: MitigationRules,
  state: ProtectionState,
  nowMs: number,
): boolean {
  return networkOf(ip, rules, state, nowMs)?.action === "challenge";
}

/** Whether rules apply to a player from this address; whitelisted ones are exempt. */
export function asksAt({ asks, trusted }: MitigationRules, ip: IpBytes): boolean {
  return asks && trusted?.has(ip) !== true;
}

/**
 * Whether rules apply to the player beyond rates: an address on the whitelist is exempt from all, and
 * a name on it from all but rates.
 */
export function asksPlayer(
  rules: MitigationRules,
  { ip, name }: Pick<LoginAttempt, "ip" | "name">,
): boolean {
  return asksAt(rules, ip) && !hasName(rules.trustedNames, name);
}

function blockedBy(network: NetworkVerdict | undefined): Refusal | undefined {
  return network?.action === "block" ? { reason: "network", facts: network.facts } : undefined;
}

/** The client cannot be asked for the challenge that the rules require. */
function unaskable(challenge: Challenge | undefined, login: LoginContext): Refusal | undefined {
  if (challenge === undefined || canPass(challenge, login)) return undefined;
  return refusalOf("bot_check", "version", String(login.facts.protocol));
}

/** The refusals that do not depend on the shield's mitigation. */
function refusedByLists(facts: LoginAttempt, rules: LoginRules): Refusal | undefined {
  const { ip, name } = facts;
  const reason = refusesAddress(ip, rules);
  if (reason !== undefined) return { reason, facts: nothing };
  if (hasName(rules.blacklistNames, name)) return blockedName;
  const later =
    (hasName(rules.exclusiveNames, name) ? undefined : refusesOthers(ip, rules)) ??
    refusesClient(facts, rules);
  return later && { reason: later, facts: nothing };
}

/** Most lists name no player, and then no name is converted. */
function hasName(names: ReadonlySet<string> | undefined, name: string): boolean {
  return names !== undefined && names.size > 0 && names.has(name.toLowerCase());
}

function refusesClient(
  { nameValid, protocol }: LoginAttempt,
  { versions }: LoginRules,
): RefusalReason | undefined {
  if (!nameValid) return "invalid_name";
  return versions.has(protocol) ? undefined : "invalid_version";
}

/** Why no player may connect from an address; undefined if players may. */
function refusesAddress(ip: IpBytes, rules: AddressRules): RefusalReason | undefined {
  if (rules.status !== "active") return rules.status;
  return rules.blacklist?.has(ip) === true ? "blacklist" : undefined;
}

/** In maintenance mode an address that is not on the whitelist may not connect. */
function refusesOthers(ip: IpBytes, { exclusive }: AddressRules): RefusalReason | undefined {
  return exclusive?.has(ip) === false ? "whitelist_only" : undefined;
}

function refusalBy(rules: readonly Rule[], login: LoginContext): Refusal | undefined {
  for (const rule of rules) {
    const refusal = rule(login);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function contextOf(
  facts: LoginAttempt,
  rules: MitigationRules,
  state: ProtectionState,
  nowMs: number,
  network: NetworkVerdict | undefined,
): LoginContext {
  const { memory, verified } = state;
  const level = actingLevel(rules.antibot, facts);
  const { trial, verified_ms } = rules;
  const known =
    trial === undefined
      ? verified.passedChallenge(facts.name, facts.ip, nowMs, verified_ms)
      : verified.passedChallenge(trialName(facts.name, trial), facts.ip, nowMs, trialPassMs);
  const passed = strongestChallenge(facts.passed, known);
  const isNew = notesName({ rules, passed }) && memory.isNewName(rules.shield, facts.name, nowMs);
  return { facts, rules, state, nowMs, level, passed, network, newNames: isNew ? 1 : 0 };
}

/** For rules that do not look at the player's name. */
function connectionContext(
  facts: Pick<LoginAttempt, "ip" | "attack">,
  rules: MitigationRules,
  state: ProtectionState,
  nowMs: number,
  passed: Challenge | undefined,
): ConnectionContext {
  const level = actingLevel(rules.antibot, facts);
  const network = networkOf(facts.ip, rules, state, nowMs);
  return { facts, rules, state, nowMs, level, passed, network };
}

/** The owner's rule for where an address is; shields without rules look up no address. */
function networkOf(
  ip: IpBytes,
  { network }: MitigationRules,
  { place }: ProtectionState,
  nowMs: number,
): NetworkVerdict | undefined {
  return network === undefined ? undefined : networkVerdict(network, place?.(ip), nowMs);
}

function actingLevel(level: AntibotLevel, { attack }: Pick<LoginAttempt, "attack">): AntibotLevel {
  const { relaxedTo } = attack;
  if (relaxedTo === null || !attack.isUnderAttack) return level;
  return antibotLevels.indexOf(relaxedTo) < antibotLevels.indexOf(level) ? relaxedTo : level;
}
