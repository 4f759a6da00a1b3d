import type {
  BackendError,
  BackendHealth as HealthReport,
} from "@palisade/contract/edge/telemetry";

/** Failures in a row until a backend counts as down, and successes in a row until it is up again. */
export const failuresUntilDown = 2;
export const successesUntilUp = 2;
/** Failures within this time count as one: many joins at once meet the same fault. */
export const sameFailureMs = 500;
/** A backend that is down and could not be reached this lately is not tried again for a player. */
export const justFailedMs = 1_000;

/** The part of a backend's health that routing uses. */
export interface HealthStatus {
  readonly state: HealthReport["state"];
  readonly isDown: boolean;
  readonly unreachableAtMs: number;
}

export interface Moment {
  /** Time of day, for reports. */
  readonly wallMs: number;
  /** For durations; never set back. */
  readonly monotonicMs: number;
}

/**
 * The health of one backend, from checks and from players' connections. The state changes only
 * after several equal outcomes, so that a flapping backend does not flap for players.
 */
export class BackendHealth {
  #state: HealthReport["state"] = "unknown";
  #changedAtMs: number | null = null;
  /** When the failure came that was counted last. */
  #countedAtMs = Number.NEGATIVE_INFINITY;
  #unreachableAtMs = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #successes = 0;
  /** Whether the last failure was that it answered no status. */
  #isMute = false;
  /** Whether the last player sent there was not hung up on. */
  #takesPlayers = true;
  /** The state that the main thread knows, which beats this thread's own. */
  #told: HealthStatus | undefined;
  lastError: BackendError | null = null;
  /** The last check got a status only with a PROXY header, which the group does not send. */
  expectsProxy = false;
  latencyMs: number | null = null;

  get state(): HealthReport["state"] {
    return this.#told?.state ?? this.#state;
  }

  /**
   * Whether players are better sent elsewhere. A backend that only answers no status is not down,
   * because servers can turn that off; it is down once it hangs up on a player, as a proxy in front
   * of a dead server does.
   */
  get isDown(): boolean {
    if (this.#told !== undefined) return this.#told.isDown;
    if (this.#state !== "down") return false;
    return !this.#isMute || !this.#takesPlayers;
  }

  /** Whether the last outcome agrees with the state; if not, the next one may change it. */
  get isSettled(): boolean {
    return this.#state === "down" ? this.#successes === 0 : this.#failures === 0;
  }

  /** Time of day. */
  get changedAtMs(): number | null {
    return this.#changedAtMs;
  }

  /** Monotonic: when a connection to it failed last; -Infinity if none did. */
  get unreachableAtMs(): number {
    return this.#told?.unreachableAtMs ?? this.#unreachableAtMs;
  }

  /** Takes the state from the thread that keeps the health of all. */
  believe(word: HealthStatus): void {
    this.#told = word;
  }

  /** @returns whether there is something to tell: another state, or another last error */
  succeeded(now: Moment): boolean {
    const hadError = this.lastError !== null;
    this.lastError = null;
    this.#takesPlayers = true;
    this.#failures = 0;
    this.#successes++;
    const enough = this.#state === "unknown" || this.#successes >= successesUntilUp;
    return (enough && this.#become("up", now)) || hadError;
  }

  /** @returns as of `succeeded` */
  failed(error: BackendError, now: Moment): boolean {
    const isOther = this.lastError !== error;
    this.lastError = error;
    this.#successes = 0;
    this.#isMute = error === "not_minecraft";
    // A server with its status turned off still takes players.
    if (!this.#isMute) this.#unreachableAtMs = now.monotonicMs;
    if (this.#failures === 0 || now.monotonicMs - this.#countedAtMs >= sameFailureMs) {
      this.#failures++;
      this.#countedAtMs = now.monotonicMs;
    }
    return (this.#failures >= failuresUntilDown && this.#become("down", now)) || isOther;
  }

  /** The backend accepted a player's connection and ended it without an answer. */
  hungUp(now: Moment): void {
    this.#takesPlayers = false;
    this.#unreachableAtMs = now.monotonicMs;
  }

  #become(state: "up" | "down", now: Moment): boolean {
    if (this.#state === state) return false;
    this.#state = state;
    this.#changedAtMs = now.wallMs;
    return true;
  }
}
