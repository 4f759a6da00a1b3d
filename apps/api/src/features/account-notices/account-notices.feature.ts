import { selectNodeAddresses } from "#src/features/liveness/liveness.service.ts";
import { createOutbound } from "#src/platform/http/outbound.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";
import { deriveKeys } from "#src/platform/security/derived-key.ts";
import { createSealer, type Sealer } from "#src/platform/security/sealing.ts";
import { createAccountNotices, type AccountNotices } from "./account-notices.service.ts";
import { discordJob } from "./discord.job.ts";
import { noticeMails } from "./notice-mails.ts";

export interface AccountNoticesFeature extends Feature {
  readonly notices: AccountNotices;
  /** Seals and opens the addresses of Discord webhooks. */
  readonly webhookSealer: Sealer;
}

/** Tells users by mail and in Discord what happened to their account. */
export function createAccountNoticesFeature(
  platform: Platform,
  consoleOrigin: () => string,
): AccountNoticesFeature {
  const { config, db, jobs, mailer, log } = platform;
  const webhookSealer = createSealer(deriveKeys(config, "discord-webhooks"));
  const outbound = createOutbound({
    timeoutMs: 10_000,
    refusedAddresses: () => selectNodeAddresses(db),
    ownOrigins: () => [consoleOrigin()],
  });
  return {
    mountRoutes: () => undefined,
    jobs: [discordJob({ db, sealer: webhookSealer, outbound, log })],
    mailTemplates: noticeMails,
    notices: createAccountNotices({ mailer, jobs }),
    webhookSealer,
    stop: () => outbound.close(),
  };
}
