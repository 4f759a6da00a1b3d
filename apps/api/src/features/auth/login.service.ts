import type { Db } from "#src/platform/database/db.ts";
import type { RequestContext, UserActor } from "#src/platform/http/pipeline/context.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { callerClass } from "#src/platform/http/pipeline/known-callers.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { Passwords } from "#src/platform/security/passwords.ts";
import type { SecondFactor } from "#src/features/two-factor/second-factor.service.ts";
import type { UserRow } from "#src/schema/accounts.ts";
import { findUserByEmail, lockUser } from "#src/features/users/users.service.ts";
import { findUser } from "./auth.repository.ts";
import type { LoggedIn, LoginCompletion } from "./login-completion.service.ts";

export interface LoginDeps {
  readonly db: Db;
  readonly passwords: Passwords;
  readonly completeLogin: LoginCompletion;
  readonly secondFactor: SecondFactor;
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly two_factor_code?: string | undefined;
}

export type LoginService = ReturnType<typeof createLoginService>;

export function createLoginService(deps: LoginDeps) {
  return {
    /**
     * @throws DomainError `invalid_credentials`, the same for an unknown e-mail and a wrong
     *   password; `email_unverified` after the right password only; `invalid_code`
     * @returns no session where two-factor is on and there is no code yet
     */
    async logIn(
      ctx: Omit<RequestContext, "actor" | "shield">,
      input: Credentials,
    ): Promise<LoggedIn | "code-demanded"> {
      const user = await findUserByEmail(deps.db, input.email);
      if (user !== undefined) ctx.auditAccount(user.id);
      const matches = await deps.passwords.verify(user?.password_hash, input.password);
      if (user === undefined || !matches) throw new DomainError("invalid_credentials");
      if (user.email_verified_at === null) throw new DomainError("email_unverified");
      // Guesses of a thief of the password must not use up the owner's own.
      const place = callerClass(ctx.familiarity) === "device" ? "device" : "login";
      const code = user.two_factor_enabled_at === null ? undefined : input.two_factor_code;
      if (user.two_factor_enabled_at !== null && code === undefined) return "code-demanded";
      const guess =
        code === undefined
          ? undefined
          : await deps.secondFactor.takeGuess({ userId: user.id, place, code, now: ctx.now });
      return unitOfWork(ctx, async (trx) => {
        const current = await lockUser(trx, user.id);
        // A password reset since then has ended every session; this one must not outlive it.
        if (current === undefined || !logsInAlike(user, current))
          throw new DomainError("invalid_credentials");
        if (guess !== undefined) await deps.secondFactor.spend(trx, guess);
        return deps.completeLogin(trx, ctx, {
          user: current,
          factor: code === undefined ? "password" : "code",
          familiarity: ctx.familiarity,
        });
      });
    },

    async currentUser(actor: UserActor): Promise<UserRow> {
      const user = await findUser(deps.db, actor.userId);
      if (user === undefined) throw new DomainError("unauthenticated");
      return user;
    },
  };
}

function logsInAlike(before: UserRow, now: UserRow): boolean {
  return (
    now.password_hash === before.password_hash &&
    now.email_key === before.email_key &&
    now.two_factor_enabled_at?.getTime() === before.two_factor_enabled_at?.getTime()
  );
}
