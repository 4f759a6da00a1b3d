import { profilePath } from "@palisade/contract/console-paths";
import { redirect } from "@tanstack/react-router";
import { currentUserQuery } from "#src/api/current-user.ts";
import { statusOf } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { readToken } from "#src/api/session.ts";
import { safeNextPath } from "#src/lib/next-path.ts";
import { paths } from "#src/lib/paths.ts";

const redirectDelayMs = 50;

/** Where two-factor is set up, with the reason why one was led there. */
export const twoFactorSetUp = `${profilePath("security")}&error=two_factor_required`;

interface Place {
  readonly href: string;
  readonly pathname: string;
}

/** The dashboard area: waits until the user is loaded, or sends to /login and back afterwards. */
export async function requireUser({ href, pathname }: Place): Promise<void> {
  const hadSession = readToken() !== null;
  const user = await loadUser();
  if (user === null) {
    await pause();
    const error = hadSession ? "session_expired" : undefined;
    throw redirect({ to: paths.login, search: { next: safeNextPath(href) ?? undefined, error } });
  }
  if (user.two_factor_required && pathname !== paths.profile && (await stillLacksTwoFactor())) {
    throw redirect({ href: twoFactorSetUp });
  }
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
  throw redirect({ href: safeNextPath(next) ?? paths.dashboard });
}

/** Null without a session. Other failures are none of it: the error screen offers another try. */
async function loadUser() {
  if (readToken() === null) return null;
  try {
    return await queryClient.ensureQueryData({ ...currentUserQuery, revalidateIfStale: true });
  } catch (error) {
    if (statusOf(error) === 401) return null;
    throw error;
  }
}

/** Staff must have it; what was loaded may be from before they set it up. */
async function stillLacksTwoFactor(): Promise<boolean> {
  const user = await queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 });
  return user.two_factor_required;
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, redirectDelayMs);
  });
}
