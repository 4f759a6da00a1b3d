import { TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { passwordResetRoutes, resetPasswordBody } from "@palisade/contract/http/password-reset";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { errorText, fieldIssues, hasCode } from "#src/api/errors.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { paths } from "#src/lib/paths.ts";
import { NewPasswordFields } from "#src/ui/new-password-fields.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { AuthForm } from "./auth-form.tsx";
import classes from "./auth-form.module.css";
import { CodeInput } from "./code-input.tsx";
import { loginEmail } from "./login-email.ts";
import { pendingReset } from "./pending-reset.ts";
import { useDelayedRedirect } from "./delayed-redirect.ts";

const redirectDelayMs = 1200;

/**
 * Use it only below the guard that checks for a pending reset. After a reload the page asks for the
 * code again.
 */
export function NewPasswordPage() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const redirectLater = useDelayedRedirect();
  const [initial] = useState(() => ({
    email: pendingReset.readEmail() ?? "",
    code: pendingReset.readCode(),
    password: "",
    password_confirmation: "",
  }));
  const { form, field, submit, placeIssues } = useContractForm(resetPasswordBody, initial);
  const reset = useMutation({
    mutationFn: (body: typeof initial) => call(passwordResetRoutes.resetPassword, { body }),
    onSuccess: ({ data }, body) => {
      pendingReset.clear();
      loginEmail.keep(body.email);
      toast("success", data.message);
      redirectLater(() => void navigate({ to: paths.login }), redirectDelayMs);
    },
    onError: (error) => {
      if (hasCode(error, "invalid_code")) {
        // The code is used or expired: the user needs another one.
        toast("error", errorText(error, t`The code is invalid or has expired`));
        pendingReset.clearCode();
        void navigate({ to: paths.resetCode });
      } else if (!placeIssues(fieldIssues(error))) {
        toast("error", errorText(error, t`Failed to reset password`));
      }
    },
  });

  return (
    <AuthForm
      title={t`New password`}
      intro={
        <Trans>
          Saving signs you out on every device and revokes your API keys. Passkeys and two-factor
          authentication stay.
        </Trans>
      }
      submitLabel={t`Save password`}
      busy={reset.isPending || reset.isSuccess}
      onSubmit={submit((values) => reset.mutate(values))}
      foot={<Link to={paths.login}>{t`Back to login`}</Link>}
    >
      {/* Password managers save the new password under this name. */}
      <TextInput
        label={t`Email`}
        name="email"
        type="email"
        autoComplete="username"
        size="md"
        value={initial.email}
        readOnly
        classNames={{ input: classes["fixed"] ?? "" }}
      />
      {initial.code === "" && <CodeInput {...field("code")} label={t`Code`} />}
      <NewPasswordFields
        size="md"
        repeatLabel={t`Repeat password`}
        label={t`New password`}
        password={form.getValues().password}
        field={field}
      />
    </AuthForm>
  );
}
