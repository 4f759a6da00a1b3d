import type { Db, Trx } from "#src/platform/database/db.ts";
import type { RequestContext } from "#src/platform/http/pipeline/context.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { Mailer } from "#src/platform/mail/mailer.ts";
import {
  passwordChangedNotice,
  type AccountNotices,
} from "#src/features/account-notices/account-notices.service.ts";
import { settleApiKeys } from "#src/features/api-keys/api-keys.service.ts";
import { refuseWeakPassword } from "#src/platform/security/password-rules.ts";
import {
  hashOneTimeCode,
  newOneTimeCode,
  sameHash,
} from "#src/platform/security/one-time-codes.ts";
import {
  findNewestReset,
  insertReset,
  returnResetTries,
  takeResetTries,
  useReset,
  voidAllResets,
  voidResetsAskedBy,
} from "./password-resets.repository.ts";
import type { CallerMemory } from "#src/features/known-callers/known-callers.service.ts";
import { callerClass, callersUpTo } from "#src/platform/http/pipeline/known-callers.ts";
import type { Passwords } from "#src/platform/security/passwords.ts";
import { voidEmailChange } from "#src/features/profile/email-change.service.ts";
import { causeOf } from "#src/platform/mail/mail-details.ts";
import { endSessions } from "#src/features/sessions/sessions.service.ts";
import { forgiveGuesses } from "#src/features/two-factor/second-factor.service.ts";
import { emailKeyOf, findUserByEmail } from "#src/features/users/users.service.ts";
import { findUsername, resetPasswordOf } from "./auth.repository.ts";

const codeLifeMs = 600_000;
const codeEnd = ({ now }: { readonly now: Date }) => new Date(now.getTime() + codeLifeMs);

type Ctx = Omit<RequestContext, "actor" | "shield">;

export interface PasswordResetDeps {
  readonly db: Db;
  readonly mailer: Mailer;
  readonly notices: AccountNotices;
  readonly passwords: Passwords;
  readonly callers: CallerMemory;
  readonly codeKey: Buffer;
}

export type PasswordResetService = ReturnType<typeof createPasswordResetService>;

/**
 * From 'forgot password' to a new one. Whether an address has an account shows nowhere: known and
 * unknown ones take the same statements and jobs, and get the same answer.
 */
export function createPasswordResetService(deps: PasswordResetDeps) {
  async function issueCode(
    trx: Trx,
    ctx: Ctx,
    subject: { readonly userId: string | null; readonly emailKey: string },
  ): Promise<string> {
    const code = newOneTimeCode();
    await insertReset(trx, {
      id: newId(),
      user_id: subject.userId,
      email_key: subject.emailKey,
      code_hash: hashOneTimeCode(deps.codeKey, subject.emailKey, code),
      asked_by: callerClass(ctx.familiarity),
      tries: 0,
      created_at: ctx.now,
      expires_at: codeEnd(ctx),
      void_at: subject.userId === null ? ctx.now : null,
    });
    return code;
  }

  /** @throws DomainError `invalid_code`, after taking one of the code's tries */
  async function checkCode(
    ctx: Ctx,
    input: { readonly email: string; readonly code: string },
  ): Promise<{ resetId: string; userId: string; emailKey: string; triedIds: string[] }> {
    const emailKey = emailKeyOf(input.email);
    const newest = await findNewestReset(deps.db, emailKey);
    if (newest?.user_id != null) ctx.auditAccount(newest.user_id);
    const caller = callerClass(ctx.familiarity);
    const live = await takeResetTries(deps.db, { emailKey, caller, now: ctx.now });
    const typedHash = hashOneTimeCode(deps.codeKey, emailKey, input.code);
    const reset = live.find((row) => sameHash(row.code_hash, typedHash));
    if (reset?.user_id == null) throw new DomainError("invalid_code");
    const triedIds = live.map(({ id }) => id);
    return { resetId: reset.id, userId: reset.user_id, emailKey, triedIds };
  }

  /** Only for the holder of a right code, since it would show an account's user name. */
  async function refuseUsername(
    ctx: Ctx,
    of: { readonly userId: string; readonly triedIds: readonly string[] },
    password: string,
  ): Promise<void> {
    const username = await findUsername(deps.db, of.userId);
    try {
      refuseWeakPassword(password, [username]);
    } catch (error) {
      // The code was right: the next password needs it again.
      const caller = callerClass(ctx.familiarity);
      await returnResetTries(deps.db, { ids: of.triedIds, caller });
      throw error;
    }
  }

  return {
    /**
     * Mails a code that voids the earlier ones, except those that a better known caller asked for: a
     * stranger must not void the owner's. Sends nothing when the address is not confirmed.
     */
    async send(ctx: Ctx, email: string): Promise<void> {
      const emailKey = emailKeyOf(email);
      ctx.auditAddress(emailKey);
      await unitOfWork(ctx, async (trx) => {
        const user = await findUserByEmail(trx, email);
        const owner = user?.email_verified_at == null ? undefined : user;
        const askedBy = callersUpTo(callerClass(ctx.familiarity));
        await voidResetsAskedBy(trx, { emailKey, askedBy, now: ctx.now });
        const code = await issueCode(trx, ctx, { userId: owner?.id ?? null, emailKey });
        if (owner === undefined) await deps.mailer.enqueueNothing(trx);
        else {
          await deps.mailer.enqueue(trx, {
            to: owner.email,
            template: "accounts.reset-code",
            locale: ctx.locale,
            values: { code, validUntil: codeEnd(ctx).toISOString(), ...causeOf(ctx) },
            usefulUntil: codeEnd(ctx),
          });
        }
      });
    },

    /** @throws DomainError `invalid_code` */
    async verify(ctx: Ctx, input: { email: string; code: string }): Promise<void> {
      const { triedIds: ids } = await checkCode(ctx, input);
      const caller = callerClass(ctx.familiarity);
      await unitOfWork(ctx, (trx) => returnResetTries(trx, { ids, caller }));
    },

    /**
     * Ends every session, revokes every API key and leaves two-factor on: the mailbox is one factor,
     * not both.
     *
     * @throws DomainError `invalid_code`
     */
    async reset(ctx: Ctx, input: { email: string; code: string; password: string }): Promise<void> {
      refuseWeakPassword(input.password, [input.email]);
      const { resetId, userId, emailKey, triedIds } = await checkCode(ctx, input);
      await refuseUsername(ctx, { userId, triedIds }, input.password);
      const passwordHash = await deps.passwords.hash(input.password);
      await unitOfWork(ctx, async (trx) => {
        const isFirst = await useReset(trx, resetId, ctx.now);
        // When the account's address has changed since, the code went to somewhere else.
        const user = await resetPasswordOf(trx, { id: userId, emailKey }, passwordHash);
        if (!isFirst || user === undefined) throw new DomainError("invalid_code");
        await endSessions(trx, userId);
        await voidEmailChange(trx, userId);
        await voidAllResets(trx, emailKey, ctx.now);
        await deps.callers.forgetOthers(trx, ctx, userId);
        await forgiveGuesses(trx, userId, ctx.now);
        const keys = await settleApiKeys(trx, { userId, keep: false, now: ctx.now });
        const to = { userId, email: user.email };
        await deps.notices.send(trx, ctx, to, passwordChangedNotice(keys));
      });
    },
  };
}
