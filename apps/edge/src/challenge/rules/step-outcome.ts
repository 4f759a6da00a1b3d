import type { VerificationFailure } from "./verification-failure.ts";

/**
 * `on`: the packet does not concern the step. `answered`: one answer is right, and more are expected.
 * `passed`: the step is over; no method is called after it or after a failure.
 */
export type StepOutcome = "on" | "answered" | "passed" | VerificationFailure;
