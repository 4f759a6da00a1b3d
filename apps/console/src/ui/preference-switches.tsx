import { UnstyledButton } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import { IconMoon, IconSun } from "@tabler/icons-react";
import { useLocale, useTheme } from "#src/lib/preferences.ts";
import classes from "./preference-switches.module.css";

export function ThemeSwitch() {
  const { t } = useLingui();
  const { mode, toggle } = useTheme();
  const dark = mode === "dark";
  const Icon = dark ? IconMoon : IconSun;
  return (
    <UnstyledButton
      className={classes["switch"]}
      onClick={toggle}
      aria-label={dark ? t`Dark theme, switch to light` : t`Light theme, switch to dark`}
    >
      <Icon size={15} stroke={1.6} />
    </UnstyledButton>
  );
}

/** Shows the current language; the accessible name offers the other one in that language. */
export function LanguageSwitch() {
  const { locale, choose } = useLocale();
  const other = locale === "en" ? "ru" : "en";
  return (
    <UnstyledButton
      className={classes["switch"]}
      onClick={() => choose(other)}
      aria-label={locale === "en" ? "EN, переключить на русский" : "RU, switch to English"}
    >
      {locale.toUpperCase()}
    </UnstyledButton>
  );
}
