import { PasswordInput, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { loginBody } from "@palisade/contract/http/auth";
import { Link } from "@tanstack/react-router";
import { useContractForm } from "#src/lib/form.ts";
import { AuthForm } from "./auth-form.tsx";
import { useLogin } from "./login.ts";
import { useVisibilityLabel } from "./visibility-label.ts";

export function LoginPage() {
  const { t } = useLingui();
  const { field, submit, placeIssues } = useContractForm(loginBody, { email: "", password: "" });
  const login = useLogin(placeIssues);
  const visibility = useVisibilityLabel();

  return (
    <AuthForm
      title={t`Log in`}
      intro={<Trans>Your servers, their players and what was kept away.</Trans>}
      submitLabel={t`Log in`}
      busy={login.isPending || login.isSuccess}
      onSubmit={submit((values) => login.mutate(values))}
      foot={
        <Trans>
          Don't have an account? <Link to="/register">Register</Link>
        </Trans>
      }
    >
      <TextInput
        {...field("email")}
        label={t`Email`}
        type="email"
        autoComplete="username"
        inputMode="email"
        size="md"
      />
      <PasswordInput
        {...field("password")}
        label={t`Password`}
        autoComplete="current-password"
        size="md"
        visibilityToggleButtonProps={visibility}
      />
    </AuthForm>
  );
}
