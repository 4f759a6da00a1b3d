import { hkdfSync } from "node:crypto";

/** A key of its own for each purpose, from the one secret of the installation. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "palisade", purpose, 32));
}
