import { useLingui } from "@lingui/react/macro";
import { Outlet, useLocation, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { toast } from "#src/ui/toasts.tsx";
import { noticeOf } from "./notices.ts";

export function Root() {
  useNotices();
  return <Outlet />;
}

/** Shows what the address was told to say, then takes it out of the address. */
function useNotices(): void {
  const { i18n } = useLingui();
  const router = useRouter();
  const { pathname, search, hash } = useLocation();
  useEffect(() => {
    const { message, error, ...rest }: Record<string, unknown> = search;
    if (message === undefined && error === undefined) return;
    const success = noticeOf("message", message);
    const failure = noticeOf("error", error);
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
