import { hkdfSync } from "node:crypto";

/** The secrets of the installation, as the configuration holds them. */
export interface Secrets {
  readonly secret: string;
  /** From before the secret was rotated; the newest first. */
  readonly formerSecrets: readonly string[];
}

/** The current key of a purpose, and former ones, by which old data can still be read. */
export type Keys = readonly [Buffer, ...Buffer[]];

/** A key of its own for each purpose, from the one secret of the installation. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "palisade", purpose, 32));
}

export function deriveKeys({ secret, formerSecrets }: Secrets, purpose: string): Keys {
  return [deriveKey(secret, purpose), ...formerSecrets.map((former) => deriveKey(former, purpose))];
}
