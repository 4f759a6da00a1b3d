import { TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { passwordResetRoutes } from "@palisade/contract/http/password-reset";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { call } from "#src/api/client.ts";
import { errorText, fieldIssues } from "#src/api/errors.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { paths } from "#src/lib/paths.ts";
import { toast } from "#src/ui/toasts.tsx";
import { AuthForm } from "./auth-form.tsx";
import { CodeInput } from "./code-input.tsx";
import { pendingReset } from "./pending-reset.ts";
import { ResendButton } from "./resend-button.tsx";
import { useDelayedRedirect } from "./delayed-redirect.ts";

const redirectDelayMs = 1000;
const { verifyResetCode } = passwordResetRoutes;

export function ResetCodePage() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const redirectLater = useDelayedRedirect();
  const { form, field, submit, placeIssues } = useContractForm(verifyResetCode.body, {
    email: pendingReset.readEmail() ?? "",
    code: "",
  });
  const verify = useMutation({
    mutationFn: (body: { email: string; code: string }) => call(verifyResetCode, { body }),
    onSuccess: ({ data }, { email, code }) => {
      pendingReset.storeVerified(email.trim(), code.trim());
      toast("success", data.message);
      redirectLater(() => void navigate({ to: paths.newPassword }), redirectDelayMs);
    },
    onError: (error) => {
      if (!placeIssues(fieldIssues(error))) {
        toast("error", errorText(error, t`The code is invalid or has expired`));
      }
    },
  });

  return (
    <AuthForm
      title={t`Enter the reset code`}
      intro={<Trans>We sent you the code by e-mail. It is valid for 10 minutes.</Trans>}
      submitLabel={t`Continue`}
      busy={verify.isPending || verify.isSuccess}
      onSubmit={submit((values) => verify.mutate(values))}
      secondary={
        <ResendButton
          purpose="reset"
          email={() => form.getValues().email}
          missing={t`Enter your email first.`}
        />
      }
      foot={<Link to={paths.login}>{t`Back to login`}</Link>}
    >
      <TextInput
        {...field("email")}
        label={t`Email`}
        type="email"
        autoComplete="username"
        inputMode="email"
        size="md"
      />
      <CodeInput {...field("code")} label={t`Code`} />
    </AuthForm>
  );
}
