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
 * The webhook was deleted there or its token is void: no try will ever succeed. Not 403: that may
 * be said to our address, whoever's webhook it is.
 */
const goneStatuses = new Set([401, 404, 410]);

/**
 * Writes an account notice into the user's Discord channel. Read late: a webhook taken back
 * meanwhile gets nothing. Its address is a secret and stands in no log.
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
        // Whatever a name in it looks like, it rings nobody.
        allowed_mentions: { parse: [] },
      });
      if (status >= 200 && status < 300) return;
      if (!goneStatuses.has(status)) throw new Error(`Discord answered ${status}`);
      await removeWebhook(deps.db, userId, row.sealed_webhook);
      deps.log.warn({ userId, status }, "A Discord webhook is gone and was removed");
    },
  };
}
