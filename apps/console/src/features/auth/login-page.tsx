import { PasswordInput, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { loginBody } from "@palisade/contract/http/auth";
import { IconFingerprint } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { fieldIssues } from "#src/api/errors.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { passkeysWork } from "#src/lib/passkeys.ts";
import { paths } from "#src/lib/paths.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { useVisibilityLabel } from "#src/ui/visibility-label.ts";
import { AuthForm } from "./auth-form.tsx";
import classes from "./auth-form.module.css";
import { loginEmail } from "./login-email.ts";
import { useLogin, usePasskeyLogin, type Credentials } from "./login.ts";
import { TwoFactorStep } from "./two-factor-step.tsx";

/** E-mail and password, then a code if the account has two-factor on. */
export function LoginPage() {
  const [credentials, setCredentials] = useState<Credentials>(() => ({
    email: loginEmail.read(),
    password: "",
  }));
  const [codeRequired, setCodeRequired] = useState(false);
  if (codeRequired) {
    return <TwoFactorStep credentials={credentials} onLeave={() => setCodeRequired(false)} />;
  }
  return (
    <CredentialsStep
      email={credentials.email}
      onCodeRequired={(given) => {
        setCredentials(given);
        setCodeRequired(true);
      }}
    />
  );
}

interface CredentialsStepProps {
  readonly email: string;
  readonly onCodeRequired: (credentials: Credentials) => void;
}

function CredentialsStep({ email, onCodeRequired }: CredentialsStepProps) {
  const { t } = useLingui();
  const { field, submit, placeIssues } = useContractForm(loginBody, { email, password: "" });
  const login = useLogin({
    onCodeRequired,
    onRefused: (error) => placeIssues(fieldIssues(error)),
  });
  const passkey = usePasskeyLogin();
  const visibility = useVisibilityLabel();

  return (
    <AuthForm
      title={t({ message: "Log in", context: "heading" })}
      intro={<Trans>See your servers, their players and the attacks that were stopped.</Trans>}
      submitLabel={t`Log in`}
      busy={login.busy}
      onSubmit={submit((values) => login.submit(values))}
      secondary={
        passkeysWork() ? (
          <ActionButton
            variant="default"
            size="md"
            fullWidth
            leftSection={<IconFingerprint size={18} stroke={1.6} />}
            loading={passkey.busy}
            onClick={passkey.start}
          >
            <Trans>Log in with a passkey</Trans>
          </ActionButton>
        ) : null
      }
      foot={
        <div className={classes["links"]}>
          <Link to={paths.resetPassword}>{t`Forgot password?`}</Link>
          <span>
            <Trans>
              Don't have an account? <Link to={paths.register}>Register</Link>
            </Trans>
          </span>
        </div>
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
