import type { AccountNotices } from "#src/features/account-notices/account-notices.service.ts";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { totalCents } from "#src/features/ledger/money.service.ts";
import type { CallerMemory } from "#src/features/known-callers/known-callers.service.ts";
import type { PasskeyProofs } from "#src/features/passkeys/passkey-proof.service.ts";
import type { SecondFactor } from "#src/features/two-factor/second-factor.service.ts";
import type { TwoFactorService } from "#src/features/two-factor/two-factor.service.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";
import { deriveKey } from "#src/platform/security/derived-key.ts";
import type { Passwords } from "#src/platform/security/passwords.ts";
import { authMails } from "./auth-mails.ts";
import { deleteUnconfirmedUsers } from "./auth.repository.ts";
import { mountAuthRoutes, type AuthRoutesDeps } from "./auth.routes.ts";
import { deleteOldConfirmations } from "./confirmations.repository.ts";
import { createLoginCompletion } from "./login-completion.service.ts";
import { createLoginService } from "./login.service.ts";
import { createPasskeyLogin } from "./passkey-login.service.ts";
import { createPasswordChange } from "./password-change.service.ts";
import { mountPasswordResetRoutes } from "./password-reset.routes.ts";
import { createPasswordResetService } from "./password-reset.service.ts";
import { deleteOldResets } from "./password-resets.repository.ts";
import { createRegistrationService } from "./registration.service.ts";
import { createStepUp } from "./step-up.service.ts";

const dayMs = 86_400_000;

export interface AuthFeature extends Feature {
  readonly deleteOld: (now: Date) => Promise<void>;
}

export interface AuthDeps {
  readonly notices: AccountNotices;
  readonly passwords: Passwords;
  readonly callers: CallerMemory;
  readonly secondFactor: SecondFactor;
  readonly twoFactor: TwoFactorService;
  readonly passkeys: PasskeyProofs;
  readonly supportPlanOf: AuthRoutesDeps["supportPlanOf"];
}

/** Registration, login, passwords and the proof of identity before a risky change. */
export function createAuthFeature(platform: Platform, deps: AuthDeps): AuthFeature {
  const { db, mailer, failpoint, config } = platform;
  const { notices, passwords, callers, secondFactor, twoFactor, passkeys, supportPlanOf } = deps;
  const completeLogin = createLoginCompletion({ callers, notices });
  const routes: AuthRoutesDeps = {
    registration: createRegistrationService({
      db,
      mailer,
      passwords,
      codeKey: deriveKey(config.secret, "mail-codes"),
      failpoint,
    }),
    login: createLoginService({ db, passwords, completeLogin, secondFactor }),
    passkeyLogin: createPasskeyLogin({ db, callers, passkeys, completeLogin }),
    changePassword: createPasswordChange({ db, passwords, callers, notices }),
    stepUp: createStepUp({ db, passwords, twoFactor, passkeys }),
    supportPlanOf,
    balanceCentsOf: async (userId) => totalCents(await balanceOf(db, userId)),
  };
  const resets = createPasswordResetService({
    db,
    mailer,
    notices,
    passwords,
    callers,
    codeKey: deriveKey(config.secret, "reset-codes"),
  });
  return {
    mountRoutes(mount) {
      mountAuthRoutes(mount, routes);
      mountPasswordResetRoutes(mount, resets);
    },
    mailTemplates: authMails,
    async deleteOld(now) {
      await deleteOldConfirmations(db, new Date(now.getTime() - dayMs));
      await deleteOldResets(db, now);
      await deleteUnconfirmedUsers(db, new Date(now.getTime() - 7 * dayMs), now);
    },
  };
}
