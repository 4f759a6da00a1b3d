import { z } from "zod";
import type { Logger } from "pino";
import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import type { Outbound } from "#src/platform/http/outbound.ts";
import type { Sealer } from "#src/platform/security/sealing.ts";
import { removeWebhook, selectWebhook } from "./account-notices.repository.ts";

export const discordJobName = "accounts.discord";

/** Discord's own limit of a message. */
const contentMax = 2_000;
const jobData = z.object({ userId: z.uuid(), content: z.string() });

/**
 * The webhook was deleted in Discord or its token is void, so no try can succeed. 403 is not among
 * them: Discord may refuse our address for every webhook.
 */
const goneStatuses = new Set([401, 404, 410]);

/**
 * Writes an account notice into the user's Discord channel. The webhook is read when the job runs,
 * so one that was removed gets nothing. Its address is a secret and appears in no log.
 */
export function discordJob(deps: {
  readonly db: Db;
  readonly sealer: Sealer;
  readonly outbound: Outbound;
  readonly log: Logger;
}): JobDefinition<object> {
  return {
    name: discordJobName,
    retryLimit: 8,
    retryDelaySeconds: 5,
    async run(data) {
      const { userId, content } = jobData.parse(data);
      const row = await selectWebhook(deps.db, userId);
      if (row?.sealed_webhook == null) return;
      const status = await deps.outbound.postJson(deps.sealer.open(row.sealed_webhook, userId), {
        content: content.slice(0, contentMax),
        // A name in the notice may look like a mention: it must not notify anyone.
        allowed_mentions: { parse: [] },
      });
      if (status >= 200 && status < 300) return;
      if (!goneStatuses.has(status)) throw new Error(`Discord answered ${status}`);
      await removeWebhook(deps.db, userId, row.sealed_webhook);
      deps.log.warn({ userId, status }, "A Discord webhook is gone and was removed");
    },
  };
}
