import { useLingui } from "@lingui/react/macro";
import { Outlet, useLocation, useRouter } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { msg } from "@lingui/core/macro";
import type { MessageDescriptor } from "@lingui/core";
import { readView } from "#src/api/session.ts";
import { toast } from "#src/ui/toasts.tsx";
import { withTexts } from "./locale.ts";

/** The keys that `?message=` and `?error=` may hold. An address never brings a text of its own. */
const notices = {
  message: new Map<unknown, MessageDescriptor>([
    ["email_confirmed", msg`Email confirmed`],
    ["password_reset", msg`Password reset successfully`],
    ["email_updated", msg`Email updated successfully`],
    ["password_updated", msg`Password updated successfully`],
    ["view_ended", msg`The view has ended`],
  ]),
  error: new Map<unknown, MessageDescriptor>([
    ["session_expired", msg`Your session has expired. Please log in again.`],
    ["reset_expired", msg`Your password reset has expired. Please start again.`],
    ["two_factor_required", msg`Set up two-factor authentication first`],
  ]),
};

const ViewBanner = lazy(async () => {
  const banner = import("./staff/view-banner.tsx");
  return { default: (await withTexts("staff", banner)).ViewBanner };
});

export function Root() {
  useNotices();
  const view = readView();
  return (
    <>
      <Outlet />
      {view === undefined ? null : (
        <Suspense fallback={null}>
          <ViewBanner view={view} />
        </Suspense>
      )}
    </>
  );
}

/** Shows what the address was told to say, then takes it out of the address. */
function useNotices(): void {
  const { i18n } = useLingui();
  const router = useRouter();
  const { pathname, search, hash } = useLocation();
  useEffect(() => {
    const { message, error, ...rest }: Record<string, unknown> = search;
    if (message === undefined && error === undefined) return;
    const success = notices.message.get(message);
    const failure = notices.error.get(error);
    if (success) toast("success", i18n._(success));
    if (failure) toast("error", i18n._(failure));
    const kept = router.options.stringifySearch?.(rest) ?? "";
    void router.navigate({
      href: `${pathname}${kept}${hash === "" ? "" : `#${hash}`}`,
      replace: true,
      ignoreBlocker: true,
    });
  }, [pathname, search, hash, i18n, router]);
}
