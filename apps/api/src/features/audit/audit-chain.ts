import { createHash } from "node:crypto";
import type { AuditEntry } from "#src/platform/http/pipeline/audit-log.ts";

/** The hash of the empty chain. */
export const genesisHash = "";

/**
 * Hash of a row: SHA-256 over the hash before it, its place and every recorded column, as a JSON
 * array, in which no two different rows read alike.
 */
export function hashEntry(previousHash: string, seq: number, entry: AuditEntry): string {
  const fields = [
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
  return createHash("sha256").update(JSON.stringify(fields)).digest("base64url");
}
