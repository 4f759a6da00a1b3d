import { createHmac, timingSafeEqual } from "node:crypto";

/** A delivery that is older than this, or further ahead, may be a replayed recording. */
const toleranceSeconds = 300;

export interface SignedHeaders {
  readonly "webhook-id": string;
  readonly "webhook-timestamp": string;
  readonly "webhook-signature": string;
}

/**
 * Signs a delivery by standardwebhooks.com: HMAC-SHA256 over `id.timestamp.body`, in base64 after
 * the version.
 */
export function signWebhook(key: Buffer, id: string, body: Buffer, now: Date): SignedHeaders {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature(key, id, timestamp, body).toString("base64")}`,
  };
}

/** @returns the id of the delivery; null if its signature or its time is wrong */
export function verifyWebhook(
  key: Buffer,
  header: (name: string) => string | undefined,
  body: Buffer,
  now: Date,
): string | null {
  const [id, timestamp, signatures] = [
    header("webhook-id"),
    header("webhook-timestamp"),
    header("webhook-signature"),
  ];
  if (id === undefined || timestamp === undefined || signatures === undefined) {
    return null;
  }
  if (!/^[1-9][0-9]{0,11}$/.test(timestamp)) return null;
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds) return null;
  const expected = signature(key, id, timestamp, body);
  // A sender that changes its key sends several signatures.
  const isGenuine = signatures.split(" ", 8).some((entry) => {
    if (!entry.startsWith("v1,")) return false;
    const given = Buffer.from(entry.slice(3), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isGenuine ? id : null;
}

function signature(key: Buffer, id: string, timestamp: string, body: Buffer): Buffer {
  return createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
}
