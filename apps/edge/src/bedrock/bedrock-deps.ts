import type { Admission } from "#src/admission/admission.ts";
import type { EdgeLimits } from "#src/admission/limits.ts";
import type { Mitigation } from "#src/connection/connection-deps.ts";
import type { TimerWheel } from "@palisade/sockets/timer-wheel";
import type { AttackSamples } from "#src/telemetry/attack-samples.ts";
import type { LoginLog, SampledLog, TraceCodes } from "#src/telemetry/login-log.ts";
import type { OutcomeCounts } from "#src/telemetry/outcomes.ts";
import type { BackendPings } from "./backend-pings.ts";
import type { DatagramCounts } from "#src/telemetry/datagram-counts.ts";
import type { DatagramRoom } from "./datagram-room.ts";
import type { FloodCounts } from "./flood-counts.ts";
import type { HandshakeCookies } from "./handshake-cookie.ts";
import type { KnownSources } from "./known-sources.ts";
import type { LoginKeyService } from "./login-key-service.ts";
import type { PongBudgets, SourceBudget } from "./ping-budget.ts";
import type { SessionCopies } from "./session-copies.ts";
import type { UpstreamDeps } from "./upstream-handshake.ts";

/** The parts of one thread that its Bedrock ports use. */
export interface BedrockDeps {
  readonly limits: EdgeLimits;
  readonly wheel: TimerWheel;
  readonly admission: Admission;
  readonly outcomes: OutcomeCounts;
  readonly mitigation: Mitigation;
  readonly log: SampledLog;
  readonly logins: Pick<LoginLog, "note">;
  readonly attackSamples: Pick<AttackSamples, "note">;
  readonly traceCodes: TraceCodes;
  readonly isBanned: (sourceKey: string) => boolean;
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
  readonly room: DatagramRoom;
  readonly cookies: HandshakeCookies;
  readonly sources: SourceBudget;
  readonly known: KnownSources;
  readonly pings: BackendPings;
  readonly budgets: PongBudgets;
  readonly counts: DatagramCounts;
  readonly floods: FloodCounts;
  readonly upstream: UpstreamDeps;
  readonly copies: SessionCopies;
  /** The keys that may sign the logins of players. */
  readonly loginKeys: LoginKeyService;
}
