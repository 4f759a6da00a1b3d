import type { Db } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { Passwords } from "#src/platform/security/passwords.ts";
import { recentUntil } from "#src/platform/http/pipeline/recent-authentication.ts";
import type { TwoFactorService } from "#src/features/two-factor/two-factor.service.ts";
import type { CustomerContext } from "#src/platform/http/pipeline/context.ts";
import { markAuthenticated } from "#src/features/sessions/sessions.service.ts";
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

/** Proves again who holds a session; @returns until when that counts as recent. */
export function createStepUp({ db, passwords, twoFactor }: StepUpDeps) {
  async function byPassword(ctx: CustomerContext, password: string): Promise<void> {
    const user = await findUser(db, ctx.actor.userId);
    const matches = await passwords.verify(user?.password_hash, password);
    if (!matches) {
      throw new DomainError("invalid_credentials", {
        text: "password.wrong",
        issues: [{ path: "current_password", code: "password.wrong" }],
      });
    }
    await unitOfWork(ctx, (trx) => markAuthenticated(trx, ctx));
  }

  return async (ctx: CustomerContext, proof: StepUpProof): Promise<Date> => {
    const { current_password: password, code } = proof;
    if (password !== undefined && (code === undefined || !ctx.actor.hasTwoFactor)) {
      await byPassword(ctx, password);
    } else if (code !== undefined && ctx.actor.hasTwoFactor) {
      await twoFactor.withCode(ctx, code, async () => undefined);
    } else {
      throw new DomainError("invalid_code");
    }
    return recentUntil(ctx.now);
  };
}
