import type { Clock } from "#src/platform/clock/clock.ts";
import type { Feature } from "#src/platform/platform.ts";
import { subUserMails } from "./sub-user-mails.ts";
import { invitationCleaning } from "./sub-users.jobs.ts";
import {
  mountInvitationRoutes,
  mountSubUserRoutes,
  type SubUsersRoutesDeps,
} from "./sub-users.routes.ts";

export function createSubUsersFeature(
  deps: SubUsersRoutesDeps & { readonly clock: Clock },
): Feature {
  return {
    mountRoutes(mount) {
      mountSubUserRoutes(mount, deps);
      mountInvitationRoutes(mount, deps);
    },
    jobs: [invitationCleaning(deps.db, deps.clock)],
    mailTemplates: subUserMails,
  };
}
