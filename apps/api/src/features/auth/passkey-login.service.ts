import type { CredentialProof } from "@palisade/contract/http/passkeys";
import type { Db } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { RequestContext } from "#src/platform/http/pipeline/context.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { PasskeyProofs } from "#src/features/passkeys/passkey-proof.service.ts";
import type { CallerMemory } from "#src/features/known-callers/known-callers.service.ts";
import { lockUser } from "#src/features/users/users.service.ts";
import { findUser } from "./auth.repository.ts";
import type { LoggedIn, LoginCompletion } from "./login-completion.service.ts";

export type PasskeyLogin = ReturnType<typeof createPasskeyLogin>;

export function createPasskeyLogin(deps: {
  readonly db: Db;
  readonly callers: Pick<CallerMemory, "familiarity">;
  readonly passkeys: Pick<PasskeyProofs, "forLogin">;
  readonly completeLogin: LoginCompletion;
}) {
  /**
   * Asks for no code: the passkey's device has verified the person, so it stands for two factors.
   *
   * @throws DomainError `invalid_credentials`
   */
  return async (
    ctx: Omit<RequestContext, "actor" | "shield">,
    proof: CredentialProof,
  ): Promise<LoggedIn> => {
    const verified = await deps.passkeys.forLogin(ctx, proof);
    const found = await findUser(deps.db, verified.userId);
    if (found === undefined) throw new DomainError("invalid_credentials");
    ctx.auditAccount(found.id);
    // The call named no e-mail, by which it would have been looked up before.
    const familiarity = await deps.callers.familiarity(ctx, found.email);
    return unitOfWork(ctx, async (trx) => {
      const user = await lockUser(trx, verified.userId);
      if (user === undefined) throw new DomainError("invalid_credentials");
      // With the user locked: a passkey that was removed since then logs no one in.
      await verified.use(trx);
      return deps.completeLogin(trx, ctx, { user, factor: "passkey", familiarity });
    });
  };
}
