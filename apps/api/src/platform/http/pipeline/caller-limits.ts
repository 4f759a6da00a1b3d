import { familiaritySubjects, type RouteDefinition } from "@palisade/contract/http/route";
import type { Call } from "./call.ts";
import type { KnownCallers } from "./known-callers.ts";
import { addressBucket, enforceLimits, type LimitCounters, type LimitSubjects } from "./limits.ts";

export interface CallerLimitDeps extends LimitCounters {
  readonly knownCallers: KnownCallers;
}

/** Whether the route treats known and unknown callers differently. */
export function asksFamiliarity({ limits }: Pick<RouteDefinition, "limits">): boolean {
  return limits.some(({ per }) => familiaritySubjects.some((subject) => subject === per));
}

export async function limitAddress(
  deps: LimitCounters,
  definition: Pick<RouteDefinition, "id" | "limits">,
  { ip, now }: Call,
): Promise<void> {
  await enforceLimits(deps, definition, { ip: addressBucket(ip) }, now);
}

/**
 * Only the body says whose account it is. The limit by address waits for it where there is a device
 * cookie: a known device is not held up by strangers behind the same address.
 */
export async function recogniseCaller(
  deps: CallerLimitDeps,
  definition: RouteDefinition,
  call: Call,
  body: unknown,
): Promise<void> {
  const email = typedEmail(body);
  if (email !== undefined) call.familiarity = await deps.knownCallers.familiarity(call, email);
  const isPostponed = deps.knownCallers.bearsDevice(call);
  if (isPostponed && call.familiarity.device === null) await limitAddress(deps, definition, call);
}

export function emailSubjects({ ip, familiarity }: Call, body: unknown): LimitSubjects {
  const email = typedEmail(body);
  if (email === undefined) return {};
  const { device, network } = familiarity;
  if (device !== null) return { email, "device+email": `${device} ${email}` };
  return {
    email,
    "ip+email": `${addressBucket(ip)} ${email}`,
    ...(network === null
      ? { "stranger+email": email }
      : { "network+email": `${network} ${email}` }),
  };
}

/** The `email` of any body, valid or not. None with a zero byte, which PostgreSQL does not take. */
function typedEmail(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("email" in body)) return undefined;
  if (typeof body.email !== "string" || body.email.includes("\0")) return undefined;
  return body.email.trim().toLowerCase().slice(0, 254) || undefined;
}
