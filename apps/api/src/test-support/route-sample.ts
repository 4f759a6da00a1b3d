import type { CallOptions } from "./test-users.ts";
import type { TestWorld } from "./test-world.ts";

/**
 * Builds a call of the route that succeeds for a caller with the right to make it; `token` is the
 * caller's bearer token, undefined for an anonymous caller. A new one for each call, because calls
 * use things up.
 */
export type RouteSample = (
  world: TestWorld,
  token: string | undefined,
) => Promise<CallOptions> | CallOptions;
