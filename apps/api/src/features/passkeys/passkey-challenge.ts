import type { Db } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { CustomerContext } from "#src/platform/http/pipeline/context.ts";
import type { RelyingParty } from "./relying-party.ts";

/** How long the user may take at their authenticator. */
export const challengeLifeMs = 120_000;

export interface PasskeyPlatform {
  readonly db: Db;
  /** @throws DomainError `conflict` where the public address has no domain */
  readonly relyingParty: () => RelyingParty;
}

/** The challenge that the browser says it answers; it counts only if it is one of ours. */
export function givenChallenge(clientDataJson: string): string {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJson, "base64url").toString());
    if (typeof data === "object" && data !== null && "challenge" in data) {
      const { challenge } = data;
      if (typeof challenge === "string") return challenge;
    }
  } catch {
    // Not JSON: refused like every other wrong answer.
  }
  throw passkeyRefused();
}

export function sessionOf({ actor: { credential } }: CustomerContext): string {
  if (credential.kind !== "session") throw new DomainError("forbidden");
  return credential.id;
}

/** One text for every reason: the page cannot do more than ask again. */
export function passkeyRefused(): DomainError {
  return new DomainError("invalid_credentials", { text: "passkey.refused" });
}

/** With the first passkey that is used: it would take a tenth of every start of api and commands. */
export const loadWebAuthn = () => import("@simplewebauthn/server");
