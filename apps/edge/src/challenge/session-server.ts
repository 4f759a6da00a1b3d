import { readCappedBody } from "#src/http/capped-body.ts";
import type { VerificationLimits } from "./rules/limits.ts";

/**
 * Asks the session server whether a player has joined there under this hash, which only the
 * account's owner can do. Source: minecraft.wiki, "Java Edition protocol/Encryption",
 * Authentication, Server.
 */

export type SessionAnswer =
  | { readonly kind: "joined"; readonly id: string; readonly name: string }
  | { readonly kind: "unknown" }
  /** It does not answer, or there is no room to ask it: nothing is known of the player. */
  | { readonly kind: "unavailable" };

const unavailable: SessionAnswer = { kind: "unavailable" };
const profileId = /^[0-9a-f]{32}$/;
const profileName = /^[a-zA-Z0-9_]{1,16}$/;

export interface SessionServerDeps {
  /** Base URL, without a slash at the end. */
  readonly url: string;
  readonly limits: VerificationLimits;
  /** No clock that can be set. */
  readonly monotonicMs: () => number;
  readonly fetch?: typeof fetch;
  /** State shared by all threads of the edge; without it, this thread's own. */
  readonly breaker?: SessionServerBreaker | undefined;
}

/** Never rejects. So many questions at once, so many more that wait; after failures it rests. */
export class SessionServer {
  readonly #deps: SessionServerDeps;
  readonly #waiting: (() => void)[] = [];
  readonly #breaker: SessionServerBreaker;
  #calls = 0;

  constructor(deps: SessionServerDeps) {
    this.#deps = deps;
    this.#breaker =
      deps.breaker ?? new SessionServerBreaker(SessionServerBreaker.allocate(), deps.limits);
  }

  /** Whether accounts can be checked now; if not, players need not be asked to encrypt. */
  get isAvailable(): boolean {
    const { limits, monotonicMs } = this.#deps;
    if (this.#waiting.length >= limits.sessionQueueMax) return false;
    return this.#breaker.allows(monotonicMs());
  }

  /** @param signal aborts when the player leaves: the call is then not made */
  async hasJoined(name: string, serverHash: string, signal: AbortSignal): Promise<SessionAnswer> {
    if (!this.isAvailable) return unavailable;
    const turn = this.#breaker.enter(this.#deps.monotonicMs());
    if (turn === undefined) return unavailable;
    try {
      if (!(await this.#turn(signal))) return unavailable;
      return await this.#ask(name, serverHash, signal);
    } finally {
      if (turn === "trial") this.#breaker.endTrial();
    }
  }

  /** Waits for a call of one's own; false if the player has left before. */
  async #turn(signal: AbortSignal): Promise<boolean> {
    if (this.#calls < this.#deps.limits.sessionCallsMax) {
      this.#calls++;
      return true;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const take = (): void => resolve(true);
    const giveUp = (): void => {
      const at = this.#waiting.indexOf(take);
      if (at >= 0) this.#waiting.splice(at, 1);
      resolve(false);
    };
    this.#waiting.push(take);
    signal.addEventListener("abort", giveUp, { once: true });
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", giveUp);
    }
  }

  /** A waiting player takes the call over: a newcomer never gets it first. */
  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#calls--;
    else next();
  }

  async #ask(name: string, serverHash: string, signal: AbortSignal): Promise<SessionAnswer> {
    const { limits, url } = this.#deps;
    try {
      const question = new URL(`${url}/session/minecraft/hasJoined`);
      question.searchParams.set("username", name);
      question.searchParams.set("serverId", serverHash);
      const answer = await (this.#deps.fetch ?? fetch)(question, {
        redirect: "error",
        signal: AbortSignal.any([signal, AbortSignal.timeout(limits.sessionCallMs)]),
      });
      const result = await read(answer, limits.sessionBytesMax);
      this.#settle(result.kind !== "unavailable");
      return result;
    } catch {
      // A player's leaving says nothing about the session server.
      if (!signal.aborted) this.#settle(false);
      return unavailable;
    } finally {
      this.#release();
    }
  }

  #settle(isAnswer: boolean): void {
    this.#breaker.settle(isAnswer, this.#deps.monotonicMs());
  }
}

async function read(answer: Response, bytesMax: number): Promise<SessionAnswer> {
  // 204: no player of this name has joined. Older servers of this kind answer 403 or an empty 200.
  if (answer.status === 204 || answer.status === 403) {
    await answer.body?.cancel();
    return { kind: "unknown" };
  }
  if (answer.status !== 200) {
    await answer.body?.cancel();
    return unavailable;
  }
  const text = (await readCappedBody(answer, bytesMax))?.toString("utf8");
  if (text === undefined) return unavailable;
  return text === "" ? { kind: "unknown" } : profileOf(text);
}

/** Only id and name of the profile are needed. */
function profileOf(text: string): SessionAnswer {
  let profile: unknown;
  try {
    profile = JSON.parse(text);
  } catch {
    return unavailable;
  }
  if (typeof profile !== "object" || profile === null) return unavailable;
  if (!("id" in profile) || !("name" in profile)) return unavailable;
  const { id, name } = profile;
  if (typeof id !== "string" || typeof name !== "string") return unavailable;
  return profileId.test(id) && profileName.test(name) ? { kind: "joined", id, name } : unavailable;
}

// Words of the shared memory.
const failures = 0;
const pausedUntil = 1;
const trialUntil = 2;
const wordCount = 3;

/** Unit of times in a word: years fit into 31 bits. */
const unitMs = 100;
/** Longer than a call takes, so that a thread that dies during one blocks no other. */
const trialSlackMs = 1_000;

type BreakerLimits = Pick<
  VerificationLimits,
  "sessionFailuresMax" | "sessionPauseMs" | "sessionCallMs"
>;

/** A circuit breaker for the session server, shared by all threads of the edge. */
export class SessionServerBreaker {
  readonly #words: Int32Array;
  readonly #limits: BreakerLimits;

  static allocate(): SharedArrayBuffer {
    return new SharedArrayBuffer(4 * wordCount);
  }

  constructor(buffer: SharedArrayBuffer, limits: BreakerLimits) {
    this.#words = new Int32Array(buffer);
    this.#limits = limits;
  }

  /** @param nowMs of a clock that all threads have in common, and that is never set back */
  allows(nowMs: number): boolean {
    if (!this.#isTripped) return true;
    const now = unitsOf(nowMs);
    return now >= this.#word(pausedUntil) && now >= this.#word(trialUntil);
  }

  /**
   * After a pause one call goes first; the others follow once it was answered.
   *
   * @returns undefined if no call may be made now
   */
  enter(nowMs: number): "usual" | "trial" | undefined {
    if (!this.#isTripped) return "usual";
    const now = unitsOf(nowMs);
    const before = this.#word(trialUntil);
    if (now < this.#word(pausedUntil) || now < before) return undefined;
    const until = unitsOf(nowMs + this.#limits.sessionCallMs + trialSlackMs);
    const found = Atomics.compareExchange(this.#words, trialUntil, before, until);
    return found === before ? "trial" : undefined;
  }

  /** The trial has ended, whether or not there was an answer. */
  endTrial(): void {
    Atomics.store(this.#words, trialUntil, 0);
  }

  settle(isAnswer: boolean, nowMs: number): void {
    if (isAnswer) {
      if (this.#word(failures) !== 0) Atomics.store(this.#words, failures, 0);
      return;
    }
    const count = Atomics.add(this.#words, failures, 1) + 1;
    if (count < this.#limits.sessionFailuresMax) return;
    Atomics.store(
      this.#words,
      pausedUntil,
      Math.ceil((nowMs + this.#limits.sessionPauseMs) / unitMs),
    );
  }

  get #isTripped(): boolean {
    return this.#word(failures) >= this.#limits.sessionFailuresMax;
  }

  #word(index: number): number {
    return Atomics.load(this.#words, index);
  }
}

function unitsOf(ms: number): number {
  return Math.floor(ms / unitMs);
}
