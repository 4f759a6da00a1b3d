import { PasswordInput } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import { useVisibilityLabel } from "./visibility-label.ts";
import classes from "./password-strength-bar.module.css";
import { strengthOf } from "./password-strength.ts";

type FieldName = "password" | "password_confirmation";

interface NewPasswordFieldsProps {
  readonly label: string;
  readonly repeatLabel: string;
  readonly size?: "sm" | "md";
  readonly password: string;
  readonly field: (name: FieldName) => object;
}

/** Fields for a new password and its repetition. */
export function NewPasswordFields(props: NewPasswordFieldsProps) {
  const { label, repeatLabel, size = "sm", password, field } = props;
  const { t } = useLingui();
  const visibility = useVisibilityLabel();
  return (
    <>
      <PasswordInput
        {...field("password")}
        label={label}
        description={t`At least 9 characters; a few unrelated words are fine.`}
        autoComplete="new-password"
        size={size}
        visibilityToggleButtonProps={visibility}
      />
      <PasswordStrengthBar password={password} />
      <PasswordInput
        {...field("password_confirmation")}
        label={repeatLabel}
        autoComplete="new-password"
        size={size}
        visibilityToggleButtonProps={visibility}
      />
    </>
  );
}

/** Always rendered, so that nothing moves when typing begins. */
function PasswordStrengthBar({ password }: { password: string }) {
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
