import type { Db } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { Passwords } from "#src/platform/security/passwords.ts";
import { recentUntil, strongestFactor } from "#src/platform/http/pipeline/recent-authentication.ts";
import type { TwoFactorService } from "#src/features/two-factor/two-factor.service.ts";
import type { CustomerContext } from "#src/platform/http/pipeline/context.ts";
import { renewSession } from "#src/features/sessions/sessions.service.ts";
import { findUser } from "./auth.repository.ts";

export interface StepUpDeps {
  readonly db: Db;
  readonly passwords: Passwords;
  readonly twoFactor: Pick<TwoFactorService, "withCode">;
}

export interface StepUpProof {
  readonly current_password?: string | undefined;
  readonly code?: string | undefined;
}

export type StepUp = ReturnType<typeof createStepUp>;

/**
 * Proves again that the account's owner holds the session, by the strongest factor of the account: a
 * thief who has the session and the password must not pass where two-factor is on.
 *
 * @returns the session's new token, and until when the proof counts as recent
 */
export function createStepUp({ db, passwords, twoFactor }: StepUpDeps) {
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

  function prove(ctx: CustomerContext, proof: StepUpProof): Promise<string> {
    const { current_password: password, code } = proof;
    if (strongestFactor(ctx.actor) === "password") {
      if (password === undefined) throw new DomainError("invalid_code");
      return byPassword(ctx, password);
    }
    if (code === undefined) throw codeNeeded();
    return twoFactor.withCode(ctx, code, (trx) => renewSession(trx, ctx, "code"));
  }

  return async (ctx: CustomerContext, proof: StepUpProof) => {
    const token = await prove(ctx, proof);
    return { token, validUntil: recentUntil(ctx.now) };
  };
}

function codeNeeded(): DomainError {
  return new DomainError("invalid_code", {
    text: "step_up.code",
    issues: [{ path: "code", code: "step_up.code" }],
  });
}
