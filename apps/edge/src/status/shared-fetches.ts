import { BroadcastChannel } from "node:worker_threads";
import { TtlSet } from "@palisade/shared-tables/shared-tables";
import { type Key, SeededHash } from "@palisade/shared-tables/seeded-hash";
import type { Expiring, TimerWheel } from "@palisade/sockets/timer-wheel";
import {
  placeOf,
  type StatusFetchResult,
  type StatusRequest,
  statusFetchMs,
} from "./fetch-status.ts";

/** Longer than a fetch takes; a thread that dies while it asks keeps the others from it no longer. */
const leaseMs = statusFetchMs + 1_000;
/** After an answer no thread asks again for this long, until the others have received it. */
const settleMs = 250;
/** A thread that waits for another's answer checks this often whether that one still asks. */
const lookMs = 100;
const slotsDefault = 16_384;

export interface SharedFetchesBuffers {
  readonly leases: SharedArrayBuffer;
  readonly seed: Uint8Array;
  /** Name of this edge's channel: there may be other edges in the process. */
  readonly channel: string;
}

/** An answer that another thread has fetched. */
export interface FetchedAnswer {
  readonly shieldId: string;
  /** See `placeOf`. */
  readonly place: string;
  readonly host: string;
  readonly protocol: number;
  readonly purge: number;
  readonly frame: Buffer;
  readonly fetchedAtMs: number;
}

/** Message between threads: the answer's bytes are in shared memory. */
interface Told extends Omit<FetchedAnswer, "frame"> {
  readonly key: string;
  readonly kind: StatusFetchResult["kind"];
  readonly bytes: SharedArrayBuffer | undefined;
}

export interface SharedFetchesDeps {
  readonly fetch: (question: StatusRequest) => Promise<StatusFetchResult>;
  readonly wheel: TimerWheel;
  /** From a clock that all threads share. */
  readonly monotonicMs: () => number;
  readonly onAnswer: (answer: FetchedAnswer) => void;
}

type Settle = (result: StatusFetchResult | undefined) => void;

/**
 * One thread asks a backend for all: threads that want the same answer at that time wait for it,
 * and the others keep it in memory.
 */
export class SharedFetches {
  readonly #deps: SharedFetchesDeps;
  readonly #leases: TtlSet;
  readonly #hash: SeededHash;
  readonly #channel: BroadcastChannel;
  readonly #waiting = new Map<string, Set<Settle>>();

  /** @param seed 8 bytes; @param channel unlike that of any other edge */
  static allocate(seed: Uint8Array, channel: string): SharedFetchesBuffers {
    return { leases: TtlSet.allocate(slotsDefault), seed, channel };
  }

  constructor({ leases, seed, channel }: SharedFetchesBuffers, deps: SharedFetchesDeps) {
    this.#deps = deps;
    this.#leases = new TtlSet(leases, leaseMs);
    this.#hash = new SeededHash(seed);
    this.#channel = new BroadcastChannel(channel);
    // Threads of this edge alone know its name.
    this.#channel.addEventListener("message", (event) => this.#hear((event as MessageEvent).data));
    this.#channel.unref();
  }

  /** Never rejects. */
  async fetch(question: StatusRequest): Promise<StatusFetchResult> {
    const { purge } = question;
    // A ping that must not be answered from memory.
    if (purge === undefined) return this.#deps.fetch(question);
    const key = keyOf(question);
    if (!this.#takeLease(key)) {
      const told = await this.#told(key);
      if (told !== undefined) return told;
    }
    const result = inCommonMemory(await this.#deps.fetch(question));
    this.#tell(question, purge, result);
    return result;
  }

  close(): void {
    this.#channel.close();
  }

  /** Another thread's result; undefined if there is none and the lease is this one's now. */
  #told(key: string): Promise<StatusFetchResult | undefined> {
    const { promise, resolve } = Promise.withResolvers<StatusFetchResult | undefined>();
    const { wheel } = this.#deps;
    const waiting = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, waiting);
    const look: Expiring = {
      expire: () => {
        if (this.#takeLease(key)) settle(undefined);
        else wheel.schedule(look, lookMs);
      },
    };
    const settle: Settle = (result) => {
      wheel.cancel(look);
      waiting.delete(settle);
      if (waiting.size === 0) this.#waiting.delete(key);
      resolve(result);
    };
    waiting.add(settle);
    wheel.schedule(look, lookMs);
    return promise;
  }

  #tell(question: StatusRequest, purge: number, result: StatusFetchResult): void {
    const { backend, host, protocol } = question;
    const key = keyOf(question);
    const told: Told = {
      key,
      kind: result.kind,
      // As `inCommonMemory` has made it.
      bytes: result.kind === "answer" ? (result.frame.buffer as SharedArrayBuffer) : undefined,
      shieldId: backend.shieldId,
      place: placeOf(question),
      host,
      protocol,
      purge,
      fetchedAtMs: this.#deps.monotonicMs(),
    };
    this.#channel.postMessage(told);
    this.#deps.wheel.schedule({ expire: () => this.#leases.release(this.#hashOf(key)) }, settleMs);
  }

  #hear({ key, kind, bytes, ...about }: Told): void {
    const frame = bytes && Buffer.from(bytes);
    if (frame !== undefined) this.#deps.onAnswer({ ...about, frame });
    const result: StatusFetchResult =
      kind === "answer" ? (frame ? { kind, frame } : { kind: "skipped" }) : { kind };
    for (const settle of this.#waiting.get(key) ?? []) settle(result);
  }

  #takeLease(key: string): boolean {
    return this.#leases.take(this.#hashOf(key), this.#deps.monotonicMs(), leaseMs);
  }

  #hashOf(key: string): Key {
    const bytes = Buffer.from(key);
    // Longer than the hash takes at once: names of hosts are.
    this.#hash.digest(bytes, bytes.length);
    return this.#hash;
  }
}

function keyOf(question: StatusRequest): string {
  const { backend, protocol, host, purge } = question;
  return `${backend.shieldId} ${placeOf(question)} ${protocol} ${purge} ${host}`;
}

/** So that all threads hold one copy. */
function inCommonMemory(result: StatusFetchResult): StatusFetchResult {
  if (result.kind !== "answer") return result;
  const frame = Buffer.from(new SharedArrayBuffer(result.frame.length));
  frame.set(result.frame);
  return { kind: "answer", frame };
}
