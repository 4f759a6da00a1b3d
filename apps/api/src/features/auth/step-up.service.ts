import type { CredentialProof } from "@palisade/contract/http/passkeys";
import type { AuthFactor } from "@palisade/contract/http/two-factor";
import type { Db } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { Passwords } from "#src/platform/security/passwords.ts";
import { recentUntil } from "#src/platform/http/pipeline/recent-authentication.ts";
import type { PasskeyProofs } from "#src/features/passkeys/passkey-proof.service.ts";
import type { TwoFactorService } from "#src/features/two-factor/two-factor.service.ts";
import type { CustomerContext } from "#src/platform/http/pipeline/context.ts";
import { renewSession } from "#src/features/sessions/sessions.service.ts";
import { findUser } from "./auth.repository.ts";

export interface StepUpDeps {
  readonly db: Db;
  readonly passwords: Passwords;
  readonly twoFactor: Pick<TwoFactorService, "withCode" | "withBackupCode">;
  readonly passkeys: Pick<PasskeyProofs, "beginStepUp" | "forStepUp">;
}

/** Proofs of weaker factors than the account has are not looked at. */
export interface StepUpProof {
  readonly current_password?: string | undefined;
  readonly code?: string | undefined;
  readonly passkey?: CredentialProof | undefined;
}

export type StepUp = ReturnType<typeof createStepUp>;

/**
 * Proves again that the account's owner holds the session, by the strongest factor of the account: a
 * thief who has the session and the password must not pass where two-factor is on.
 */
export function createStepUp({ db, passwords, twoFactor, passkeys }: StepUpDeps) {
  async function byPassword(ctx: CustomerContext, password: string): Promise<string> {
    const user = await findUser(db, ctx.actor.userId);
    const matches = await passwords.verify(user?.password_hash, password);
    if (!matches) {
      throw new DomainError("invalid_credentials", {
        text: "password.wrong",
        issues: [{ path: "current_password", code: "password.wrong" }],
      });
    }
    return unitOfWork(ctx, (trx) => renewSession(trx, ctx, "password"));
  }

  async function byPasskey(ctx: CustomerContext, proof: CredentialProof): Promise<string> {
    const verified = await passkeys.forStepUp(ctx, proof);
    return unitOfWork(ctx, async (trx) => {
      await verified.use(trx);
      return renewSession(trx, ctx, "passkey");
    });
  }

  function prove(ctx: CustomerContext, proof: StepUpProof): Promise<string> {
    const { current_password: password, code, passkey } = proof;
    const factor = factorOf(ctx);
    if (factor === "passkey" && passkey !== undefined) return byPasskey(ctx, passkey);
    if (factor === "passkey" && code !== undefined) {
      return twoFactor.withBackupCode(ctx, code, (trx) => renewSession(trx, ctx, "passkey"));
    }
    if (factor === "code" && code !== undefined) {
      return twoFactor.withCode(ctx, code, (trx) => renewSession(trx, ctx, "code"));
    }
    if (factor === "password" && password !== undefined) return byPassword(ctx, password);
    throw needed(factor);
  }

  return {
    /** Says what the caller has to prove, with the options for the browser if that is a passkey. */
    async begin(ctx: CustomerContext) {
      const factor = factorOf(ctx);
      return {
        factor,
        passkeyOptions: factor === "passkey" ? await passkeys.beginStepUp(ctx) : null,
      };
    },

    /** @returns the session's new token, and until when the proof counts as recent */
    async prove(ctx: CustomerContext, proof: StepUpProof) {
      const token = await prove(ctx, proof);
      ctx.log.info({ user: ctx.actor.userId, factor: factorOf(ctx) }, "Stepped up");
      return { token, validUntil: recentUntil(ctx.now) };
    },
  };
}

function factorOf({ actor: { credential } }: CustomerContext): AuthFactor {
  if (credential.kind !== "session") throw new DomainError("forbidden");
  return credential.strongestFactor;
}

/** Names the field of the factor that the call lacks. */
function needed(factor: AuthFactor): DomainError {
  if (factor === "password") return new DomainError("invalid_code");
  const code = factor === "code" ? "step_up.code" : "step_up.passkey";
  return new DomainError("invalid_code", { text: code, issues: [{ path: factor, code }] });
}
