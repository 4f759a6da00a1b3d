import { Stripe } from "stripe";
import type { StripeConfig } from "#src/config-payments.ts";

/**
 * The version of Stripe's API that this code was written for. Stripe answers in it whatever the
 * account's default is, so an upgrade of the SDK has to change it here on purpose.
 */
const apiVersion = "2026-10-28.endive";

/** Shorter than the deadline of a call that waits for a checkout. */
const timeoutMs = 6_000;

/**
 * A repeated request carries the same idempotency key, so a lost answer is asked for again at once.
 */
const retriesMax = 1;

export function createStripeClient({ secretKey, apiUrl }: StripeConfig): Stripe {
  return new Stripe(secretKey, {
    apiVersion,
    timeout: timeoutMs,
    maxNetworkRetries: retriesMax,
    telemetry: false,
    ...(apiUrl === undefined ? {} : standIn(apiUrl)),
  });
}

function standIn(apiUrl: string) {
  const { hostname, port } = new URL(apiUrl);
  return { protocol: "http", host: hostname.replace(/^\[|\]$/g, ""), port } as const;
}

/** Stripe has no such object, or not in this account. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404;
}

/** `null` where Stripe has no such object. */
export function orMissing<T>(request: Promise<T>): Promise<T | null> {
  return request.catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
}

/** The id of a related object, which Stripe gives as an id or expanded. */
export function idOf(related: string | { readonly id: string } | null | undefined): string | null {
  return typeof related === "object" ? (related?.id ?? null) : (related ?? null);
}
