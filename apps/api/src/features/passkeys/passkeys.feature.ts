import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";
import { createPasskeyProofs, type PasskeyProofs } from "./passkey-proof.service.ts";
import { deleteExpiredChallenges } from "./passkey-challenges.repository.ts";
import { mountPasskeyRoutes } from "./passkeys.routes.ts";
import { createPasskeys, type PasskeysDeps } from "./passkeys.service.ts";
import { relyingPartyOf } from "./relying-party.ts";

export interface PasskeysFeature extends Feature {
  readonly passkeyProofs: PasskeyProofs;
  readonly deleteOld: (now: Date) => Promise<void>;
}

/** Passkeys, for logging in and for proving again who is there. */
export function createPasskeysFeature(
  { db }: Pick<Platform, "db">,
  deps: Pick<PasskeysDeps, "notices" | "backupCodes">,
  consoleOrigin: () => string,
): PasskeysFeature {
  const relyingParty = () => {
    const party = relyingPartyOf(consoleOrigin());
    if (party === undefined) throw new DomainError("conflict", { text: "passkey.no_domain" });
    return party;
  };
  const passkeyProofs = createPasskeyProofs({ db, relyingParty });
  const passkeys = createPasskeys({ db, relyingParty, ...deps });
  return {
    mountRoutes: (mount) => mountPasskeyRoutes(mount, passkeys, passkeyProofs),
    passkeyProofs,
    deleteOld: (now) => deleteExpiredChallenges(db, now),
  };
}
