import { Trans, useLingui } from "@lingui/react/macro";
import { IconMoon, IconSun, IconUser } from "@tabler/icons-react";
import { Mark } from "#src/ui/mark.tsx";
import { chooseLocale } from "../locale.ts";
import { toggleTheme, useThemeMode } from "../theme.ts";
import { useSignedIn } from "../visitor.ts";
import classes from "./header.module.css";

export function Brand() {
  return (
    <a className={classes["brand"]} href="/">
      <Mark />
      Palisade
    </a>
  );
}

interface LinksProps {
  readonly onFollow?: () => void;
}

/** From the legal pages too: the sections are on the landing page. */
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
        <a className="button primary" href="/dashboard" onClick={onFollow}>
          <Trans>Control panel</Trans>
        </a>
      ) : (
        <>
          <a className="button quiet" href="/login" onClick={onFollow}>
            <Trans>Log in</Trans>
          </a>
          <a className="button primary" href="/register" onClick={onFollow}>
            <Trans>Sign up</Trans>
          </a>
        </>
      )}
      <a
        className={classes["round"]}
        href="/dashboard"
        aria-label={t`Dashboard`}
        onClick={onFollow}
      >
        <IconUser size={18} stroke={1.6} aria-hidden="true" />
      </a>
    </>
  );
}

/** Named as in the console. */
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
