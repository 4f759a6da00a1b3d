import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { LifeDeps } from "#src/admission/ingress.ts";
import type { FalsePositiveDetector } from "#src/challenge/false-positive-detector.ts";
import type { VerificationService } from "#src/challenge/verification-service.ts";
import type { Destination, DialOutcome } from "#src/dialling/player-dial.ts";
import type { HealthRegistry } from "#src/health/health-registry.ts";
import type { RelayHost } from "#src/relay/relay-host.ts";
import type { HostIndex } from "#src/routing/host-index.ts";
import type { AttackDetector } from "#src/rules/attack-detector.ts";
import type { ProtectionState } from "@palisade/login-rules/login-attempt";
import type { SourceHistory } from "@palisade/login-rules/source-history";
import type { VerifiedPlayers } from "@palisade/login-rules/shared/verified-players";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { StatusService } from "#src/status/status-service.ts";
import type { AttackSamples } from "#src/telemetry/attack-samples.ts";
import type { LoginLog, SampledLog, TraceCodes } from "#src/telemetry/login-log.ts";
import type { LoginBandwidth } from "./login-bandwidth.ts";

/** State and rules for the verdict on logins. */
export interface Mitigation extends ProtectionState {
  readonly verified: VerifiedPlayers;
  readonly history: SourceHistory;
  readonly vpn: ProtectionState["vpn"] & { readonly hasRanges: boolean };
  /** Every login is counted there. */
  readonly attacks: Pick<
    AttackDetector,
    "login" | "flood" | "refused" | "status" | "ageMs" | "relax" | "attackNumber"
  >;
  readonly falsePositives: FalsePositiveDetector;
  /** Time of day: all threads of the edge have it in common, and it goes on over restarts. */
  readonly nowMs: () => number;
  /** The clock that attacks are counted by. */
  readonly monotonicMs: () => number;
}

/** The parts of an edge that every connection uses. */
export interface ConnectionDeps extends LifeDeps {
  /** By normalised name. */
  readonly hosts: Pick<HostIndex<CompiledShield>, "find">;
  readonly statuses: Pick<StatusService, "answer">;
  readonly dialler: {
    /** @param onOutcome called once unless the dial is aborted, perhaps before this returns */
    dial(
      destination: Destination,
      ip: IpBytes,
      onOutcome: (outcome: DialOutcome) => void,
    ): { abort(): void };
  };
  readonly health: Pick<HealthRegistry, "playersChanged" | "succeeded" | "hungUp">;
  readonly log: SampledLog;
  /** Every login is logged there for its owner once its outcome is known. */
  readonly logins: Pick<LoginLog, "note">;
  /** Logins that came during an attack on their shield. */
  readonly attackSamples: Pick<AttackSamples, "note">;
  readonly mitigation: Mitigation;
  readonly verification: VerificationService;
  readonly traceCodes: TraceCodes;
  readonly relays: RelayHost;
  /** Players that one shield may have because of descriptors, whatever its plan says. */
  readonly playersPerShieldRoom: number;
  readonly loginBandwidth: Pick<LoginBandwidth, "enter" | "leave">;
}
