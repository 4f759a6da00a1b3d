import { consolePaths } from "@palisade/contract/console-paths";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { violatesUnique } from "#src/platform/database/violation.ts";
import type { RequestContext, CustomerContext } from "#src/platform/http/pipeline/context.ts";
import { DomainError, fieldError } from "#src/platform/errors/domain-error.ts";
import { hashToken, newToken } from "#src/platform/security/tokens.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { Mailer } from "#src/platform/mail/mailer.ts";
import type { AccountNotices } from "#src/features/account-notices/account-notices.service.ts";
import {
  deleteEmailChange,
  deleteUnconfirmed,
  findChangeOwner,
  moveUser,
  saveEmailChange,
  takeEmailChange,
} from "./email-changes.repository.ts";
import {
  lockCaller,
  emailKeyOf,
  findUserByEmail,
  lockUser,
} from "#src/features/users/users.service.ts";
import { causeOfUnproven } from "#src/platform/mail/mail-details.ts";
import { endSessions } from "#src/features/sessions/sessions.service.ts";

const linkLifeMs = 86_400_000;

export interface EmailChangeDeps {
  readonly db: Db;
  readonly mailer: Mailer;
  readonly notices: AccountNotices;
  /** Origin of the console, for links. */
  readonly consoleOrigin: () => string;
}

/**
 * A new address becomes the account's once the link sent to it is opened. Only the owner of that
 * mailbox learns whether the address already has an account: both cases run the same statements,
 * send the same mails and get the same answer, and only one of the two links works.
 */
export function createEmailChange(deps: EmailChangeDeps) {
  return {
    async request(ctx: CustomerContext, email: string): Promise<void> {
      const { userId, email: current } = ctx.actor;
      if (emailKeyOf(email) === emailKeyOf(current)) throw fieldError("email", "email.same");
      const token = newToken("");
      const linkEnd = new Date(ctx.now.getTime() + linkLifeMs);
      await unitOfWork(ctx, async (trx) => {
        await lockCaller(trx, ctx.actor);
        const holder = await findUserByEmail(trx, email);
        // An unconfirmed registration proves nothing, so it does not block the address.
        const isTaken = holder !== undefined && holder.email_verified_at !== null;
        await saveEmailChange(trx, {
          user_id: userId,
          email,
          token_hash: hashToken(token),
          is_usable: !isTaken,
          created_at: ctx.now,
          expires_at: linkEnd,
        });
        const link = `${deps.consoleOrigin()}${consolePaths.confirmEmail}#token=${token}`;
        const cause = causeOfUnproven(ctx);
        await deps.mailer.enqueue(trx, {
          to: email,
          template: isTaken ? "accounts.email-taken" : "accounts.email-change",
          locale: ctx.locale,
          values: isTaken ? cause : { link, validUntil: linkEnd.toISOString(), ...cause },
          usefulUntil: linkEnd,
        });
        const to = { userId, email: current };
        await deps.notices.send(trx, ctx, to, "email-change-requested", { email });
      });
    },

    /** @throws DomainError `invalid_code`; `email_taken`, which only the owner of the mailbox sees */
    async confirm(ctx: Omit<RequestContext, "actor" | "shield">, token: string): Promise<void> {
      const tokenHash = hashToken(token);
      const owner = await findChangeOwner(deps.db, tokenHash);
      if (owner === undefined) throw invalidLink();
      ctx.auditAccount(owner);
      try {
        await unitOfWork(ctx, async (trx) => {
          // First, as a password change does: two orders of locks could wait for each other.
          await lockUser(trx, owner);
          const change = await takeEmailChange(trx, tokenHash, ctx.now);
          if (change === undefined) throw invalidLink();
          const { userId, newEmail, oldEmail } = change;
          await deleteUnconfirmed(trx, newEmail);
          await moveUser(trx, userId, newEmail);
          await endSessions(trx, userId);
          const to = { userId, email: oldEmail };
          await deps.notices.send(trx, ctx, to, "email-changed", { email: newEmail });
        });
      } catch (error) {
        if (!violatesUnique(error, "users_email_key_key")) throw error;
        throw new DomainError("email_taken", { cause: error });
      }
    },
  };
}

function invalidLink(): DomainError {
  return new DomainError("invalid_code", { text: "link.invalid" });
}

/** Voids the link that waits to be opened: an intruder may have asked for it. */
export function voidEmailChange(trx: Trx, userId: string): Promise<void> {
  return deleteEmailChange(trx, userId);
}
