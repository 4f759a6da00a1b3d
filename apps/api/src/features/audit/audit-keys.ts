import { createHmac } from "node:crypto";
import { deriveKey } from "#src/platform/security/derived-key.ts";

/** A key of the audit log. Rows name it by its id, which tells nothing about it. */
export interface AuditKey {
  readonly id: string;
  readonly key: Buffer;
}

/** New rows get the current key; earlier ones are verified by the key they name. */
export interface AuditKeys {
  readonly current: AuditKey;
  find(id: string): AuditKey | undefined;
}

export interface AuditSecrets {
  readonly secret: string;
  readonly formerSecrets: readonly string[];
}

/**
 * Keys from the installation's secret, and from those it had before: the log of an installation
 * whose secret was changed is verified with all of them.
 */
export function createAuditKeys({ secret, formerSecrets }: AuditSecrets): AuditKeys {
  const current = keyOf(secret);
  const all = [current, ...formerSecrets.map(keyOf)];
  return { current, find: (id) => all.find((key) => key.id === id) };
}

function keyOf(secret: string): AuditKey {
  const key = deriveKey(secret, "audit-chain");
  const id = createHmac("sha256", key).update("key id").digest("base64url").slice(0, 12);
  return { id, key };
}
