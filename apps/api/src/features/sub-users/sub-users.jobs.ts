import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import { deleteInvitationsBefore } from "./sub-users.repository.ts";

/** The owner can see for this long that an invitation expired; then the invitee's address is deleted. */
const keptMs = 30 * 86_400_000;

export function invitationCleaning(db: Db, clock: Clock): JobDefinition<object> {
  return {
    name: "sub-users.clean",
    retryLimit: 2,
    retryDelaySeconds: 60,
    cron: "41 * * * *",
    async run() {
      await deleteInvitationsBefore(db, new Date(clock.now().getTime() - keptMs));
    },
  };
}
