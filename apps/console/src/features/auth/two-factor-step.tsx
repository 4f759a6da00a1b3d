import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { oneTimeCode } from "@palisade/contract/http/fields";
import { useState } from "react";
import { z } from "zod";
import { errorText, hasCode } from "#src/api/errors.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { toast } from "#src/ui/toasts.tsx";
import { AuthForm } from "./auth-form.tsx";
import { TextButton } from "#src/ui/text-button.tsx";
import { CodeInput } from "./code-input.tsx";
import { useLogin, type Credentials } from "./login.ts";

const codeSchema = z.object({ two_factor_code: oneTimeCode });
type CodeKind = "authenticator" | "backup";

interface TwoFactorStepProps {
  readonly credentials: Credentials;
  /** Returns to e-mail and password. */
  readonly onLeave: () => void;
}

/** The second step of the login. A wrong code is reported beside its field. */
export function TwoFactorStep(props: TwoFactorStepProps) {
  const [kind, setKind] = useState<CodeKind>("authenticator");
  // The key resets the form, and its error, when the kind of code changes.
  return <CodeForm key={kind} kind={kind} onChoose={setKind} {...props} />;
}

interface CodeFormProps extends TwoFactorStepProps {
  readonly kind: CodeKind;
  readonly onChoose: (kind: CodeKind) => void;
}

function CodeForm({ kind, onChoose, credentials, onLeave }: CodeFormProps) {
  const { t } = useLingui();
  const { field, submit, placeIssues } = useContractForm(codeSchema, { two_factor_code: "" });
  const login = useLogin({
    onCodeRequired: () => undefined,
    onRefused: (error) => {
      if (hasCode(error, "invalid_credentials")) {
        // The password has changed since the first step.
        toast("error", errorText(error, t`Login failed`));
        onLeave();
        return true;
      }
      const wrong = hasCode(error, "invalid_code") || hasCode(error, "validation_failed");
      return wrong && placeIssues({ two_factor_code: errorText(error, t`Login failed`) });
    },
  });
  const isBackup = kind === "backup";

  return (
    <AuthForm
      title={t`Two-factor authentication`}
      intro={
        isBackup ? (
          <Trans>Enter one of the backup codes you saved. Each works once.</Trans>
        ) : (
          <Trans>Enter the 6-digit code your authenticator app shows.</Trans>
        )
      }
      submitLabel={t`Log in`}
      busy={login.busy}
      onSubmit={submit((values) => login.submit({ ...credentials, ...values }))}
      secondary={
        <Button variant="default" onClick={() => onChoose(isBackup ? "authenticator" : "backup")}>
          {isBackup ? t`Use the authenticator app` : t`Use a backup code`}
        </Button>
      }
      foot={<TextButton onClick={onLeave}>{t`Back to login`}</TextButton>}
    >
      <CodeInput
        {...field("two_factor_code")}
        label={isBackup ? t`Backup code` : t`Authentication code`}
        inputMode={isBackup ? "text" : "numeric"}
      />
    </AuthForm>
  );
}
