import { authRoutes } from "@palisade/contract/http/auth";
import { call } from "#src/api/client.ts";
import { endSession, leaveView, readView } from "#src/api/session.ts";
import { keepPreferences } from "#src/lib/preferences.ts";
import { mayNavigate } from "#src/lib/navigation-guard.ts";

/** Logging out works without the api too: the token is forgotten either way. */
export async function logOut(): Promise<void> {
  if (!(await mayNavigate())) return;
  const view = readView();
  if (view !== undefined) return leaveView(view);
  await call(authRoutes.logout, {}).catch(() => undefined);
  endSession("logged_out");
  keepPreferences();
}
