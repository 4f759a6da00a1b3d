import type { Db } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import {
  passwordChangedNotice,
  type AccountNotices,
} from "#src/features/account-notices/account-notices.service.ts";
import { settleApiKeys } from "#src/features/api-keys/api-keys.service.ts";
import { refuseWeakPassword } from "#src/platform/security/password-rules.ts";
import type { Passwords } from "#src/platform/security/passwords.ts";
import type { CustomerContext } from "#src/platform/http/pipeline/context.ts";
import { requireRecentAuthentication } from "#src/platform/http/pipeline/recent-authentication.ts";
import { voidEmailChange } from "#src/features/profile/email-change.service.ts";
import { endSessions } from "#src/features/sessions/sessions.service.ts";
import { forgiveGuesses } from "#src/features/two-factor/second-factor.service.ts";
import type { CallerMemory } from "#src/features/known-callers/known-callers.service.ts";
import { findUser, findUsername, replacePassword } from "./auth.repository.ts";

export interface PasswordChangeDeps {
  readonly db: Db;
  readonly passwords: Passwords;
  readonly callers: CallerMemory;
  readonly notices: AccountNotices;
}

export function createPasswordChange({ db, passwords, callers, notices }: PasswordChangeDeps) {
  /**
   * Ends every session, the caller's too, and revokes the API keys unless the caller keeps them, so
   * that a thief of the old password is locked out. With a second factor, the password alone
   * proves too little: its thief would lock the owner out.
   */
  return async (
    ctx: CustomerContext,
    input: {
      readonly current_password: string;
      readonly password: string;
      readonly keep_api_keys: boolean;
    },
  ): Promise<void> => {
    const { userId, email, credential } = ctx.actor;
    const isProof = credential.kind === "session" && credential.strongestFactor === "password";
    if (!isProof) requireRecentAuthentication(ctx);
    refuseWeakPassword(input.password, [email, await findUsername(db, userId)]);
    const user = await findUser(db, userId);
    const matches = await passwords.verify(user?.password_hash, input.current_password);
    if (user === undefined || !matches) throw wrongPassword();
    const newHash = await passwords.hash(input.password);
    await unitOfWork(ctx, async (trx) => {
      // When two changes start from the same old password, the second one is refused.
      const isReplaced = await replacePassword(trx, userId, user.password_hash, newHash);
      if (!isReplaced) throw wrongPassword();
      await endSessions(trx, userId);
      await callers.forgetOthers(trx, ctx, userId);
      await forgiveGuesses(trx, userId, ctx.now);
      await voidEmailChange(trx, userId);
      const keys = await settleApiKeys(trx, { userId, keep: input.keep_api_keys, now: ctx.now });
      await notices.send(trx, ctx, { userId, email }, passwordChangedNotice(keys));
    });
  };
}

function wrongPassword(): DomainError {
  return new DomainError("invalid_credentials", {
    text: "password.wrong",
    issues: [{ path: "current_password", code: "password.wrong" }],
  });
}
