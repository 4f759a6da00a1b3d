import { useLingui } from "@lingui/react/macro";
import classes from "./password-strength-bar.module.css";
import { strengthOf } from "./password-strength.ts";

/** Always there, so that nothing moves when typing begins. */
export function PasswordStrengthBar({ password }: { password: string }) {
  const { t } = useLingui();
  const strength = password === "" ? undefined : strengthOf(password);
  const words = { weak: t`Easy to guess`, fair: t`Fair`, strong: t`Hard to guess` };
  return (
    <div className={classes["bar"]} data-strength={strength}>
      <span className={classes["part"]} />
      <span className={classes["part"]} />
      <span className={classes["part"]} />
      <span className={classes["word"]} aria-live="polite">
        {strength === undefined ? "" : words[strength]}
      </span>
    </div>
  );
}
