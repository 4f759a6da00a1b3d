import { PasswordInput } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import { PasswordStrengthBar } from "./password-strength-bar.tsx";
import { useVisibilityLabel } from "./visibility-label.ts";

type FieldName = "password" | "password_confirmation";

interface NewPasswordFieldsProps {
  readonly label: string;
  readonly repeatLabel: string;
  readonly size?: "sm" | "md";
  readonly password: string;
  readonly field: (name: FieldName) => object;
}

/** A password being chosen, and chosen again. */
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
