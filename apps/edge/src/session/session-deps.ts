import type { Dialler } from "#src/forwarding/dialler.ts";
import type { HealthBook } from "#src/health/health-book.ts";
import type { Admission } from "#src/listeners/admission.ts";
import type { EdgeLimits } from "#src/listeners/limits.ts";
import type { RelayHost } from "#src/relay/relay-host.ts";
import type { ShieldRegistry } from "#src/shields/shield-registry.ts";
import type { StatusService } from "#src/status/status-service.ts";
import type { OutcomeCounts } from "#src/telemetry/outcome-counts.ts";
import type { AttackBoard } from "#src/protection/attack-board.ts";
import type { LoginLog } from "#src/telemetry/login-log.ts";
import type { SampledLog } from "#src/telemetry/sampled-log.ts";
import type { VerificationDesk } from "#src/verification/verification-desk.ts";
import type { Mitigation } from "./judge-login.ts";
import type { TimerWheel } from "./timer-wheel.ts";

/** What every session of an edge uses. */
export interface SessionDeps {
  readonly limits: EdgeLimits;
  readonly wheel: TimerWheel;
  readonly shields: Pick<ShieldRegistry, "route">;
  readonly statuses: Pick<StatusService, "answer">;
  readonly dialler: Dialler;
  readonly health: Pick<HealthBook, "playersChanged" | "succeeded" | "hungUp">;
  readonly admission: Admission;
  readonly outcomes: OutcomeCounts;
  readonly log: SampledLog;
  /** Every login is counted there, and told to the owner's log once it is known what became of it. */
  readonly attacks: AttackBoard;
  readonly logins: Pick<LoginLog, "note">;
  readonly mitigation: Mitigation;
  readonly verification: VerificationDesk;
  /** Random number of this start, for trace codes. */
  readonly bootSeed: number;
  readonly relays: RelayHost;
}
