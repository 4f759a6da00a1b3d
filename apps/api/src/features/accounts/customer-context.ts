import type { RequestContext, UserActor } from "#src/platform/http/pipeline/context.ts";

/** A call of somebody signed in, about their own account. */
export type CustomerContext = Omit<RequestContext, "actor" | "shield"> & {
  readonly actor: UserActor;
};
