import { createHash } from "node:crypto";
import type { RouteDefinition, RouteLimit } from "@palisade/contract/http/route";
import ipaddr from "ipaddr.js";
import type { Db } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { countHit } from "./limits.repository.ts";
import type { WindowCounter } from "./window-counter.ts";

export interface LimitCounters {
  readonly db: Db;
  /** For limits that each process counts by itself. */
  readonly windows: WindowCounter;
}

type Subjects = Partial<Record<RouteLimit["per"], string>>;

/**
 * Counts one call against the route's limits that apply to the given subjects and refuses it
 * with `rate_limited` over the first one exceeded. Limits are taken in the contract's order
 * and counting stops at a refusal, so that knocking during a short cooldown does not use up
 * the daily allowance. Counted outside the request's transaction: failures count too.
 */
export async function enforceLimits(
  { db, windows }: LimitCounters,
  definition: Pick<RouteDefinition, "id" | "limits">,
  subjects: Subjects,
  now: Date,
): Promise<void> {
  for (const limit of definition.limits) {
    const subject = subjects[limit.per];
    if (subject === undefined) continue;
    const key = limitKey(definition.id, limit, subject);
    const { hits, expiresAtMs } =
      limit.perProcess === true
        ? windows.hit(key, limit.windowSeconds, now.getTime())
        : await countHit(db, key, limit.windowSeconds, now);
    if (hits <= limit.max) continue;
    const seconds = Math.max(1, Math.ceil((expiresAtMs - now.getTime()) / 1000));
    throw new DomainError("rate_limited", {
      ...(limit.text === undefined ? {} : { text: limit.text }),
      values: { seconds },
      retryAfterSeconds: seconds,
    });
  }
}

/** Hashed, so that the table is no list of e-mails and addresses. */
function limitKey(routeId: string, limit: RouteLimit, subject: string): string {
  return createHash("sha256")
    .update(JSON.stringify([limit.purpose ?? routeId, limit.per, limit.windowSeconds, subject]))
    .digest("base64url");
}

/** The unit an address is counted by: an IPv4 address or an IPv6 /64, which one customer owns whole. */
export function addressBucket(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === "ipv4") return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString();
}
