import { createHash, randomBytes } from "node:crypto";

/** The start of a bearer token says its purpose, so that secret scanners can find it too. */
export const tokenPrefixes = {
  session: "pst_",
  apiKey: "psk_",
  edge: "pse_",
  view: "psv_",
  invitation: "psi_",
  attackShare: "psa_",
  liveChannel: "psl_",
} as const;

/** 256 random bits behind a prefix. */
export function newToken(prefix: string): string {
  return prefix + randomBytes(32).toString("base64url");
}

/** A random token needs no slow hash: there is nothing to guess. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
