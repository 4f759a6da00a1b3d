import { isIPv4 } from "node:net";

export interface ResponseLimiterOptions {
  readonly perSecond: number;
  readonly burst: number;
  /** Number of sources kept; the one unseen for the longest is dropped first. */
  readonly sourcesMax: number;
}

export type LimiterVerdict = "answer" | "slip" | "drop";

/** Datagrams above the limit since the start of the program. */
export type LimitedDatagrams = Readonly<Record<Exclude<LimiterVerdict, "answer">, number>>;

export interface ResponseLimiter {
  /** Decides about a datagram of this source. */
  take(address: string, nowMs: number): LimiterVerdict;
  limited(): LimitedDatagrams;
}

interface Bucket {
  tokens: number;
  atMs: number;
  refused: number;
}

/**
 * Limits answers per source network (/24, /56) and second. The source of a datagram may be forged, so
 * the cap protects the real owner of that address. Every second excess question is answered with 'ask
 * over TCP', which costs the victim little and lets a real resolver through.
 */
export function createResponseLimiter(options: ResponseLimiterOptions): ResponseLimiter {
  const { perSecond, burst, sourcesMax } = options;
  const buckets = new Map<string, Bucket>();
  const limited = { slip: 0, drop: 0 };
  return {
    take(address, nowMs) {
      const key = networkOf(address);
      const bucket = buckets.get(key) ?? { tokens: burst, atMs: nowMs, refused: 0 };
      // Inserted again, so that the map is ordered by last use.
      buckets.delete(key);
      buckets.set(key, bucket);
      if (buckets.size > sourcesMax) {
        const [oldest] = buckets.keys();
        if (oldest !== undefined) buckets.delete(oldest);
      }
      const passedMs = Math.max(0, nowMs - bucket.atMs);
      bucket.tokens = Math.min(burst, bucket.tokens + (passedMs * perSecond) / 1_000);
      bucket.atMs = nowMs;
      if (bucket.tokens >= 1) {
        bucket.tokens -= 1;
        return "answer";
      }
      bucket.refused += 1;
      const verdict = bucket.refused % 2 === 1 ? "slip" : "drop";
      limited[verdict] += 1;
      return verdict;
    },
    limited: () => ({ ...limited }),
  };
}

/** The network that shares a cap: one sender can use all its addresses. */
export function networkOf(address: string): string {
  const plain = address.startsWith("::ffff:") ? address.slice(7) : address;
  if (isIPv4(plain)) return plain.slice(0, plain.lastIndexOf("."));
  return expandIpv6(plain).slice(0, 14);
}

/** All 32 digits of an IPv6 address as a socket reports it. */
function expandIpv6(address: string): string {
  const [plain = ""] = address.split("%");
  const [head = "", tail = ""] = plain.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const zeros = plain.includes("::") ? Math.max(0, 8 - left.length - right.length) : 0;
  return [...left, ...Array.from({ length: zeros }, () => "0"), ...right]
    .map((group) => group.padStart(4, "0"))
    .join("");
}
