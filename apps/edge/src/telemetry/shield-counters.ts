import type {
  ChallengeCounts,
  ChallengeGrade,
  MinuteCounters,
  RefusalReason,
} from "@palisade/contract/edge/plain-values";
import { type ShieldLoad, SharedLoads } from "#src/routing/shared-loads.ts";
import { ChallengeTimes } from "./challenge-times.ts";
import { DetailCounters } from "./minute-details.ts";
import { RecentRates } from "./recent-rates.ts";

/**
 * Longer than any connection takes that does not become a player; such connections count without
 * waking the counters.
 */
const takesUntilRest = 60;

/** Counts of one thread for a shield since the last call. */
export interface ShieldCountersPart {
  readonly shieldId: string;
  /** In that thread now. */
  readonly players: number;
  readonly logins: number;
  readonly joins: number;
  /** The part of `players` and `joins` that is of Bedrock. */
  readonly bedrockPlayers: number;
  readonly bedrockJoins: number;
  readonly pings: number;
  readonly statusHits: number;
  readonly bytesUp: number;
  readonly bytesDown: number;
  readonly attackBytes: number;
  readonly challenged: number;
  readonly verified: number;
  readonly refused: readonly (readonly [RefusalReason, number])[];
  readonly shadowed: readonly (readonly [RefusalReason, number])[];
  readonly challenges?: readonly ChallengeCounts[];
  readonly wouldChallenge: readonly (readonly [ChallengeGrade, number])[];
}

export type PlayersTold = Pick<ShieldCountersPart, "players" | "bedrockPlayers">;

/**
 * The counters of one shield: plain numbers that connections and relays count up. `tick` updates
 * the rates once a second; `seal` moves the sums into a minute.
 *
 * Most shields of an edge are idle. The first count of a connection (a ping, a login, a player, a
 * refusal) wakes the counters, so that idle ones need no visit.
 */
export class ShieldCounters {
  readonly shieldId: string;
  /** Players and connections by backend, counted by all threads. */
  readonly loads: SharedLoads;
  #load: ShieldLoad | undefined;
  readonly #onWake: (counters: ShieldCounters) => void;
  // The fields that a ping touches lie together: on an edge of many shields they are cold in
  // memory.
  /** Kept only while something is counted. */
  #rates: RecentRates | undefined;
  #pings = 0;
  /** Pings answered without asking a backend. */
  statusHits = 0;
  #players = 0;
  #logins = 0;
  #joins = 0;
  bytesUp = 0;
  bytesDown = 0;
  /** From refused connections, and to them. */
  attackBytes = 0;
  /** Bedrock's part of the players joined now, and of the joins. */
  bedrockPlayers = 0;
  bedrockJoins = 0;
  #bedrockSeconds = 0;
  #details: DetailCounters | undefined;
  #challenges: ChallengeTimes | undefined;
  readonly refused = new Map<RefusalReason, number>();
  /** Logins that would have been refused without shadow mode. */
  readonly shadowed = new Map<RefusalReason, number>();
  /** Unknown players that shadow mode did not challenge. */
  readonly wouldChallenge = new Map<ChallengeGrade, number>();
  /** Players who were challenged, and those who passed. */
  challenged = 0;
  verified = 0;
  #playerSeconds = 0;
  #playersMax = 0;
  #pingsSealed = 0;
  #bytesSealed = 0;
  #bytesBefore = 0;
  #loginsBefore = 0;
  #playersTold = 0;
  #stillTakes = 0;

  constructor(
    shieldId: string,
    onWake: (counters: ShieldCounters) => void = () => undefined,
    loads: SharedLoads = SharedLoads.alone(),
  ) {
    this.shieldId = shieldId;
    this.#onWake = onWake;
    this.loads = loads;
  }

  /** This shield's part of the loads. */
  get load(): ShieldLoad {
    this.#load ??= this.loads.shield(this.shieldId);
    return this.#load;
  }

  /** Connections on their way to a backend now, of all threads. */
  get dialling(): number {
    return this.load.dialling;
  }

  /** Connections of games that are not parsed now, of all threads. */
  get unparsed(): number {
    return this.load.unparsed;
  }

  /** Players joined now. */
  get players(): number {
    return this.#players;
  }

  set players(count: number) {
    this.#players = count;
    this.#wake();
  }

  /** Login attempts, let in or refused. */
  get logins(): number {
    return this.#logins;
  }

  set logins(count: number) {
    this.#logins = count;
    this.#wake();
  }

  get joins(): number {
    return this.#joins;
  }

  set joins(count: number) {
    this.#joins = count;
    this.#wake();
  }

  get pings(): number {
    return this.#pings;
  }

  set pings(count: number) {
    this.#pings = count;
    this.#wake();
  }

  /** In the main thread only. */
  get details(): DetailCounters {
    this.#wake();
    this.#details ??= new DetailCounters();
    return this.#details;
  }

  #wake(): RecentRates {
    if (this.#rates !== undefined) return this.#rates;
    this.#rates = new RecentRates();
    this.#onWake(this);
    return this.#rates;
  }

  /** Becomes idle until something is counted again. False if there is still something to report. */
  rest(): boolean {
    const isTold = this.#logins === this.#loginsBefore && this.#bytesSealed === this.#bytesBefore;
    const isStill = this.isIdle && isTold;
    if (!isStill || this.loginsPerSecond + this.bandwidthBps > 0) return false;
    this.#rates = undefined;
    return true;
  }

  /** Counts bytes of datagrams that belong to no player. */
  addAttackBytes(bytes: number): void {
    this.attackBytes += bytes;
    this.#wake();
  }

  refuse(reason: RefusalReason): void {
    this.#wake();
    addTo(this.refused, reason, 1);
  }

  /**
   * A player has passed the challenge.
   *
   * @param ms since the edge logged them in
   */
  passed(ms: number, protocol: number, grade: ChallengeGrade): void {
    this.verified++;
    this.#challenges ??= new ChallengeTimes();
    this.#challenges.passed(ms, protocol, grade);
  }

  /** A player has not passed the challenge. */
  failed(protocol: number, grade: ChallengeGrade): void {
    this.#challenges ??= new ChallengeTimes();
    this.#challenges.failed(protocol, grade);
  }

  wouldRefuse(reason: RefusalReason): void {
    this.#wake();
    addTo(this.shadowed, reason, 1);
  }

  wouldAsk(challenge: ChallengeGrade): void {
    this.#wake();
    addTo(this.wouldChallenge, challenge, 1);
  }

  /** @param second counts up by one with each call */
  tick(second: number): void {
    this.#playerSeconds += this.players;
    this.#bedrockSeconds += this.bedrockPlayers;
    this.#playersMax = Math.max(this.#playersMax, this.players);
    const bytes = this.#bytesSealed + this.bytesUp + this.bytesDown;
    const logins = this.logins - this.#loginsBefore;
    this.#wake().note(second, bytes - this.#bytesBefore, logins);
    if (logins > 0) this.details.countSecond(logins);
    this.#bytesBefore = bytes;
    this.#loginsBefore = this.logins;
  }

  get bandwidthBps(): number {
    return this.#rates?.bandwidthBps ?? 0;
  }

  get loginsPerSecond(): number {
    return this.#rates?.loginsPerSecond ?? 0;
  }

  /** Grows with every login attempt and ping. */
  get activity(): number {
    return this.logins + this.pings + this.#pingsSealed;
  }

  /** Nothing was counted since the last seal, and no player is joined. */
  get isIdle(): boolean {
    return this.players === 0 && this.#isEmpty;
  }

  get #isEmpty(): boolean {
    const sums = this.joins + this.pings + this.bytesUp + this.bytesDown + this.#playerSeconds;
    const marks = this.refused.size + this.shadowed.size + this.wouldChallenge.size;
    const checks = this.challenged + this.verified;
    const hasChallenges = this.#challenges?.isEmpty === false;
    const hasDetails = this.attackBytes > 0 || hasChallenges || this.#details?.isEmpty === false;
    return sums + marks + checks + this.#playersMax === 0 && !hasDetails;
  }

  /**
   * Takes the sums, for a worker that passes its counts to the main thread once a second; undefined
   * if nothing has changed. Counters of such a thread keep no rates and are never sealed.
   */
  takePart(): ShieldCountersPart | undefined {
    const hasMoved = this.#players !== this.#playersTold || this.#logins > 0;
    this.#stillTakes = hasMoved || !this.#isEmpty ? 0 : this.#stillTakes + 1;
    if (this.#stillTakes > 0) return undefined;
    const part = {
      shieldId: this.shieldId,
      players: this.players,
      logins: this.#logins,
      joins: this.#joins,
      bedrockPlayers: this.bedrockPlayers,
      bedrockJoins: this.bedrockJoins,
      pings: this.#pings,
      statusHits: this.statusHits,
      bytesUp: this.bytesUp,
      bytesDown: this.bytesDown,
      attackBytes: this.attackBytes,
      challenged: this.challenged,
      verified: this.verified,
      refused: [...this.refused],
      shadowed: [...this.shadowed],
      ...this.#takeChallenges(),
      wouldChallenge: [...this.wouldChallenge],
    };
    this.#logins = 0;
    this.#playersTold = this.#players;
    this.#clear();
    return part;
  }

  /**
   * Like `rest`, for threads whose parts are taken: not while a player may still be challenged or
   * answered.
   */
  restAfterTakes(): boolean {
    if (this.#players > 0 || this.#stillTakes < takesUntilRest) return false;
    this.#rates = undefined;
    this.#stillTakes = 0;
    return true;
  }

  /**
   * Adds the counts of another thread.
   *
   * @param before as that thread told its players last
   */
  addPart(part: ShieldCountersPart, before: PlayersTold): void {
    this.#wake();
    this.#players += part.players - before.players;
    this.bedrockPlayers += part.bedrockPlayers - before.bedrockPlayers;
    this.bedrockJoins += part.bedrockJoins;
    this.#logins += part.logins;
    this.#joins += part.joins;
    this.#pings += part.pings;
    this.statusHits += part.statusHits;
    this.bytesUp += part.bytesUp;
    this.bytesDown += part.bytesDown;
    this.attackBytes += part.attackBytes;
    this.challenged += part.challenged;
    this.verified += part.verified;
    for (const [reason, count] of part.refused) addTo(this.refused, reason, count);
    for (const [reason, count] of part.shadowed) addTo(this.shadowed, reason, count);
    for (const [grade, count] of part.wouldChallenge) addTo(this.wouldChallenge, grade, count);
    if (part.challenges === undefined) return;
    this.#challenges ??= new ChallengeTimes();
    this.#challenges.add(part.challenges);
  }

  /** Takes the sums away as counters of `minute`; undefined if there are none. */
  seal(minute: string): MinuteCounters | undefined {
    if (this.#isEmpty) return undefined;
    const counters: MinuteCounters = {
      shield_id: this.shieldId,
      minute,
      joins: this.joins,
      pings: this.pings,
      refused: Object.fromEntries(this.refused),
      shadowed: Object.fromEntries(this.shadowed),
      ...(this.wouldChallenge.size > 0 && {
        would_challenge: Object.fromEntries(this.wouldChallenge),
      }),
      bytes_up: this.bytesUp,
      bytes_down: this.bytesDown,
      player_seconds: this.#playerSeconds,
      players_max: this.#playersMax,
      status_hits: this.statusHits,
      challenged: this.challenged,
      verified: this.verified,
      ...this.#takeChallenges(),
      ...this.#takeBedrock(),
      ...this.#takeDetails(),
    };
    this.#pingsSealed += this.pings;
    this.#bytesSealed += this.bytesUp + this.bytesDown;
    this.#clear();
    return counters;
  }

  #takeChallenges(): { challenges?: ChallengeCounts[] } {
    const challenges = this.#challenges?.take();
    return challenges === undefined ? {} : { challenges };
  }

  #takeBedrock(): Pick<MinuteCounters, "bedrock"> {
    const [joins, player_seconds] = [this.bedrockJoins, this.#bedrockSeconds];
    return joins + player_seconds === 0 ? {} : { bedrock: { joins, player_seconds } };
  }

  #takeDetails(): Pick<MinuteCounters, "details"> {
    if (this.#details === undefined && this.attackBytes === 0) return {};
    return { details: this.details.take(this.attackBytes) };
  }

  #clear(): void {
    this.attackBytes = 0;
    this.#joins = this.#pings = this.statusHits = this.bytesUp = this.bytesDown = 0;
    this.#playerSeconds = this.#playersMax = 0;
    this.bedrockJoins = this.#bedrockSeconds = 0;
    this.challenged = this.verified = 0;
    this.refused.clear();
    this.shadowed.clear();
    this.wouldChallenge.clear();
  }
}

function addTo<K>(counts: Map<K, number>, key: K, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
