import {
  type AntibotLevel,
  type SuspicionSignal,
  suspicionSignals,
} from "@palisade/contract/edge/plain-values";
import { showsProfileKey } from "@palisade/minecraft-protocol/java/login";
import { isKnown } from "@palisade/minecraft-protocol/java/versions";
import type { LoginContext, Signals } from "./login-attempt.ts";
import { isHostingNetwork } from "./network-rules.ts";
import { type Challenge, challenges } from "./shared/verified-players.ts";
import { failsOften, isFlooding, systemFailsOften } from "./source-history.ts";

/**
 * Points of each signal. 40 points ask for one grade more, 70 for two. Signals that honest players
 * give now and then are worth so little that no two of them reach 40: a player without a ping, behind a
 * VPN, is checked like any other. Signals that no real client gives, and sources that have failed just
 * now, reach 40 by themselves.
 */
export const signalPoints: Readonly<Record<SuspicionSignal, number>> = {
  /** 'Direct connect' sends no ping, and an edge forgets pings when it restarts. */
  no_ping: 15,
  /** No real client sends anything behind Login Start before it is answered; scripts and replayers do. */
  early_bytes: 40,
  /** Games write each packet at once, and it fits one segment. Some tunnels cut segments. */
  split_packet: 15,
  /** Games send Login Start right behind the handshake; a lost segment delays it. */
  late_login: 10,
  /** Address data that only proxies append, or port 0: the client tries to pass as a proxy. */
  odd_host: 25,
  /** Accounts that were not bought have no key, and are most players of a server in offline mode. */
  no_key: 5,
  /** A key that cannot be read is made up; one that has expired may be a wrong clock. */
  odd_key: 25,
  /** Snapshots and releases that the edge is too old for. */
  unknown_version: 15,
  /** Every version has a first player. */
  unusual_version: 10,
  /** A name that tools give by default. */
  tool_name: 30,
  /** Real names look random, too, now and then. */
  random_name: 20,
  /** One of many similar names within a minute; a family or a school class has some. */
  alike_name: 20,
  /** More failures than passes; networks of mobile carriers are shared with bots. */
  network_failures: 15,
  /** Adds to the line above where nearly all that comes out of the network are bots. */
  network_flood: 25,
  /** Bots that are spread over the networks of one provider. */
  system_failures: 15,
  /** Has failed a challenge within ten minutes. */
  source_failed: 40,
  /** Data centres: bots, and players with a VPN of their own. */
  hosting_network: 20,
  /** VPNs, proxies and Tor: bots, and players with good reasons. */
  anonymous_network: 20,
  /** Every country has a first player. */
  unusual_country: 10,
  /** A brand that the client cannot have, by its version or its marker of a mod loader. */
  brand_mismatch: 25,
  /** Games send settings and brand before they answer anything. Mods change the order seldom. */
  settings_order: 10,
};

export const noSignals: Signals = 0;

const bits = new Map<string, number>(suspicionSignals.map((signal, index) => [signal, 1 << index]));
const points = suspicionSignals.map((signal) => signalPoints[signal]);

export const scoreMax = 100;

/** @example signalOf("no_ping") | signalOf("odd_host") */
export function signalOf(signal: SuspicionSignal): Signals {
  return bits.get(signal) ?? noSignals;
}

/** 0 to 100: the points of all signals. */
export function scoreOf(signals: Signals): number {
  let score = 0;
  for (let index = 0; index < points.length; index++) {
    if ((signals & (1 << index)) !== 0) score += points[index] ?? 0;
  }
  return Math.min(score, scoreMax);
}

export type SuspicionParts = Partial<Record<SuspicionSignal, number>>;

export interface Suspicion {
  readonly score: number;
  /** In the order of the table. Together they may be more than the score, which ends at 100. */
  readonly parts: SuspicionParts;
}

/**
 * For the owner's log.
 *
 * @example suspicionOf(signalOf("no_ping")) // { score: 15, parts: { no_ping: 15 } }
 */
export function suspicionOf(signals: Signals): Suspicion {
  const parts: SuspicionParts = {};
  for (const signal of suspicionSignals) {
    if ((signals & signalOf(signal)) !== 0) parts[signal] = signalPoints[signal];
  }
  return { score: scoreOf(signals), parts };
}

/** The signals of an entry of the log; those that are not known here are left out. */
export function signalsIn(parts: Readonly<Record<string, number>>): Signals {
  return Object.keys(parts).reduce(
    (signals, name) => signals | (bits.get(name) ?? noSignals),
    noSignals,
  );
}

/** Scores from which a player is asked for one grade more, and for two. */
export const raiseScores = [40, 70] as const;

/** Grades that an unknown player can be raised to; suspicion and places never ask for a paid account. */
const ladder: readonly Challenge[] = challenges.filter((challenge) => challenge !== "premium");

/** -1 for a player who is asked for nothing. */
export function gradeOf(asked: Challenge | undefined): number {
  return asked === undefined ? -1 : ladder.indexOf(asked);
}

/** The strongest challenge up to the grade that the client can be asked for, but none below `asked`. */
export function raisedTo(
  grade: number,
  asked: Challenge | undefined,
  canAsk: (challenge: Challenge) => boolean,
): Challenge | undefined {
  if (asked === "premium") return asked;
  for (let at = Math.min(grade, ladder.length - 1); at > gradeOf(asked); at--) {
    const raised = ladder[at];
    if (raised !== undefined && canAsk(raised)) return raised;
  }
  return asked;
}

/**
 * The challenge of a player whose level asks for `asked`. At Medium and above suspicion raises it,
 * as far as their client can be asked.
 */
export function raisedBy(
  signals: Signals,
  asked: Challenge | undefined,
  level: AntibotLevel,
  canAsk: (challenge: Challenge) => boolean,
): Challenge | undefined {
  if (signals === noSignals || level === "disabled" || level === "low") return asked;
  const score = scoreOf(signals);
  const grades = raiseScores.filter((from) => score >= from).length;
  return raisedTo(gradeOf(asked) + grades, asked, canAsk);
}

const bit = {
  noPing: signalOf("no_ping"),
  noKey: signalOf("no_key"),
  oddKey: signalOf("odd_key"),
  unknownVersion: signalOf("unknown_version"),
  unusualVersion: signalOf("unusual_version"),
  toolName: signalOf("tool_name"),
  randomName: signalOf("random_name"),
  alikeName: signalOf("alike_name"),
  networkFailures: signalOf("network_failures"),
  networkFlood: signalOf("network_flood"),
  systemFailures: signalOf("system_failures"),
  sourceFailed: signalOf("source_failed"),
  hosting: signalOf("hosting_network"),
  anonymous: signalOf("anonymous_network"),
  unusualCountry: signalOf("unusual_country"),
};

/**
 * The signals of a login before its verdict. Known players give none, and cost no look-up. It changes
 * nothing.
 */
export function signalsOf(login: LoginContext): Signals {
  if (login.passed !== undefined) return noSignals;
  const { logged, wire } = login.facts;
  if (logged !== undefined) return logged;
  return wire | ofPing(login) | ofName(login) | ofClient(login) | ofSource(login) | ofPlace(login);
}

function ofPing({ facts, rules, state, nowMs }: LoginContext): Signals {
  // A transfer of another server needs no ping.
  if (!rules.notesPings || facts.isTransfer) return noSignals;
  return state.memory.hasPinged(rules.shield, facts.ip, nowMs) ? noSignals : bit.noPing;
}

function ofName({ facts, rules, state, nowMs, newNames }: LoginContext): Signals {
  const { name } = facts;
  const own =
    (isToolName(name) ? bit.toolName : noSignals) |
    (looksRandom(name) ? bit.randomName : noSignals);
  // Names are counted for Advanced AntiBot alone.
  if (!rules.advanced_antibot) return own;
  const { memory } = state;
  const isAlike =
    memory.isNumbered(rules.shield, name, newNames, nowMs) ||
    memory.isAlike(rules.shield, name, newNames, nowMs);
  return isAlike ? own | bit.alikeName : own;
}

function ofClient({ facts, rules, state, nowMs }: LoginContext): Signals {
  const { protocol, profileKey } = facts;
  let signals = noSignals;
  if (facts.form === "modern" && !isKnown(protocol)) signals |= bit.unknownVersion;
  if (state.history.isUnusualVersion(rules.shield, protocol, nowMs)) signals |= bit.unusualVersion;
  if (!showsProfileKey(protocol)) return signals;
  if (profileKey === undefined) return signals | bit.noKey;
  const isValid = profileKey.isReadable && profileKey.expiresAtMs > nowMs;
  return isValid ? signals : signals | bit.oddKey;
}

function ofSource({ facts: { ip }, state, nowMs }: LoginContext): Signals {
  const counts = state.history.ofNetwork(ip, nowMs);
  return (
    (failsOften(counts) ? bit.networkFailures : noSignals) |
    (isFlooding(counts) ? bit.networkFlood : noSignals) |
    (state.history.hasFailed(ip, nowMs) ? bit.sourceFailed : noSignals)
  );
}

function ofPlace({ facts: { ip }, rules, state, nowMs }: LoginContext): Signals {
  const { history } = state;
  let signals = ofLists(state.vpn.find(ip)?.facts);
  const place = state.place?.(ip);
  if (place === undefined) return signals;
  const { asn, country } = place;
  if (asn !== undefined && systemFailsOften(history.ofSystem(asn, nowMs))) {
    signals |= bit.systemFailures;
  }
  if (country !== undefined && history.isUnusualCountry(rules.shield, country, nowMs)) {
    signals |= bit.unusualCountry;
  }
  return signals;
}

function ofLists(listed: Readonly<Record<string, string>> | undefined): Signals {
  if (listed === undefined) return noSignals;
  return isHostingNetwork(listed) ? bit.hosting : bit.anonymous;
}

/**
 * Names that tools for load tests and attacks give by default, with a number behind them. Names are free
 * to choose, so this finds only tools that do not care, and some real players: most rules about names
 * apply only under pressure.
 */
const toolName =
  /^(?:mc_?)?(?:bot|spam_?bot|stress_?bot|attack_?bot|dosbot)_?\d+$|^mc(?:storm|spam)/i;

/** Letters without a vowel one after the other: no word in any language written in Latin. */
const unspeakable = /[b-df-hj-np-tv-xz]{8}/i;

/** Letters and digits taking turns: as random generators write them, seldom people. */
const turnsMax = 5;

export function isToolName(name: string): boolean {
  return toolName.test(name);
}

export function looksRandom(name: string): boolean {
  return unspeakable.test(name) || turnsOf(name) > turnsMax;
}

/** How often a letter follows a digit or the other way round. */
function turnsOf(name: string): number {
  let turns = 0;
  let before: boolean | undefined;
  for (let index = 0; index < name.length; index++) {
    const code = name.charCodeAt(index);
    const isDigit = code >= 0x30 && code <= 0x39;
    if (before !== undefined && isDigit !== before) turns++;
    before = isDigit;
  }
  return turns;
}
