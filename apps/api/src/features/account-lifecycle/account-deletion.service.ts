import type { TextKey } from "@palisade/contract/texts/en";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { formatCents, totalCents } from "#src/features/ledger/money.service.ts";
import { forgetCards } from "#src/features/payment-methods/forget-cards.service.ts";
import { forgetInboundMails } from "#src/features/ticket-mail/inbound-mails.service.ts";
import { forgetTickets } from "#src/features/tickets/tickets.service.ts";
import type { Jobs } from "#src/platform/jobs/jobs.ts";
import type { Trx } from "#src/platform/database/db.ts";
import { DomainError, fieldError } from "#src/platform/errors/domain-error.ts";
import { newToken } from "#src/platform/security/tokens.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import {
  hasOpenPayment,
  hasShields,
  lockUserWhole,
  removePerson,
} from "./account-deletion.repository.ts";
import type { AccountNotices } from "#src/features/account-notices/account-notices.service.ts";
import type { Passwords } from "#src/platform/security/passwords.ts";
import type { CustomerContext } from "#src/platform/http/pipeline/context.ts";
import { lockCaller, emailKeyOf } from "#src/features/users/users.service.ts";

export interface AccountDeletionDeps {
  readonly passwords: Passwords;
  readonly notices: AccountNotices;
  readonly jobs: Jobs;
}

/**
 * Deletes the personal data and keeps the accounting: ledger, payments and deleted shields stay
 * under an id without a name. The account's audit log stays complete; this call is its last row.
 */
export function createAccountDeletion({ passwords, notices, jobs }: AccountDeletionDeps) {
  return async (ctx: CustomerContext, typedEmail: string): Promise<void> => {
    const { userId } = ctx.actor;
    const passwordHash = await passwords.hash(newToken(""));
    await unitOfWork(ctx, async (trx) => {
      const user = await lockUserWhole(trx, userId);
      await lockCaller(trx, ctx.actor);
      if (emailKeyOf(typedEmail) !== user.email_key) throw fieldError("email", "email.typed");
      await requireNothingOpen(trx, userId);
      await notices.send(trx, ctx, { userId, email: user.email }, "account-deleted");
      await forgetCards(trx, jobs, userId);
      await forgetInboundMails(trx, userId);
      await forgetTickets(trx, userId);
      await removePerson(trx, userId, { passwordHash, now: ctx.now });
    });
  };
}

/** @throws DomainError `conflict` with what has to be settled first */
async function requireNothingOpen(trx: Trx, userId: string): Promise<void> {
  if (await hasShields(trx, userId)) throw refused("account.has_shields");
  if (await hasOpenPayment(trx, userId)) throw refused("account.has_payment");
  const cents = totalCents(await balanceOf(trx, userId));
  if (cents === 0) return;
  throw refused(cents > 0 ? "account.has_balance" : "account.has_debt", {
    balance: formatCents(cents),
  });
}

function refused(text: TextKey, values: Record<string, string> = {}): DomainError {
  return new DomainError("conflict", { text, values });
}
