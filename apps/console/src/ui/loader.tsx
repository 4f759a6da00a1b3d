import { useLingui } from "@lingui/react/macro";
import { Logo } from "./logo.tsx";
import classes from "./loader.module.css";

/** Covers the whole window; only for the first load. */
export function FullScreenLoader() {
  const { t } = useLingui();
  return (
    <output className={classes["screen"]} aria-label={t`Loading`}>
      <span className={classes["mark"]}>
        <Logo size={36} />
      </span>
    </output>
  );
}
