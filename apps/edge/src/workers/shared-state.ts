import { randomBytes, randomUUID } from "node:crypto";
// As a global it is read through a getter, which costs more than the clock.
import { performance } from "node:perf_hooks";
import { BanTable } from "#src/firewall/ban-table.ts";
import { AttackDetector } from "#src/rules/attack-detector.ts";
import { SourceHistory } from "@palisade/login-rules/source-history";
import { LoginMemory } from "@palisade/login-rules/login-memory";
import { EdgeGauges, CountMinSketch } from "@palisade/shared-tables/shared-counters";
import { PerSecondQuota } from "@palisade/shared-tables/shared-tables";
import { VerifiedPlayers } from "@palisade/login-rules/shared/verified-players";
import { SharedLoads } from "#src/routing/shared-loads.ts";
import { SharedFetches } from "#src/status/shared-fetches.ts";
import { CaptchaPool } from "#src/challenge/captcha/captcha-pool.ts";
import { verificationLimits } from "#src/challenge/rules/limits.ts";
import { playerMac } from "@palisade/login-rules/shared/player-mac";
import { FalsePositiveDetector } from "#src/challenge/false-positive-detector.ts";
import { SessionServerBreaker } from "#src/challenge/session-server.ts";
import { UsedCookies } from "#src/challenge/transfer-cookie.ts";

/** Cookies live a minute: some hundred players a second can come back. */
const usedCookieSlots = 32_768;
const seedBytes = 8;

export interface SharedStateOptions {
  /** Threads that accept players. */
  readonly workers: number;
  /** Secret of the table of verified players, the same over restarts. */
  readonly verifiedSecret: Uint8Array;
}

/** Can be passed as a structured clone: goes to each thread as it is, in its `workerData`. */
export type SharedStateBuffers = ReturnType<typeof allocateSharedState>;

/** Which thread it is: a worker's number from 0 on, or the main thread. */
export type ThreadIndex = number | "main";

/** Everything that the threads of an edge have in common. Once per start, in the main thread. */
export function allocateSharedState({ workers, verifiedSecret }: SharedStateOptions) {
  // The main thread has the last column: it dials, too.
  const columns = workers + 1;
  const seed = (): Uint8Array => new Uint8Array(randomBytes(seedBytes));
  return {
    workers,
    verifiedSecret: new Uint8Array(verifiedSecret),
    gauges: EdgeGauges.allocate(columns),
    sources: CountMinSketch.allocate({ columns, seed: seed() }),
    loads: SharedLoads.allocate(columns, seed()),
    quota: PerSecondQuota.allocate(seed()),
    bans: BanTable.allocate(),
    attackDetector: AttackDetector.allocate(),
    loginMemory: LoginMemory.allocate(seed()),
    sourceHistory: SourceHistory.allocate(seed()),
    verified: VerifiedPlayers.allocate(),
    usedCookies: UsedCookies.allocate(usedCookieSlots),
    captchas: CaptchaPool.allocate(),
    falsePositives: FalsePositiveDetector.allocate(seed()),
    sessionBreaker: SessionServerBreaker.allocate(),
    statusFetches: SharedFetches.allocate(seed(), `palisade-status-${randomUUID()}`),
  };
}

export type SharedState = ReturnType<typeof openSharedState>;

export interface SharedStateClock {
  /** Time of day, which all threads have in common. */
  readonly nowMs: () => number;
}

/** The same in one thread; in each of them once. */
export function openSharedState(
  buffers: SharedStateBuffers,
  thread: ThreadIndex,
  { nowMs }: SharedStateClock,
) {
  const column = thread === "main" ? buffers.workers : thread;
  const gauges = new EdgeGauges(buffers.gauges, column);
  const sources = new CountMinSketch(buffers.sources, column);
  const loads = new SharedLoads(buffers.loads, column);
  return {
    /** Threads that share what an edge may take: each has its part of it. */
    shares: buffers.workers,
    gauges,
    sources,
    loads,
    quota: new PerSecondQuota(buffers.quota, nowMs),
    bans: new BanTable(buffers.bans),
    attackDetector: new AttackDetector(buffers.attackDetector),
    loginMemory: new LoginMemory(buffers.loginMemory),
    sourceHistory: new SourceHistory(buffers.sourceHistory),
    verified: new VerifiedPlayers(buffers.verified, playerMac(Buffer.from(buffers.verifiedSecret))),
    usedCookies: new UsedCookies(buffers.usedCookies),
    captchas: new CaptchaPool(buffers.captchas),
    falsePositives: new FalsePositiveDetector(buffers.falsePositives),
    sessionBreaker: new SessionServerBreaker(buffers.sessionBreaker, verificationLimits),
    /** Undefined if one thread answers all pings. */
    statusFetches: buffers.workers > 1 ? buffers.statusFetches : undefined,
    /** In the main thread, when a worker is gone and before the next has its number. */
    forgetWorker(worker: number): void {
      gauges.clear(worker);
      sources.clear(worker);
      loads.clear(worker);
    },
  };
}

/** Readings of both clocks, of which the one that was disturbed least counts. */
const clockReadings = 32;

/**
 * The difference between `performance.now`, which starts with each thread, and `process.hrtime`,
 * which all threads share but which makes an array with each reading. It is measured once, from the
 * reading that was disturbed least.
 */
export function threadClockOffset(): { readonly offsetMs: number; readonly errorMs: number } {
  let offsetMs = 0;
  let narrowestMs = Number.POSITIVE_INFINITY;
  for (let reading = 0; reading < clockReadings; reading++) {
    const beforeMs = performance.now();
    const [seconds, nanoseconds] = process.hrtime();
    const widthMs = performance.now() - beforeMs;
    if (widthMs >= narrowestMs) continue;
    narrowestMs = widthMs;
    offsetMs = seconds * 1_000 + nanoseconds / 1e6 - beforeMs - widthMs / 2;
  }
  return { offsetMs, errorMs: narrowestMs / 2 };
}

/** Milliseconds that all threads of the process count alike. */
export function createThreadClock(): () => number {
  const { offsetMs } = threadClockOffset();
  return () => performance.now() + offsetMs;
}
