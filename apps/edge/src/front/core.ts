import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { Dialler } from "#src/forwarding/dialler.ts";
import { checkBackend } from "#src/health/check-backend.ts";
import { HealthBook, type HealthBookDeps } from "#src/health/health-book.ts";
import { HealthChecker } from "#src/health/health-checker.ts";
import { ProbeNames } from "#src/probe/probe-names.ts";
import { ProbeService } from "#src/probe/probe-service.ts";
import type { AttackBoard } from "#src/protection/attack-board.ts";
import { AttackBook } from "#src/telemetry/attack-book.ts";
import type { BackendNews } from "./backend-news.ts";
import type { Outbound } from "./outbound.ts";

export interface CoreOptions {
  /** Time of day. */
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
  readonly log: Logger;
  readonly onOutcome?: NonNullable<HealthBookDeps["onOutcome"]>;
}

/** What an edge has once, however many fronts: health of backends, probes, attacks. */
export function createCore(options: CoreOptions, outbound: Outbound, board: AttackBoard) {
  const { monotonicMs } = options;
  const { wheel, resolver } = outbound;
  const health = new HealthBook(options);
  const dialler = new Dialler({ ...outbound, health });
  const checks = new HealthChecker({
    book: health,
    wheel,
    monotonicMs,
    random: Math.random,
    check: (target, signal) => checkBackend(target, dialler, monotonicMs, signal),
  });
  const probes = new ProbeService({
    dialler: new Dialler({ ...outbound, health, resolver: new ProbeNames(resolver) }),
    wheel,
    monotonicMs,
  });
  const news: BackendNews = {
    failed(backend, error) {
      health.failed(backend, error);
      checks.hurry(backend);
    },
    succeeded: (backend) => health.succeeded(backend),
    hungUp: (backend) => health.hungUp(backend),
    playersChanged: (backend) => health.playersChanged(backend),
  };
  const attacks = new AttackBook({ ...options, board, newId: randomUUID });
  return {
    health,
    checks,
    probes,
    attacks,
    /** Of fronts. */
    news,
    /** Once a second. */
    tick(): void {
      attacks.tick();
      checks.tick();
    },
    stop(): void {
      checks.stop();
      probes.stop();
    },
  };
}
