import { stepUpMinutes } from "@palisade/contract/http/two-factor";
import type { UserActor } from "#src/platform/http/context.ts";
import { DomainError } from "#src/platform/http/domain-error.ts";

/**
 * For what a stolen session must not do: whoever calls has logged in or stepped up a few minutes
 * ago. An API key never has, however fresh it is.
 *
 * @throws DomainError `step_up_required`
 */
export function requireRecentAuthentication(ctx: {
  readonly actor: UserActor;
  readonly now: Date;
}): void {
  const { credential } = ctx.actor;
  if (credential.kind === "session" && ctx.now < recentUntil(credential.authenticatedAt)) return;
  throw new DomainError("step_up_required");
}

export function recentUntil(authenticatedAt: Date): Date {
  return new Date(authenticatedAt.getTime() + stepUpMinutes * 60_000);
}
