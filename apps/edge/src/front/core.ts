import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { Dialler } from "#src/forwarding/dialler.ts";
import { checkBackend } from "#src/health/check-backend.ts";
import { HealthRegistry, type HealthRegistryDeps } from "#src/health/health-registry.ts";
import { HealthChecker } from "#src/health/health-checker.ts";
import { ProbeResolver } from "#src/probe/probe-resolver.ts";
import { ProbeService } from "#src/probe/probe-service.ts";
import type { AttackDetector } from "#src/protection/attack-detector.ts";
import { AttackRegistry } from "#src/telemetry/attack-registry.ts";
import type { BackendNews } from "./backend-news.ts";
import type { Outbound } from "./outbound.ts";

export interface CoreOptions {
  /** Time of day. */
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
  readonly log: Logger;
  readonly onOutcome?: NonNullable<HealthRegistryDeps["onOutcome"]>;
}

/** The parts an edge has once, however many fronts it has: health of backends, probes, attacks. */
export function createCore(options: CoreOptions, outbound: Outbound, board: AttackDetector) {
  const { monotonicMs } = options;
  const { wheel, resolver } = outbound;
  const health = new HealthRegistry(options);
  const dialler = new Dialler({ ...outbound, health });
  const checks = new HealthChecker({
    registry: health,
    wheel,
    monotonicMs,
    random: Math.random,
    check: (target, signal) => checkBackend(target, dialler, monotonicMs, signal),
  });
  const probes = new ProbeService({
    dialler: new Dialler({ ...outbound, health, resolver: new ProbeResolver(resolver) }),
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
  const attacks = new AttackRegistry({ ...options, detector: board, newId: randomUUID });
  return {
    health,
    checks,
    probes,
    attacks,
    /** Options of the fronts. */
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
