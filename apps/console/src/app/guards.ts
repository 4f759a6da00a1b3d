import { redirect } from "@tanstack/react-router";
import { currentUserQuery } from "#src/api/current-user.ts";
import { statusOf } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { readToken } from "#src/api/session.ts";
import { safeNextPath } from "#src/lib/next-path.ts";

const redirectDelayMs = 50;

/** The dashboard area: waits until the user is loaded, or sends to /login and back afterwards. */
export async function requireUser(href: string): Promise<void> {
  if (readToken() !== null) {
    try {
      await queryClient.ensureQueryData({ ...currentUserQuery, revalidateIfStale: true });
      return;
    } catch (error) {
      // Not a refusal: the error screen offers another try, the session stays.
      if (statusOf(error) !== 401) throw error;
    }
  }
  await pause();
  throw redirect({ to: "/login", search: { next: safeNextPath(href) ?? undefined } });
}

/** Pages for signed-out people: with a working session they lead on to the dashboard. */
export async function requireNoUser(next: string | undefined): Promise<void> {
  if (readToken() === null) return;
  try {
    await queryClient.ensureQueryData(currentUserQuery);
  } catch {
    return;
  }
  await pause();
  throw redirect({ href: safeNextPath(next) ?? "/dashboard" });
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, redirectDelayMs);
  });
}
