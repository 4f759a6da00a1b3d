import type { Logger } from "pino";
import type { VpnLookup } from "#src/rules/vpn-lookup.ts";
import type { ConnectionDeps } from "#src/connection/connection-deps.ts";
import { verificationLimits } from "#src/challenge/rules/limits.ts";
import { VerificationService } from "#src/challenge/verification-service.ts";
import type { SharedState } from "./shared-state.ts";

export interface LoginPolicyOptions {
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
  readonly log: Logger;
  readonly sessionServerUrl: string;
}

/** State and rules from which a thread's connections get verdicts. */
export function createLoginPolicy(
  { nowMs, monotonicMs, log, sessionServerUrl }: LoginPolicyOptions,
  shared: SharedState,
  vpn: VpnLookup,
): Pick<ConnectionDeps, "verification" | "mitigation"> & { prepare(): void } {
  const { verified, usedCookies, attackDetector, loginMemory: memory, falsePositives } = shared;
  const verification = new VerificationService({
    limits: verificationLimits,
    verified,
    usedCookies,
    sessionServerUrl,
    shares: shared.shares,
    breaker: shared.sessionBreaker,
    nowMs,
    monotonicMs,
  });
  return {
    verification,
    mitigation: {
      memory,
      verified,
      vpn,
      canAsk: (challenge, protocol) => verification.canAsk(challenge, protocol),
      attacks: attackDetector,
      falsePositives,
      nowMs,
      monotonicMs,
    },
    prepare() {
      if (sessionServerUrl === "") return;
      verification.prepare().catch((error: unknown) => {
        log.error({ err: error }, "without a key no account can be proven");
      });
    },
  };
}
