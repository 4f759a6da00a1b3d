import { accountMails } from "#src/features/accounts/account-mails.ts";
import { createAccountNotices } from "#src/features/accounts/account-notices.service.ts";
import { findApiKeyActor } from "#src/features/accounts/api-keys.repository.ts";
import { mountAuthRoutes, type AuthRoutesDeps } from "#src/features/accounts/auth.routes.ts";
import { deleteOldConfirmations } from "#src/features/accounts/confirmations.repository.ts";
import { createPasswords, type Passwords } from "#src/features/accounts/passwords.ts";
import { mountPasswordResetRoutes } from "#src/features/accounts/password-reset.routes.ts";
import { createPasswordResetService } from "#src/features/accounts/password-reset.service.ts";
import { deleteOldResets } from "#src/features/accounts/password-resets.repository.ts";
import { createRegistrationService } from "#src/features/accounts/registration.service.ts";
import { createSecondFactor } from "#src/features/accounts/second-factor.ts";
import {
  deleteExpiredSessions,
  findSessionActor,
} from "#src/features/accounts/sessions.repository.ts";
import { createSessionService } from "#src/features/accounts/sessions.service.ts";
import { createStepUp } from "#src/features/accounts/step-up.service.ts";
import { forgetSealedCodes } from "#src/features/accounts/two-factor.repository.ts";
import { mountTwoFactorRoutes } from "#src/features/accounts/two-factor.routes.ts";
import {
  codesReadableMs,
  createTwoFactorService,
} from "#src/features/accounts/two-factor.service.ts";
import { deleteUnconfirmedUsers } from "#src/features/accounts/users.repository.ts";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { totalCents } from "#src/features/ledger/money.service.ts";
import { deriveKey } from "#src/platform/security/derived-key.ts";
import type { UserAccess } from "#src/platform/http/pipeline/authentication.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";
import { createSealer } from "#src/platform/security/sealing.ts";

const dayMs = 86_400_000;

export interface AccountsPart extends Feature {
  readonly sessionAccess: UserAccess;
  readonly apiKeyAccess: UserAccess;
  readonly passwords: Passwords;
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
  const notices = createAccountNotices({ mailer, jobs: platform.jobs });
  const resets = createPasswordResetService({
    db,
    mailer,
    notices,
    passwords,
    codeKey: deriveKey(platform.config.secret, "reset-codes"),
  });

  const sealer = createSealer(deriveKey(platform.config.secret, "two-factor"));
  const backupCodeKey = deriveKey(platform.config.secret, "backup-codes");
  const secondFactor = createSecondFactor({ db, sealer, codeKey: backupCodeKey });
  const twoFactor = createTwoFactorService({
    db,
    notices,
    sealer,
    codeKey: backupCodeKey,
    secondFactor,
  });
  const stepUp = createStepUp({ db, passwords, twoFactor });
  const sessions = createSessionService({ db, passwords, secondFactor });

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
      await deleteOldResets(db, now);
      await forgetSealedCodes(db, new Date(now.getTime() - codesReadableMs));
      await deleteUnconfirmedUsers(db, new Date(now.getTime() - 7 * dayMs), now);
    },
  };

  return {
    mountRoutes(mount) {
      mountAuthRoutes(mount, { registration, sessions, supportPlanOf, balanceCentsOf });
      mountPasswordResetRoutes(mount, resets);
      mountTwoFactorRoutes(mount, twoFactor, stepUp);
    },
    jobs: [cleaning],
    mailTemplates: accountMails,
    sessionAccess: (token, use) => findSessionActor(db, token, use),
    apiKeyAccess: (token, { now }) => findApiKeyActor(db, token, now),
    passwords,
  };
}
