import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import type { CredentialProof } from "@palisade/contract/http/passkeys";
import type { Trx } from "#src/platform/database/db.ts";
import type { CustomerContext, RequestContext } from "#src/platform/http/pipeline/context.ts";
import type { PasskeyRow } from "#src/schema/passkeys.ts";
import {
  challengeLifeMs,
  givenChallenge,
  loadWebAuthn,
  passkeyRefused,
  sessionOf,
  type PasskeyPlatform,
} from "./passkey-challenge.ts";
import {
  insertChallenge,
  takeChallenge,
  type ChallengePurpose,
} from "./passkey-challenges.repository.ts";
import { countUse, findByCredential, selectPasskeys } from "./passkeys.repository.ts";

type Ctx = Omit<RequestContext, "actor" | "shield">;

/** A passkey's answer that was verified; `use` counts it, in the transaction that acts on it. */
export interface VerifiedPasskey {
  readonly userId: string;
  /** @throws DomainError `invalid_credentials` where the passkey was removed or used since */
  use(trx: Trx): Promise<void>;
}

export type PasskeyProofs = ReturnType<typeof createPasskeyProofs>;

/** Proves by a passkey who a caller is. The person is verified by the authenticator each time. */
export function createPasskeyProofs({ db, relyingParty }: PasskeyPlatform) {
  async function begin(
    ctx: Ctx,
    purpose: ChallengePurpose,
    keys: readonly PasskeyRow[],
  ): Promise<Record<string, unknown>> {
    const { generateAuthenticationOptions } = await loadWebAuthn();
    const options = await generateAuthenticationOptions({
      rpID: relyingParty().id,
      userVerification: "required",
      timeout: challengeLifeMs,
      allowCredentials: keys.map((key) => ({
        id: key.credential_id,
        // Stored as the browser named them: it knows its own names.
        transports: key.transports as ("internal" | "usb")[],
      })),
    });
    const end = new Date(ctx.now.getTime() + challengeLifeMs);
    await insertChallenge(db, options.challenge, purpose, end);
    return { ...options };
  }

  async function verify(
    ctx: Ctx,
    proof: CredentialProof,
    purpose: ChallengePurpose,
  ): Promise<VerifiedPasskey> {
    const challenge = givenChallenge(proof.response.clientDataJSON);
    if (!(await takeChallenge(db, challenge, purpose, ctx.now))) throw passkeyRefused();
    const key = await findByCredential(db, proof.id);
    if (key === undefined || !isHandleOf(key, proof, purpose)) throw passkeyRefused();
    const party = relyingParty();
    const { verifyAuthenticationResponse } = await loadWebAuthn();
    const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
      // zod says of a field that may be absent that it may be undefined.
      response: { ...proof, clientExtensionResults: {} } as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: key.credential_id,
        publicKey: new Uint8Array(key.public_key),
        counter: Number(key.counter),
      },
    }).catch((error: unknown) => {
      ctx.log.info({ err: error, passkey: key.id }, "The answer of a passkey was refused");
      throw passkeyRefused();
    });
    if (!verified) throw passkeyRefused();
    return {
      userId: key.user_id,
      async use(trx) {
        const counted = await countUse(trx, key, {
          counter: info.newCounter,
          isSynced: info.credentialBackedUp,
          now: ctx.now,
        });
        if (!counted) throw passkeyRefused();
      },
    };
  }

  const ofSession = (ctx: CustomerContext): ChallengePurpose => ({
    purpose: "step-up",
    sessionId: sessionOf(ctx),
  });
  const login: ChallengePurpose = { purpose: "login", sessionId: null };

  return {
    /** Names no credential: the browser offers the passkeys it has for this site. */
    beginLogin: (ctx: Ctx) => begin(ctx, login, []),
    async beginStepUp(ctx: CustomerContext) {
      return begin(ctx, ofSession(ctx), await selectPasskeys(db, ctx.actor.userId));
    },

    /** @throws DomainError `invalid_credentials` */
    forLogin: (ctx: Ctx, proof: CredentialProof) => verify(ctx, proof, login),

    /** @throws DomainError `invalid_credentials`, also for a passkey of another account */
    async forStepUp(ctx: CustomerContext, proof: CredentialProof): Promise<VerifiedPasskey> {
      const verified = await verify(ctx, proof, ofSession(ctx));
      if (verified.userId !== ctx.actor.userId) throw passkeyRefused();
      return verified;
    },
  };
}

/** A passkey carries its user's id. A login needs it; for a step-up, authenticators may leave it out. */
function isHandleOf(
  { user_id: userId }: PasskeyRow,
  { response: { userHandle } }: CredentialProof,
  { purpose }: ChallengePurpose,
): boolean {
  if (userHandle === undefined) return purpose === "step-up";
  return Buffer.from(userHandle, "base64url").toString() === userId;
}
