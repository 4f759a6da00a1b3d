import { createHmac } from "node:crypto";
import type { AuditEntry } from "#src/platform/http/pipeline/audit-log.ts";
import type { AuditKey } from "./audit-keys.ts";

/** The hash of the empty chain. */
export const genesisHash = "";

interface Place {
  readonly previousHash: string;
  readonly seq: number;
}

/**
 * Keyed hash of a row: HMAC-SHA-256 over the hash before it, its place and every recorded column,
 * as a JSON array, in which no two different rows read alike.
 */
export function hashEntry({ id, key }: AuditKey, place: Place, entry: AuditEntry): string {
  const text = JSON.stringify(["row", id, ...fieldsOf(place, entry)]);
  return createHmac("sha256", key).update(text).digest("base64url");
}

/** Proves that the chain had this end: without the key, its last rows cannot be taken off unnoticed. */
export function sealHead(
  { id, key }: AuditKey,
  head: { readonly chain: string; readonly seq: number; readonly hash: string },
): string {
  const text = JSON.stringify(["head", id, head.chain, head.seq, head.hash]);
  return createHmac("sha256", key).update(text).digest("base64url");
}

function fieldsOf({ previousHash, seq }: Place, entry: AuditEntry): unknown[] {
  return [
    previousHash,
    entry.chain,
    seq,
    entry.id,
    entry.actorKind,
    entry.actorId,
    entry.credential,
    entry.method,
    entry.endpoint,
    entry.fullUrl,
    entry.status,
    entry.ip,
    entry.requestId,
    entry.at.toISOString(),
  ];
}
