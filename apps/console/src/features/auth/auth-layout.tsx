import { Outlet } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { FullScreenLoader } from "#src/ui/loader.tsx";
import { Logo } from "#src/ui/logo.tsx";
import { LanguageSwitch, ThemeSwitch } from "#src/ui/preference-switches.tsx";
import { AuthPicture } from "./auth-picture.tsx";
import classes from "./auth-layout.module.css";

const loaderMs = 1000;
let loaderShown = false;

export function AuthLayout() {
  const loading = useFirstLoader();
  if (loading) return <FullScreenLoader />;
  return (
    <div className={classes["layout"]}>
      <div className={classes["side"]}>
        <header className={classes["head"]}>
          {/* The landing page is another document, so this is a plain link. */}
          <a href="/" className={classes["brand"]}>
            <Logo />
            Palisade
          </a>
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

/** Shows a loader for about a second, once per visit. */
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
