import { privacyVersion } from "@palisade/contract/privacy-version";
import type { RequestContext } from "#src/platform/http/pipeline/context.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { hashToken } from "#src/platform/security/tokens.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import type { Failpoint } from "#src/platform/development/failpoints.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { Mailer } from "#src/platform/mail/mailer.ts";
import type { AuthMail } from "./auth-mails.ts";
import { refuseWeakPassword } from "#src/platform/security/password-rules.ts";
import {
  countPasswords,
  findByCookie,
  findNewest,
  insertConfirmation,
  takeTry,
  useConfirmation,
  voidConfirmations,
  type ConfirmationRow,
} from "./confirmations.repository.ts";
import {
  hashOneTimeCode,
  newOneTimeCode,
  sameHash,
} from "#src/platform/security/one-time-codes.ts";
import type { Passwords } from "#src/platform/security/passwords.ts";
import { newPendingToken, type PendingToken } from "./pending-cookie.ts";
import { causeOfUnproven } from "#src/platform/mail/mail-details.ts";
import { confirmUser, registerUser } from "./auth.repository.ts";
import { emailKeyOf, findUserByEmail } from "#src/features/users/users.service.ts";

const codeLifeMs = 600_000;
const codeEnd = ({ now }: { readonly now: Date }) => new Date(now.getTime() + codeLifeMs);
/** How long another registration of the address makes codes without a cookie ambiguous. */
const ambiguityMs = 86_400_000;

type Ctx = Omit<RequestContext, "actor" | "shield">;

export interface RegistrationDeps {
  readonly db: Db;
  readonly mailer: Mailer;
  readonly passwords: Passwords;
  readonly codeKey: Buffer;
  readonly failpoint: Failpoint;
}

export type RegistrationService = ReturnType<typeof createRegistrationService>;

/**
 * From registering to a confirmed e-mail. Whether an address is known shows nowhere: known and
 * unknown ones take the same statements, hashes and jobs, and get the same answer.
 */
export function createRegistrationService(deps: RegistrationDeps) {
  /** A new code for the address; void from the start when it must not be usable. */
  async function issueCode(
    trx: Trx,
    ctx: Ctx,
    subject: {
      readonly userId: string | null;
      readonly emailKey: string;
      readonly passwordHash: string;
      readonly usable: boolean;
      readonly isBound: boolean;
    },
  ): Promise<{ code: string; pendingToken: string }> {
    const code = newOneTimeCode();
    const pendingToken = newPendingToken();
    await insertConfirmation(trx, {
      id: newId(),
      user_id: subject.userId,
      email_key: subject.emailKey,
      cookie_hash: hashToken(pendingToken),
      is_bound: subject.isBound,
      code_hash: hashOneTimeCode(deps.codeKey, subject.emailKey, code),
      password_hash: subject.passwordHash,
      tries: 0,
      created_at: ctx.now,
      expires_at: codeEnd(ctx),
      void_at: subject.usable ? null : ctx.now,
    });
    return { code, pendingToken };
  }

  async function mail(trx: Trx, ctx: Ctx, to: string, template: AuthMail, code: string) {
    const cause = causeOfUnproven(ctx);
    const shared = { to, template, locale: ctx.locale };
    if (template === "accounts.confirm-email") {
      const values = { code, validUntil: codeEnd(ctx).toISOString(), ...cause };
      await deps.mailer.enqueue(trx, { ...shared, values, usefulUntil: codeEnd(ctx) });
    } else {
      await deps.mailer.enqueue(trx, { ...shared, values: { account: to, ...cause } });
    }
  }

  /**
   * The registration a code is for: the browser's own, else the newest of the address. `isOwn`:
   * this browser chose its password.
   */
  async function findRegistration(
    pending: PendingToken | undefined,
    email: string | undefined,
    now: Date,
  ): Promise<{ row: ConfirmationRow | undefined; isOwn: boolean }> {
    const emailKey = email === undefined ? undefined : emailKeyOf(email);
    if (pending !== undefined) {
      const own = await findByCookie(deps.db, hashToken(pending.token));
      if (own !== undefined && (emailKey === undefined || own.email_key === emailKey)) {
        const isLive = own.void_at === null && own.expires_at > now;
        // Another person may have registered the address later. Their code, in the same mailbox,
        // must not bring their password into this browser's account.
        const row = isLive ? own : await findNewest(deps.db, own.email_key, own.password_hash);
        return { row, isOwn: own.is_bound };
      }
    }
    const row = emailKey === undefined ? undefined : await findNewest(deps.db, emailKey);
    return { row, isOwn: false };
  }

  /** As before where the same person registers again, so that it counts as the same password. */
  async function hashPassword(email: string, password: string): Promise<string> {
    const user = await findUserByEmail(deps.db, email);
    const isSame = await deps.passwords.verify(user?.password_hash, password);
    const fresh = await deps.passwords.hash(password);
    return isSame && user?.email_verified_at === null ? user.password_hash : fresh;
  }

  return {
    /** @returns token of the pending-registration cookie */
    async register(ctx: Ctx, input: { email: string; password: string }): Promise<string> {
      refuseWeakPassword(input.password, [input.email]);
      const emailKey = emailKeyOf(input.email);
      ctx.auditAddress(emailKey);
      const passwordHash = await hashPassword(input.email, input.password);
      return unitOfWork(ctx, async (trx) => {
        const user = await registerUser(trx, {
          id: newId(),
          email: input.email,
          passwordHash,
          locale: ctx.locale,
          privacyVersion,
          now: ctx.now,
        });
        const usable = !user.isConfirmed;
        const { code, pendingToken } = await issueCode(trx, ctx, {
          userId: user.id,
          emailKey,
          passwordHash,
          usable,
          isBound: true,
        });
        await mail(
          trx,
          ctx,
          input.email,
          usable ? "accounts.confirm-email" : "accounts.exists",
          code,
        );
        deps.failpoint("register.before-commit");
        return pendingToken;
      });
    },

    /**
     * A code proves whose mailbox it is, not who chose the password that it brings into force. Where
     * the browser cannot tell by its cookie, the code counts only while all who registered the
     * address lately chose the same password: otherwise it could be a stranger's who waits for the
     * owner of the mailbox to confirm it.
     *
     * @throws DomainError `invalid_code`, after taking one of the code's tries
     */
    async confirm(
      ctx: Ctx,
      pending: PendingToken | undefined,
      input: { code: string; email?: string | undefined },
    ): Promise<void> {
      // Beside an e-mail the cookie only tells registrations of that address apart, which gives
      // another site nothing; on its own it says whose code this is.
      if (input.email === undefined && pending?.isProven === false) {
        throw new DomainError("forbidden");
      }
      const { row: registration, isOwn } = await findRegistration(pending, input.email, ctx.now);
      if (registration?.user_id != null) ctx.auditAccount(registration.user_id);
      const codeHash = await takeTry(deps.db, registration?.id ?? newId(), ctx.now);
      const emailKey = registration?.email_key ?? "";
      const matches = sameHash(codeHash ?? "", hashOneTimeCode(deps.codeKey, emailKey, input.code));
      const userId = registration?.user_id;
      if (!matches || registration === undefined || userId == null) {
        throw new DomainError("invalid_code");
      }
      await unitOfWork(ctx, async (trx) => {
        const since = new Date(ctx.now.getTime() - ambiguityMs);
        if (!isOwn && (await countPasswords(trx, registration.email_key, since)) > 1) {
          throw new DomainError("invalid_code", { text: "code.other_browser" });
        }
        const isFirst = await useConfirmation(trx, registration.id, ctx.now);
        // The password of this registration counts, not of a later one by someone else.
        const isNew = await confirmUser(trx, userId, registration.password_hash, ctx.now);
        if (!isFirst || !isNew) throw new DomainError("invalid_code");
        await voidConfirmations(trx, registration.email_key, ctx.now);
      });
    },

    /** @returns token of the pending-registration cookie, which the new code belongs to */
    async resend(ctx: Ctx, pending: PendingToken | undefined, email: string): Promise<string> {
      const emailKey = emailKeyOf(email);
      return unitOfWork(ctx, async (trx) => {
        const user = await findUserByEmail(trx, email);
        const own = await findByCookie(trx, hashToken(pending?.token ?? newPendingToken()));
        ctx.auditAddress(emailKey);
        const isWaiting = user !== undefined && user.email_verified_at === null;
        // Older codes stay usable for other registrations of the address, but not for this one.
        if (own?.email_key === emailKey) await useConfirmation(trx, own.id, ctx.now);
        else await voidConfirmations(trx, emailKey, ctx.now);
        const registered = own?.email_key === emailKey ? own : undefined;
        const { code, pendingToken } = await issueCode(trx, ctx, {
          userId: user?.id ?? null,
          emailKey,
          passwordHash: registered?.password_hash ?? user?.password_hash ?? "",
          usable: isWaiting,
          isBound: registered?.is_bound ?? false,
        });
        if (isWaiting) await mail(trx, ctx, user.email, "accounts.confirm-email", code);
        else await deps.mailer.enqueueNothing(trx);
        return pendingToken;
      });
    },
  };
}
