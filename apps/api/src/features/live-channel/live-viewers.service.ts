import { hasStaffRole } from "@palisade/contract/http/staff-roles";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { LiveViewer } from "./live-viewer.ts";
import { selectSessionViewers, takeLiveToken } from "./live-tokens.repository.ts";

/** A query names at most this many sessions. */
const sessionsAtOnce = 1_000;
const nameCharactersMax = 40;

export function createLiveViewers({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  async function ofSessions(ids: readonly string[]): Promise<Map<string, LiveViewer>> {
    const viewers = new Map<string, LiveViewer>();
    for (let from = 0; from < ids.length; from += sessionsAtOnce) {
      const part = ids.slice(from, from + sessionsAtOnce);
      for (const row of await selectSessionViewers(db, part, clock.now())) {
        const isTrusted = row.role === "staff" && row.two_factor_enabled_at !== null;
        viewers.set(row.session_id, {
          userId: row.user_id,
          sessionId: row.session_id,
          isStaff: isTrusted && hasStaffRole(row.staff_roles, ["support", "billing"]),
          name: (row.first_name ?? row.email).slice(0, nameCharactersMax),
        });
      }
    }
    return viewers;
  }

  return {
    /** The viewers of the sessions that still live, by session. */
    ofSessions,
    /** Uses the token up. */
    async ofToken(token: string): Promise<LiveViewer | "unknown" | "expired"> {
      const taken = await takeLiveToken(db, token);
      if (taken === undefined) return "unknown";
      if (taken.expires_at <= clock.now()) return "expired";
      return (await ofSessions([taken.session_id])).get(taken.session_id) ?? "expired";
    },
  };
}

export type LiveViewers = ReturnType<typeof createLiveViewers>;
