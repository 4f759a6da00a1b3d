import {
  type AntibotLevel,
  type SuspicionSignal,
  suspicionSignals,
} from "@palisade/contract/edge/plain-values";
import { type Challenge, challenges } from "./shared/verified-players.ts";

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

/** A set of signals, one bit for each. */
export type Signals = number;

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

/** Grades that suspicion can ask for; it never asks for a paid account. */
const ladder = challenges.filter((challenge) => challenge !== "premium");

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
  if (asked === "premium") return asked;
  const score = scoreOf(signals);
  const grades = raiseScores.filter((from) => score >= from).length;
  const from = asked === undefined ? -1 : ladder.indexOf(asked);
  for (let grade = Math.min(from + grades, ladder.length - 1); grade > from; grade--) {
    const raised = ladder[grade];
    if (raised !== undefined && canAsk(raised)) return raised;
  }
  return asked;
}
