import { randomUUID } from "node:crypto";
import type { Logger } from "#src/ports.ts";
import type { EdgeLimits } from "#src/admission/limits.ts";
import { CaptchaArtist } from "#src/challenge/captcha/captcha-artist.ts";
import { ConnectLimit } from "#src/dialling/player-dial.ts";
import { Dialler } from "#src/dialling/dialler.ts";
import { checkBackend } from "#src/health/check-backend.ts";
import {
  type BackendEvents,
  HealthRegistry,
  type HealthRegistryDeps,
} from "#src/health/health-registry.ts";
import { HealthChecker } from "#src/health/health-checker.ts";
import { ProbeResolver } from "#src/resolver/backend-resolver.ts";
import { BedrockProber } from "#src/bedrock/bedrock-prober.ts";
import { DatagramRoom } from "#src/bedrock/datagram-room.ts";
import { ProbeService } from "#src/health/probe-service.ts";
import { AttackRegistry, type AttackRegistryDeps } from "#src/telemetry/attack-registry.ts";
import type { SharedState } from "./shared-state.ts";
import type { Outbound } from "./worker-context.ts";

export interface MainThreadServicesOptions {
  /** Time of day. */
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
  readonly log: Logger;
  readonly limits: Pick<EdgeLimits, "unansweredPerSecondMax">;
  /** The address at which this edge reaches its own UDP ports. */
  readonly ownIp: () => string;
  readonly attackRulesOf: AttackRegistryDeps["rulesOf"];
  readonly onOutcome?: NonNullable<HealthRegistryDeps["onOutcome"]>;
}

const postponed = Promise.resolve({ kind: "postponed" } as const);

/** The parts an edge has once, however many workers it has: health, probes, attacks, captchas. */
export function createMainThreadServices(
  options: MainThreadServicesOptions,
  outbound: Outbound,
  { attackDetector, quota, captchas }: Pick<SharedState, "attackDetector" | "quota" | "captchas">,
) {
  const { monotonicMs, limits } = options;
  const { wheel, resolver } = outbound;
  const health = new HealthRegistry(options);
  const connects = new ConnectLimit(quota, limits.unansweredPerSecondMax);
  const dialler = new Dialler({
    ...outbound,
    health,
    mayAsk: (backend, address) => connects.allowsAddress("check", backend, address),
  });
  const checks = new HealthChecker({
    registry: health,
    wheel,
    monotonicMs,
    random: Math.random,
    check: ({ backend, group, host }, signal) => {
      const { game } = group;
      // A game that is not parsed gets no connection at all before its owner has proved it.
      const mayConnect = game === "minecraft" || backend.proof.isKnown(game);
      const mayAskAgain = (): boolean => connects.allows("check", backend, game);
      if (!mayConnect || !mayAskAgain()) return postponed;
      const checkDeps = { dialler, monotonicMs, mayAskAgain };
      return checkBackend({ backend, group, host }, checkDeps, signal);
    },
  });
  const probeResolver = new ProbeResolver(resolver);
  const probes = new ProbeService({
    dialler: new Dialler({ ...outbound, health, resolver: probeResolver }),
    bedrock: new BedrockProber({
      ...outbound,
      policy: outbound.udpPolicy,
      resolver: probeResolver,
      room: new DatagramRoom(),
      ownPorts: outbound.ownUdpPorts,
      ownIp: options.ownIp,
    }),
    wheel,
    monotonicMs,
  });
  const backendEvents: BackendEvents = {
    failed(backend, error) {
      health.failed(backend, error);
      checks.hurry(backend);
    },
    succeeded: (backend, latencyMs) => health.succeeded(backend, latencyMs),
    proven: (backend, address) => health.proven(backend, address),
    hungUp: (backend) => health.hungUp(backend),
    playersChanged: (backend) => health.playersChanged(backend),
    toldBedrock: (backend, told) => health.toldBedrock(backend, told),
  };
  const attacks = new AttackRegistry({
    ...options,
    detector: attackDetector,
    newId: randomUUID,
    rulesOf: options.attackRulesOf,
  });
  const artist = new CaptchaArtist(captchas);
  return {
    health,
    checks,
    probes,
    attacks,
    /** Takes the outcomes that workers report. */
    backendEvents,
    /** Once a second. */
    tick(): void {
      attacks.tick();
      checks.tick();
      artist.tick();
    },
    stop(): void {
      artist.stop();
      checks.stop();
      probes.stop();
    },
  };
}
