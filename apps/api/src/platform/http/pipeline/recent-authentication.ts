import { authFactors, stepUpMinutes, type AuthFactor } from "@palisade/contract/http/two-factor";
import type { UserActor } from "./context.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";

interface AuthenticatedCall {
  readonly actor: UserActor;
  readonly now: Date;
}

/**
 * Guards calls that the thief of a session must not make: the caller must have logged in or stepped
 * up a few minutes ago, by the strongest factor of the account. An API key never counts as recent.
 *
 * @throws DomainError `step_up_required`
 */
export function requireRecentAuthentication(ctx: AuthenticatedCall): void {
  if (!isRecentlyAuthenticated(ctx)) throw new DomainError("step_up_required");
}

export function isRecentlyAuthenticated({ actor, now }: AuthenticatedCall): boolean {
  const { credential } = actor;
  return (
    credential.kind === "session" &&
    now < recentUntil(credential.authenticatedAt) &&
    strengthOf(credential.authenticatedBy) >= strengthOf(credential.strongestFactor)
  );
}

/** The contract lists them by strength. */
function strengthOf(factor: AuthFactor): number {
  return authFactors.indexOf(factor);
}

export function recentUntil(authenticatedAt: Date): Date {
  return new Date(authenticatedAt.getTime() + stepUpMinutes * 60_000);
}
