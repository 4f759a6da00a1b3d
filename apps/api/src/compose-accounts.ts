import type { AuthRoutesDeps } from "#src/features/auth/auth.routes.ts";
import { createAccountLifecycleFeature } from "#src/features/account-lifecycle/account-lifecycle.feature.ts";
import { createAccountNoticesFeature } from "#src/features/account-notices/account-notices.feature.ts";
import { createApiKeysFeature } from "#src/features/api-keys/api-keys.feature.ts";
import { createAuditFeature } from "#src/features/audit/audit.feature.ts";
import { createAuthFeature } from "#src/features/auth/auth.feature.ts";
import { createCallerMemory } from "#src/features/known-callers/known-callers.service.ts";
import { createPasskeysFeature } from "#src/features/passkeys/passkeys.feature.ts";
import { createProfileFeature } from "#src/features/profile/profile.feature.ts";
import { createSessionsFeature } from "#src/features/sessions/sessions.feature.ts";
import { createStaffViewsFeature } from "#src/features/staff-views/staff-views.feature.ts";
import { createTwoFactorFeature } from "#src/features/two-factor/two-factor.feature.ts";
import type { AccountNotices } from "#src/features/account-notices/account-notices.service.ts";
import type { UserAccess } from "#src/platform/http/pipeline/authentication.ts";
import type { KnownCallers } from "#src/platform/http/pipeline/known-callers.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";
import { deriveKeys } from "#src/platform/security/derived-key.ts";
import { createPasswords } from "#src/platform/security/passwords.ts";

export interface AccountsPart {
  readonly features: readonly Feature[];
  readonly sessionAccess: UserAccess;
  readonly apiKeyAccess: UserAccess;
  readonly viewAccess: UserAccess;
  readonly knownCallers: KnownCallers;
  readonly notices: AccountNotices;
}

/** Everything about an account itself: logging in, sessions, keys, profile, audit log. */
export async function composeAccounts(
  platform: Platform,
  deps: {
    readonly supportPlanOf: AuthRoutesDeps["supportPlanOf"];
    readonly consoleOrigin: () => string;
  },
): Promise<AccountsPart> {
  const { supportPlanOf, consoleOrigin } = deps;
  const passwords = await createPasswords();
  const accountNotices = createAccountNoticesFeature(platform, consoleOrigin);
  const { notices, webhookSealer } = accountNotices;
  const sessions = createSessionsFeature(platform);
  const apiKeys = createApiKeysFeature(platform, notices);
  const twoFactor = createTwoFactorFeature(platform, notices, passwords);
  const callers = createCallerMemory({
    db: platform.db,
    cookieKeys: deriveKeys(platform.config, "device-cookies"),
  });
  const passkeys = createPasskeysFeature(
    platform,
    { notices, backupCodes: twoFactor.backupCodes },
    consoleOrigin,
  );
  const auth = createAuthFeature(platform, {
    ...twoFactor,
    passkeys: passkeys.passkeyProofs,
    notices,
    passwords,
    callers,
    supportPlanOf,
  });
  const profile = createProfileFeature(platform, { notices, webhookSealer, consoleOrigin });
  const staffViews = createStaffViewsFeature(platform);
  const lifecycle = createAccountLifecycleFeature(platform, {
    notices,
    passwords,
    deleteOld: [sessions, staffViews, callers, auth, twoFactor, passkeys, profile].map(
      ({ deleteOld }) => deleteOld,
    ),
  });
  return {
    features: [
      accountNotices,
      sessions,
      apiKeys,
      twoFactor,
      passkeys,
      auth,
      profile,
      lifecycle,
      staffViews,
      createAuditFeature(platform),
    ],
    sessionAccess: sessions.sessionAccess,
    apiKeyAccess: apiKeys.apiKeyAccess,
    viewAccess: staffViews.viewAccess,
    notices,
    knownCallers: callers,
  };
}
