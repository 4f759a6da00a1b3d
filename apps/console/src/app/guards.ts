import { profilePath } from "@palisade/contract/console-paths";
import { notFound, redirect } from "@tanstack/react-router";
import type { CurrentUser } from "@palisade/contract/http/auth";
import { currentUserQuery } from "#src/api/current-user.ts";
import { statusOf } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { readToken } from "#src/api/session.ts";
import { safeNextPath } from "#src/lib/next-path.ts";
import { paths } from "#src/lib/paths.ts";

const redirectDelayMs = 50;

/** The page that sets up two-factor authentication, with the reason for the redirect. */
export const twoFactorSetUp = `${profilePath("security")}&error=two_factor_required`;

interface Target {
  readonly href: string;
  readonly pathname: string;
}

/** Guards the dashboard: waits for the user, or redirects to /login and back after the login. */
export async function requireUser({ href, pathname }: Target): Promise<CurrentUser> {
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
  return user;
}

/** Guards the staff area: for everyone else, there is no such page. */
export async function requireStaff(target: Target): Promise<void> {
  const user = await requireUser(target);
  if (user.role !== "staff") throw notFound();
}

/** Guards pages for signed-out users: a working session redirects to the dashboard. */
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

/** Null without a session. Other errors are thrown: the error screen offers another try. */
async function loadUser() {
  if (readToken() === null) return null;
  try {
    return await queryClient.ensureQueryData({ ...currentUserQuery, revalidateIfStale: true });
  } catch (error) {
    if (statusOf(error) === 401) return null;
    throw error;
  }
}

/** Staff must have two-factor on. The cached user may be from before they set it up. */
async function stillLacksTwoFactor(): Promise<boolean> {
  const user = await queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 });
  return user.two_factor_required;
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, redirectDelayMs);
  });
}
