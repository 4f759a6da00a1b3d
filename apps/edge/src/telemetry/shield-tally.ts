import type { MinuteCounters, RefusalReason } from "@palisade/contract/edge/telemetry";

const bandwidthWindowSeconds = 60;
const joinWindowSeconds = 5;

/**
 * The counters of one shield: plain numbers that sessions and relays count up as
 * they go. Once a second `tick` takes stock; sums go into minutes when sealed.
 */
export class ShieldTally {
  readonly shieldId: string;
  /** Players joined now. */
  players = 0;
  /** Login attempts, let in or refused. */
  logins = 0;
  joins = 0;
  pings = 0;
  /** Of the pings: answered without asking a backend. */
  statusHits = 0;
  bytesUp = 0;
  bytesDown = 0;
  readonly refused = new Map<RefusalReason, number>();
  #playerSeconds = 0;
  #playersMax = 0;
  #pingsSealed = 0;
  #bytesSealed = 0;
  #bytesBefore = 0;
  #loginsBefore = 0;
  readonly #bytesPerSecond = new Float64Array(bandwidthWindowSeconds);
  readonly #loginsPerSecond = new Float64Array(joinWindowSeconds);

  constructor(shieldId: string) {
    this.shieldId = shieldId;
  }

  refuse(reason: RefusalReason): void {
    this.refused.set(reason, (this.refused.get(reason) ?? 0) + 1);
  }

  /** @param second counts up by one with each call */
  tick(second: number): void {
    this.#playerSeconds += this.players;
    this.#playersMax = Math.max(this.#playersMax, this.players);
    const bytes = this.#bytesSealed + this.bytesUp + this.bytesDown;
    this.#bytesPerSecond[second % bandwidthWindowSeconds] = bytes - this.#bytesBefore;
    this.#loginsPerSecond[second % joinWindowSeconds] = this.logins - this.#loginsBefore;
    this.#bytesBefore = bytes;
    this.#loginsBefore = this.logins;
  }

  get bandwidthBps(): number {
    return Math.round((8 * sum(this.#bytesPerSecond)) / bandwidthWindowSeconds);
  }

  get loginsPerSecond(): number {
    return sum(this.#loginsPerSecond) / joinWindowSeconds;
  }

  /** Grows with every login attempt and ping. */
  get activity(): number {
    return this.logins + this.pings + this.#pingsSealed;
  }

  /** Nothing counted since it was sealed, and nobody joined. */
  get isIdle(): boolean {
    return this.players === 0 && this.#isEmpty;
  }

  get #isEmpty(): boolean {
    const sums = this.joins + this.pings + this.bytesUp + this.bytesDown + this.#playerSeconds;
    return sums === 0 && this.#playersMax === 0 && this.refused.size === 0;
  }

  /** Takes the sums away as counters of `minute`; undefined where there are none. */
  seal(minute: string): MinuteCounters | undefined {
    if (this.#isEmpty) return undefined;
    const counters: MinuteCounters = {
      shield_id: this.shieldId,
      minute,
      joins: this.joins,
      pings: this.pings,
      refused: Object.fromEntries(this.refused),
      bytes_up: this.bytesUp,
      bytes_down: this.bytesDown,
      player_seconds: this.#playerSeconds,
      players_max: this.#playersMax,
      status_hits: this.statusHits,
    };
    this.#pingsSealed += this.pings;
    this.#bytesSealed += this.bytesUp + this.bytesDown;
    this.joins = this.pings = this.statusHits = this.bytesUp = this.bytesDown = 0;
    this.#playerSeconds = this.#playersMax = 0;
    this.refused.clear();
    return counters;
  }
}

function sum(values: Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
