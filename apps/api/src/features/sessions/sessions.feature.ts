import type { UserAccess } from "#src/platform/http/pipeline/authentication.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";
import { deleteExpiredSessions, findSessionActor } from "./sessions.repository.ts";
import { mountSessionRoutes } from "./sessions.routes.ts";
import { createSessions } from "./sessions.service.ts";

export interface SessionsFeature extends Feature {
  readonly sessionAccess: UserAccess;
  readonly deleteOld: (now: Date) => Promise<void>;
}

/** The sessions of a user: looked up for each call, listed and ended. */
export function createSessionsFeature({ db }: Pick<Platform, "db">): SessionsFeature {
  const sessions = createSessions({ db });
  return {
    mountRoutes: (mount) => mountSessionRoutes(mount, sessions),
    sessionAccess: (token, use) => findSessionActor(db, token, use),
    deleteOld: (now) => deleteExpiredSessions(db, now),
  };
}
