import type { FastifyInstance } from "fastify";
import { createAccountDeletion } from "#src/features/accounts/account-deletion.service.ts";
import { createAccountNotices } from "#src/features/accounts/account-notices.service.ts";
import { createAccountSessions } from "#src/features/accounts/account-sessions.service.ts";
import { accountUpkeepJob } from "#src/features/accounts/account-upkeep.job.ts";
import { createApiKeys } from "#src/features/accounts/api-keys.service.ts";
import { discordJob } from "#src/features/accounts/discord.job.ts";
import { createEmailChange } from "#src/features/accounts/email-change.service.ts";
import { createPasswordChange } from "#src/features/accounts/password-change.service.ts";
import type { Passwords } from "#src/features/accounts/passwords.ts";
import { auditVerificationJob } from "#src/features/audit/audit.jobs.ts";
import { mountAuditRoutes } from "#src/features/audit/audit.routes.ts";
import { profileMails } from "#src/features/accounts/profile-mails.ts";
import { mountProfileRoutes } from "#src/features/accounts/profile.routes.ts";
import { createProfileService } from "#src/features/accounts/profile.service.ts";
import { deriveKey } from "#src/platform/security/derived-key.ts";
import { addressChainKey } from "#src/platform/http/pipeline/audit-log.ts";
import { publicOrigin } from "#src/platform/http/listening-origin.ts";
import { createOutbound } from "#src/platform/http/outbound.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";
import { createSealer } from "#src/platform/security/sealing.ts";

export interface ProfilePart extends Feature {
  readonly plugins: readonly ((app: FastifyInstance) => Promise<void>)[];
  /** Where people open the console, without a slash at the end. */
  readonly consoleOrigin: () => string;
}

/** What people do with their own account once they are in it. */
export function composeProfile(platform: Platform, passwords: Passwords): ProfilePart {
  const { config, clock, db, jobs, mailer, log } = platform;
  const webhookSealer = createSealer(deriveKey(config.secret, "discord-webhooks"));
  const keySealer = createSealer(deriveKey(config.secret, "profile-api-keys"));
  const outbound = createOutbound({ timeoutMs: 10_000 });
  const { plugin: listening, origin: consoleOrigin } = publicOrigin(config);

  const notices = createAccountNotices({ mailer, jobs });
  const routes = {
    db,
    addressChainKey: addressChainKey(config.secret),
    deleteAccount: createAccountDeletion({ passwords, notices }),
    profile: createProfileService({ db, webhookSealer, discordInviteUrl: config.discordInviteUrl }),
    emailChange: createEmailChange({ db, mailer, notices, consoleOrigin }),
    changePassword: createPasswordChange({ db, passwords, notices }),
    sessions: createAccountSessions({ db }),
    apiKeys: createApiKeys({ db, keySealer, notices }),
  };

  return {
    mountRoutes(mount) {
      mountProfileRoutes(mount, routes);
      mountAuditRoutes(mount, { db });
    },
    jobs: [
      discordJob({ db, sealer: webhookSealer, outbound, log }),
      auditVerificationJob({ db, log }),
      accountUpkeepJob({ db, clock, notices }),
    ],
    mailTemplates: profileMails,
    plugins: [listening],
    consoleOrigin,
    stop: () => outbound.close(),
  };
}
