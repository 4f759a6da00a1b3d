import {
  sourceCount,
  type SourceCount,
  AbuseCounters,
  type SourceRows,
} from "#src/rules/source-counts.ts";
import { randomInt } from "node:crypto";
import { scoreMax } from "@palisade/login-rules/suspicion";
import type { RefusalReason } from "@palisade/contract/edge/plain-values";

/** Why the edge closed a connection to make room, or did not accept it at all. */
export type ShedReason =
  | "shed_ip"
  | "shed_pending"
  | "shed_files"
  | "shed_shield"
  | "shed_ban"
  /** Its shield has connected to enough backends that do not answer in this second. */
  | "shed_dials";

/** How a connection ended, or that it became a player's. Each has exactly one. */
export type Outcome =
  | "forwarded"
  /** The player has passed the challenge and is to join again. */
  | "verified"
  /**
   * The player had to be challenged, but the edge had no room or could not reach the session
   * server.
   */
  | "unchecked"
  | "status"
  | "ping"
  | "legacy"
  | "unknown_host"
  /** No backend of the shield has been proven, and none answers as Minecraft. */
  | "unproven"
  | "malformed"
  | "deadline"
  | "left"
  | "stopped"
  | RefusalReason
  | ShedReason;

/**
 * The count that each outcome adds to for its source, besides the connection itself. Null: the
 * outcome says nothing about the source, because the connection was answered, has ended by itself,
 * made room for others, or met a fault that is not its own.
 */
export const sourceCountOf: Readonly<Record<Outcome, SourceCount | null>> = {
  forwarded: sourceCount.admitted,

  malformed: sourceCount.hostile,
  deadline: sourceCount.hostile,
  invalid_name: sourceCount.hostile,
  bot_name: sourceCount.hostile,
  bot_check: sourceCount.hostile,
  packet_size: sourceCount.hostile,
  rate: sourceCount.hostile,
  shed_ip: sourceCount.hostile,

  unknown_host: sourceCount.refused,
  blacklist: sourceCount.refused,
  whitelist_only: sourceCount.refused,
  invalid_version: sourceCount.refused,
  expired: sourceCount.refused,
  traffic_used_up: sourceCount.refused,
  blocked: sourceCount.refused,
  forge: sourceCount.refused,
  cooldown: sourceCount.refused,
  max_connections: sourceCount.refused,
  secure_profiles: sourceCount.refused,
  vpn: sourceCount.refused,
  network: sourceCount.refused,

  status: null,
  ping: null,
  legacy: null,
  verified: null,
  unchecked: null,
  left: null,
  stopped: null,
  offline: null,
  full: null,
  unproven: null,
  shed_pending: null,
  shed_files: null,
  shed_shield: null,
  shed_ban: null,
  shed_dials: null,
};

/** Lowest scores of the bands in which the suspicion of unknown players is counted. */
const scoreBands = [0, 1, 20, 40, 70] as const;

function bandOf(score: number): string {
  const index = scoreBands.findLastIndex((from) => score >= from);
  const from = scoreBands[index] ?? 0;
  const next = scoreBands[index + 1] ?? scoreMax + 1;
  return from === next - 1 ? String(from) : `${from}-${next - 1}`;
}

/** Counts of one thread since the last call. */
export interface OutcomePart {
  readonly accepted: number;
  readonly outcomes: readonly (readonly [Outcome, number])[];
  readonly handshakes: readonly (readonly [string, number])[];
  readonly scores: readonly (readonly [string, number])[];
  readonly sources: SourceRows;
}

/** Plain numbers, read by the metrics when they are asked for. */
export class OutcomeCounts {
  accepted = 0;
  readonly #counts = new Map<Outcome, number>();
  /** By the client's intent. */
  readonly #handshakes = new Map<string, number>();
  /** Suspicion of unknown players, by bands of the score. */
  readonly #scores = new Map<string, number>();
  /** The same by source, from which bans are decided. */
  readonly bySource = new AbuseCounters(randomInt(2 ** 32));

  /** @param source of `sourceKey`, where it is known */
  count(outcome: Outcome, source?: string): void {
    if (source !== undefined) this.bySource.note(source, sourceCountOf[outcome]);
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
  }

  /** @param intent of the handshake */
  countHandshake(intent: string): void {
    this.#handshakes.set(intent, (this.#handshakes.get(intent) ?? 0) + 1);
  }

  /** @param score of an unknown player, 0 to 100 */
  countScore(score: number): void {
    addTo(this.#scores, bandOf(score), 1);
  }

  /** Takes all counts, for the thread that reports them. */
  takeAll(): OutcomePart {
    const part = {
      accepted: this.accepted,
      outcomes: [...this.#counts],
      handshakes: [...this.#handshakes],
      scores: [...this.#scores],
      sources: this.bySource.drain(),
    };
    this.accepted = 0;
    this.#counts.clear();
    this.#handshakes.clear();
    this.#scores.clear();
    return part;
  }

  /** Adds the counts of another thread. */
  add({ accepted, outcomes, handshakes, scores, sources }: OutcomePart): void {
    this.accepted += accepted;
    for (const [outcome, count] of outcomes) addTo(this.#counts, outcome, count);
    for (const [intent, count] of handshakes) addTo(this.#handshakes, intent, count);
    for (const [band, count] of scores) addTo(this.#scores, band, count);
    this.bySource.add(sources);
  }

  handshakes(): Iterable<[string, number]> {
    return this.#handshakes.entries();
  }

  scores(): Iterable<[string, number]> {
    return this.#scores.entries();
  }

  get(outcome: Outcome): number {
    return this.#counts.get(outcome) ?? 0;
  }

  entries(): Iterable<[Outcome, number]> {
    return this.#counts.entries();
  }
}

function addTo<K>(counts: Map<K, number>, key: K, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
