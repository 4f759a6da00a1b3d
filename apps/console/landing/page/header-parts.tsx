import { Trans, useLingui } from "@lingui/react/macro";
import { consolePaths } from "@palisade/contract/console-paths";
import { IconMoon, IconSun, IconUser } from "@tabler/icons-react";
import { useSyncExternalStore } from "react";
import { Logo } from "#src/ui/logo.tsx";
import { chooseLocale } from "../locale.ts";
import { toggleTheme, useThemeMode } from "../theme.ts";
import classes from "./header.module.css";

export function Brand() {
  return (
    <a className={classes["brand"]} href="/">
      <Logo />
      Palisade
    </a>
  );
}

interface LinksProps {
  readonly onFollow?: () => void;
}

/** The sections are on the landing page, also for links from the legal pages. */
export function Sections({ onFollow }: LinksProps) {
  return (
    <>
      <a href="/#prices" onClick={onFollow}>
        <Trans>Prices</Trans>
      </a>
      <a href="/#services" onClick={onFollow}>
        <Trans>Services</Trans>
      </a>
      <a href="/#protection" onClick={onFollow}>
        <Trans>About protection</Trans>
      </a>
      <a href="/#support" onClick={onFollow}>
        <Trans>Support</Trans>
      </a>
    </>
  );
}

export function AccountLinks({ onFollow }: LinksProps) {
  const { t } = useLingui();
  const signedIn = useSignedIn();
  return (
    <>
      {signedIn ? (
        <a className="button primary" href={consolePaths.dashboard} onClick={onFollow}>
          <Trans>Control panel</Trans>
        </a>
      ) : (
        <>
          <a className="button quiet" href={consolePaths.login} onClick={onFollow}>
            <Trans>Log in</Trans>
          </a>
          <a className="button primary" href={consolePaths.register} onClick={onFollow}>
            <Trans>Sign up</Trans>
          </a>
        </>
      )}
      <a
        className={classes["round"]}
        href={consolePaths.dashboard}
        aria-label={t`Dashboard`}
        onClick={onFollow}
      >
        <IconUser size={18} stroke={1.6} aria-hidden="true" />
      </a>
    </>
  );
}

/** The labels are those of the console. */
export function Switches() {
  const { t, i18n } = useLingui();
  const dark = useThemeMode() === "dark";
  const english = i18n.locale === "en";
  const Icon = dark ? IconMoon : IconSun;
  return (
    <div className={classes["switches"]}>
      <button
        type="button"
        onClick={toggleTheme}
        aria-label={dark ? t`Dark theme, switch to light` : t`Light theme, switch to dark`}
      >
        <Icon size={16} stroke={1.6} aria-hidden="true" />
      </button>
      <button
        type="button"
        onClick={() => chooseLocale(english ? "ru" : "en")}
        aria-label={english ? "EN, переключить на русский" : "RU, switch to English"}
      >
        {english ? "EN" : "RU"}
      </button>
    </div>
  );
}

/** Whether the console has stored an access token. The console checks whether it is still valid. */
function useSignedIn(): boolean {
  return useSyncExternalStore(subscribe, hasToken, () => false);
}

function hasToken(): boolean {
  try {
    return localStorage.getItem("access_token") !== null;
  } catch {
    return false;
  }
}

function subscribe(changed: () => void): () => void {
  globalThis.addEventListener("storage", changed);
  // A page from the back-forward cache has missed storage events.
  globalThis.addEventListener("pageshow", changed);
  return () => {
    globalThis.removeEventListener("storage", changed);
    globalThis.removeEventListener("pageshow", changed);
  };
}
