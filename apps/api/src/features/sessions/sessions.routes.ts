import { routes } from "@palisade/contract/http/routes";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import type { createSessions } from "./sessions.service.ts";

export function mountSessionRoutes(
  mount: Mount,
  sessions: ReturnType<typeof createSessions>,
): void {
  mount(routes.auth.logout, async (ctx) => {
    await sessions.logOut(ctx);
    return {
      body: { message: ctx.text("ok.logged_out") },
      // Not the cookies: by one of them the account knows the device again.
      headers: { "clear-site-data": '"storage"' },
    };
  });

  mount(routes.account.listSessions, async (ctx) => ({
    body: { sessions: await sessions.list(ctx) },
  }));

  mount(routes.account.revokeSession, async (ctx, { params }) => {
    await sessions.revoke(ctx, params.id);
    return { body: { message: ctx.text("ok.session_revoked") } };
  });

  mount(routes.account.revokeSessions, async (ctx) => {
    await sessions.revokeAll(ctx);
    return { body: { message: ctx.text("ok.sessions_revoked") } };
  });
}
