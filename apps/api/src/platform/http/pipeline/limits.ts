import { createHmac } from "node:crypto";
import type { RouteDefinition, RouteLimit } from "@palisade/contract/http/route";
import ipaddr from "ipaddr.js";
import type { Db } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { deriveKey } from "#src/platform/security/derived-key.ts";
import { countHit } from "./limits.repository.ts";
import type { WindowCounter } from "./window-counter.ts";

export interface LimitCounters {
  readonly db: Db;
  /** For limits that each process counts by itself. */
  readonly windows: WindowCounter;
  /** Of `limitsKey`. */
  readonly limitsKey: Buffer;
}

export type LimitSubjects = Partial<Record<RouteLimit["per"], string>>;

/**
 * Counts one call against the route's limits that apply to the given subjects and refuses it
 * with `rate_limited` over the first one exceeded. Limits are taken in the contract's order
 * and counting stops at a refusal, so that knocking during a short cooldown does not use up
 * the daily allowance. Counted outside the request's transaction: failures count too.
 *
 * @returns what to give back by `returnHits` if the call succeeds
 */
export async function enforceLimits(
  { db, windows, limitsKey: secret }: LimitCounters,
  definition: Pick<RouteDefinition, "id" | "limits">,
  subjects: LimitSubjects,
  now: Date,
): Promise<string[]> {
  const returnable: string[] = [];
  for (const limit of definition.limits) {
    const subject = subjects[limit.per];
    if (subject === undefined) continue;
    const key = limitKey(secret, definition.id, limit, subject);
    const { hits, expiresAtMs } =
      limit.perProcess === true
        ? windows.hit(key, limit.windowSeconds, now.getTime())
        : await countHit(db, key, limit.windowSeconds, now);
    if (limit.failuresOnly === true) returnable.push(key);
    if (hits <= limit.max) continue;
    const seconds = Math.max(1, Math.ceil((expiresAtMs - now.getTime()) / 1000));
    throw new DomainError("rate_limited", {
      ...(limit.text === undefined ? {} : { text: limit.text }),
      values: { seconds },
      retryAfterSeconds: seconds,
    });
  }
  return returnable;
}

export function limitsKey(secret: string): Buffer {
  return deriveKey(secret, "limits");
}

/** Keyed, so that readers of the table cannot try addresses and e-mails. */
function limitKey(secret: Buffer, routeId: string, limit: RouteLimit, subject: string): string {
  return createHmac("sha256", secret)
    .update(JSON.stringify([limit.purpose ?? routeId, limit.per, limit.windowSeconds, subject]))
    .digest("base64url");
}

/** The network of an address: IPv4 /24 or IPv6 /48, which providers give to one place. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === "ipv4") {
    return `${ipaddr.IPv4.networkAddressFromCIDR(`${address.toString()}/24`).toString()}/24`;
  }
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/48`).toString()}/48`;
}

/** The unit an address is counted by: an IPv4 address or an IPv6 /64, which one customer owns whole. */
export function addressBucket(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === "ipv4") return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString();
}
