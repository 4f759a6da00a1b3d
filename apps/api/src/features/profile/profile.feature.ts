import type { AccountNotices } from "#src/features/account-notices/account-notices.service.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";
import type { Sealer } from "#src/platform/security/sealing.ts";
import { emailChangeMails } from "./email-change-mails.ts";
import { createEmailChange } from "./email-change.service.ts";
import { deleteOldEmailChanges } from "./email-changes.repository.ts";
import { mountProfileRoutes } from "./profile.routes.ts";
import { createProfileService } from "./profile.service.ts";

export interface ProfileFeature extends Feature {
  readonly deleteOld: (now: Date) => Promise<void>;
}

/** Name, address, notification settings and the e-mail of an account. */
export function createProfileFeature(
  { db, config, mailer }: Platform,
  deps: {
    readonly notices: AccountNotices;
    readonly webhookSealer: Sealer;
    readonly consoleOrigin: () => string;
  },
): ProfileFeature {
  const { notices, webhookSealer, consoleOrigin } = deps;
  const contacts = {
    discordInviteUrl: config.discordInviteUrl,
    operatorEmail: config.operator.email,
  };
  const profile = createProfileService({ db, webhookSealer, contacts });
  const emailChange = createEmailChange({ db, mailer, notices, consoleOrigin });
  return {
    mountRoutes: (mount) => mountProfileRoutes(mount, { profile, emailChange }),
    mailTemplates: emailChangeMails,
    deleteOld: (now) => deleteOldEmailChanges(db, now),
  };
}
