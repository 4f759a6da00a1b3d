import { accountMails } from "#src/features/accounts/account-mails.ts";
import { findApiKeyActor } from "#src/features/accounts/api-keys.repository.ts";
import { mountAuthRoutes, type AuthRoutesDeps } from "#src/features/accounts/auth.routes.ts";
import { deleteOldConfirmations } from "#src/features/accounts/confirmations.repository.ts";
import { createPasswords } from "#src/features/accounts/passwords.ts";
import { createRegistrationService } from "#src/features/accounts/registration.service.ts";
import {
  deleteExpiredSessions,
  findSessionActor,
} from "#src/features/accounts/sessions.repository.ts";
import { createSessionService } from "#src/features/accounts/sessions.service.ts";
import { deleteUnconfirmedUsers } from "#src/features/accounts/users.repository.ts";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { totalCents } from "#src/features/ledger/money.service.ts";
import { deriveKey } from "#src/platform/derived-key.ts";
import type { UserAccess } from "#src/platform/http/authentication.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";

const dayMs = 86_400_000;

export interface AccountsPart extends Feature {
  readonly sessionAccess: UserAccess;
  readonly apiKeyAccess: UserAccess;
}

/** Users, sessions, API keys. */
export async function composeAccounts(
  platform: Platform,
  supportPlanOf: AuthRoutesDeps["supportPlanOf"],
): Promise<AccountsPart> {
  const { db, clock, mailer, failpoint } = platform;
  const passwords = await createPasswords();
  const codeKey = deriveKey(platform.config.secret, "mail-codes");
  const registration = createRegistrationService({ db, mailer, passwords, codeKey, failpoint });
  const sessions = createSessionService({ db, passwords });

  const balanceCentsOf = async (userId: string) => totalCents(await balanceOf(db, userId));

  const cleaning: JobDefinition<object> = {
    name: "accounts.clean",
    retryLimit: 2,
    retryDelaySeconds: 60,
    cron: "17 * * * *",
    async run() {
      const now = clock.now();
      await deleteExpiredSessions(db, now);
      await deleteOldConfirmations(db, new Date(now.getTime() - dayMs));
      await deleteUnconfirmedUsers(db, new Date(now.getTime() - 7 * dayMs));
    },
  };

  return {
    mountRoutes: (mount) =>
      mountAuthRoutes(mount, { registration, sessions, supportPlanOf, balanceCentsOf }),
    jobs: [cleaning],
    mailTemplates: accountMails,
    sessionAccess: (token, now) => findSessionActor(db, token, now),
    apiKeyAccess: (token, now) => findApiKeyActor(db, token, now),
  };
}
