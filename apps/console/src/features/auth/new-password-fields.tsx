import { PasswordInput } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import { PasswordStrengthBar } from "./password-strength-bar.tsx";
import { useVisibilityLabel } from "./visibility-label.ts";

type FieldName = "password" | "password_confirmation";

interface NewPasswordFieldsProps {
  readonly label: string;
  readonly password: string;
  readonly field: (name: FieldName) => object;
}

/** A password being chosen, and chosen again. */
export function NewPasswordFields({ label, password, field }: NewPasswordFieldsProps) {
  const { t } = useLingui();
  const visibility = useVisibilityLabel();
  return (
    <>
      <PasswordInput
        {...field("password")}
        label={label}
        description={t`At least 9 characters; a few unrelated words are fine.`}
        autoComplete="new-password"
        size="md"
        visibilityToggleButtonProps={visibility}
      />
      <PasswordStrengthBar password={password} />
      <PasswordInput
        {...field("password_confirmation")}
        label={t`Repeat password`}
        autoComplete="new-password"
        size="md"
        visibilityToggleButtonProps={visibility}
      />
    </>
  );
}
