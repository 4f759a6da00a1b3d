import type { Dialler } from "#src/dialling/dialler.ts";
import type { HealthRegistry } from "#src/health/health-registry.ts";
import type { LifeDeps } from "#src/admission/connection-life.ts";
import type { RelayHost } from "#src/relay/relay-host.ts";
import type { ShieldRegistry } from "#src/shields/shield-registry.ts";
import type { StatusService } from "#src/status/status-service.ts";
import type { AttackDetector } from "#src/rules/attack-detector.ts";
import type { LoginLog, SampledLog, TraceCodes } from "#src/telemetry/login-log.ts";
import type { VerificationService } from "#src/challenge/verification-service.ts";
import type { Mitigation } from "./login-request.ts";

/** The parts of an edge that every connection uses. */
export interface ConnectionDeps extends LifeDeps {
  readonly shields: Pick<ShieldRegistry, "route">;
  readonly statuses: Pick<StatusService, "answer">;
  readonly dialler: Dialler;
  readonly health: Pick<HealthRegistry, "playersChanged" | "succeeded" | "hungUp">;
  readonly log: SampledLog;
  /** Every login is counted there, and logged for its owner once its outcome is known. */
  readonly attacks: AttackDetector;
  readonly logins: Pick<LoginLog, "note">;
  readonly mitigation: Mitigation;
  readonly verification: VerificationService;
  readonly traceCodes: TraceCodes;
  readonly relays: RelayHost;
}
