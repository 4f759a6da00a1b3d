import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import { passkeysMax, type NewCredential, type Passkey } from "@palisade/contract/http/passkeys";
import type { Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { CustomerContext } from "#src/platform/http/pipeline/context.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { AccountNotices } from "#src/features/account-notices/account-notices.service.ts";
import { raiseFactor } from "#src/features/sessions/sessions.service.ts";
import { lockCaller } from "#src/features/users/users.service.ts";
import type { PasskeyRow } from "#src/schema/passkeys.ts";
import {
  challengeLifeMs,
  givenChallenge,
  loadWebAuthn,
  passkeyRefused,
  sessionOf,
  type PasskeyPlatform,
} from "./passkey-challenge.ts";
import { insertChallenge, takeChallenge } from "./passkey-challenges.repository.ts";
import {
  deletePasskey,
  deletePasskeysOf,
  insertPasskey,
  selectPasskeys,
  updateName,
} from "./passkeys.repository.ts";

/** Ed25519, ES256 and RS256, by their COSE numbers: every authenticator knows one of them. */
const algorithms = [-8, -7, -257] as const;

export interface PasskeysDeps extends PasskeyPlatform {
  readonly notices: AccountNotices;
  readonly backupCodes: PasskeyBackup;
}

/** Codes by which an owner who has lost every passkey proves who they are. */
export interface PasskeyBackup {
  makeMissing(trx: Trx, userId: string, now: Date): Promise<string[]>;
  forget(trx: Trx, userId: string): Promise<void>;
}

/** Takes every passkey of an account away, for an owner who has lost them. @returns how many */
export function removePasskeys(trx: Trx, userId: string): Promise<number> {
  return deletePasskeysOf(trx, userId);
}

/** The passkeys of an account. Adding and removing one needs a step-up by the strongest factor. */
export function createPasskeys({ db, relyingParty, notices, backupCodes }: PasskeysDeps) {
  async function verifyNew(ctx: CustomerContext, credential: NewCredential) {
    const challenge = givenChallenge(credential.response.clientDataJSON);
    const purpose = { purpose: "add", sessionId: sessionOf(ctx) } as const;
    if (!(await takeChallenge(db, challenge, purpose, ctx.now))) throw passkeyRefused();
    const party = relyingParty();
    const { verifyRegistrationResponse } = await loadWebAuthn();
    try {
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        // Transports are stored as the browser names them.
        response: { ...credential, clientExtensionResults: {} } as RegistrationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        requireUserVerification: true,
        supportedAlgorithmIDs: [...algorithms],
      });
      if (verified) return registrationInfo;
    } catch (error) {
      ctx.log.info({ err: error }, "A new passkey was refused");
    }
    throw passkeyRefused();
  }

  return {
    async list(ctx: CustomerContext): Promise<Passkey[]> {
      return (await selectPasskeys(db, ctx.actor.userId)).map(presentPasskey);
    },

    async begin(ctx: CustomerContext): Promise<Record<string, unknown>> {
      const { userId, email } = ctx.actor;
      const keys = await selectPasskeys(db, userId);
      if (keys.length >= passkeysMax) throw full();
      const { generateRegistrationOptions } = await loadWebAuthn();
      const options = await generateRegistrationOptions({
        rpName: "Palisade",
        rpID: relyingParty().id,
        userID: new TextEncoder().encode(userId),
        userName: email,
        userDisplayName: email,
        attestationType: "none",
        supportedAlgorithmIDs: [...algorithms],
        timeout: challengeLifeMs,
        excludeCredentials: keys.map((key) => ({ id: key.credential_id })),
        // Kept by the authenticator and shown only to the person: it stands for two factors.
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
      });
      const end = new Date(ctx.now.getTime() + challengeLifeMs);
      const purpose = { purpose: "add", sessionId: sessionOf(ctx) } as const;
      await insertChallenge(db, options.challenge, purpose, end);
      return { ...options };
    },

    /**
     * @returns the passkey, and backup codes if the account had none
     * @throws DomainError `invalid_credentials`, `entry_exists`, `list_full`
     */
    async add(
      ctx: CustomerContext,
      input: { readonly name: string; readonly credential: NewCredential },
    ): Promise<{ readonly passkey: Passkey; readonly codes: readonly string[] }> {
      const { userId } = ctx.actor;
      const { credential, credentialBackedUp } = await verifyNew(ctx, input.credential);
      const row = {
        id: newId(),
        user_id: userId,
        name: input.name,
        credential_id: credential.id,
        public_key: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: [...(credential.transports ?? [])],
        is_synced: credentialBackedUp,
        created_at: ctx.now,
        last_used_at: null,
      };
      const codes = await unitOfWork(ctx, async (trx) => {
        await lockCaller(trx, ctx.actor);
        if ((await selectPasskeys(trx, userId)).length >= passkeysMax) throw full();
        const isNew = await insertPasskey(trx, row);
        if (!isNew) throw new DomainError("entry_exists", { text: "passkey.exists" });
        await raiseFactor(trx, ctx.actor, "passkey");
        await notices.send(trx, ctx, ctx.actor, "passkey-added", { name: row.name });
        return backupCodes.makeMissing(trx, userId, ctx.now);
      });
      return { passkey: presentPasskey(row), codes };
    },

    /** @throws DomainError `not_found` for passkeys of others too */
    async rename(ctx: CustomerContext, id: string, name: string): Promise<Passkey> {
      const key = { id, userId: ctx.actor.userId };
      const row = await unitOfWork(ctx, (trx) => updateName(trx, key, name));
      if (row === undefined) throw new DomainError("not_found");
      return presentPasskey(row);
    },

    /** @throws DomainError `not_found` for passkeys of others too */
    async remove(ctx: CustomerContext, id: string): Promise<void> {
      await unitOfWork(ctx, async (trx) => {
        const user = await lockCaller(trx, ctx.actor);
        const name = await deletePasskey(trx, { id, userId: user.id });
        if (name === undefined) throw new DomainError("not_found");
        const isLast = (await selectPasskeys(trx, user.id)).length === 0;
        if (isLast && user.two_factor_enabled_at === null) await backupCodes.forget(trx, user.id);
        await notices.send(trx, ctx, ctx.actor, "passkey-removed", { name });
      });
    },
  };
}

function presentPasskey(
  row: Pick<PasskeyRow, "id" | "name" | "is_synced" | "created_at" | "last_used_at">,
): Passkey {
  return {
    id: row.id,
    name: row.name,
    is_synced: row.is_synced,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}

const full = () => new DomainError("list_full", { text: "passkey.full" });
