import { useLingui } from "@lingui/react/macro";
import { Outlet, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { FullScreenLoader } from "#src/ui/loader.tsx";
import { Mark } from "#src/ui/mark.tsx";
import { LanguageSwitch, ThemeSwitch } from "#src/ui/preference-switches.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { AuthPicture } from "./auth-picture.tsx";
import classes from "./auth-layout.module.css";
import { notices } from "./notices.ts";

const loaderMs = 1000;
let loaderShown = false;

export function AuthLayout() {
  const loading = useFirstLoader();
  useNotices();
  if (loading) return <FullScreenLoader />;
  return (
    <div className={classes["layout"]}>
      <div className={classes["side"]}>
        <header className={classes["head"]}>
          <span className={classes["brand"]}>
            <Mark />
            Palisade
          </span>
          <ThemeSwitch />
          <LanguageSwitch />
        </header>
        <main className={classes["main"]}>
          <Outlet />
        </main>
      </div>
      <AuthPicture />
    </div>
  );
}

/** A loader for about a second, once per visit: between login and register nothing waits. */
function useFirstLoader(): boolean {
  const [loading, setLoading] = useState(!loaderShown);
  useEffect(() => {
    if (!loading) return undefined;
    const timer = setTimeout(() => {
      loaderShown = true;
      setLoading(false);
    }, loaderMs);
    return () => clearTimeout(timer);
  }, [loading]);
  return loading;
}

/** Shows what the address was told to say, then takes it out of the address. */
function useNotices(): void {
  const { i18n } = useLingui();
  const { message, error } = useSearch({ from: "/auth" });
  const navigate = useNavigate();
  useEffect(() => {
    if (message === undefined && error === undefined) return;
    const success = message === undefined ? undefined : notices.message[message];
    const failure = error === undefined ? undefined : notices.error[error];
    if (success) toast("success", i18n._(success));
    if (failure) toast("error", i18n._(failure));
    void navigate({
      to: ".",
      search: (all: Record<string, unknown>) => ({ ...all, message: undefined, error: undefined }),
      replace: true,
    });
  }, [message, error, i18n, navigate]);
}
