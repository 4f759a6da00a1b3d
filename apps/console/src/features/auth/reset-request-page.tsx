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
import { pendingReset } from "./pending-reset.ts";
import { useDelayedRedirect } from "./delayed-redirect.ts";

const redirectDelayMs = 1000;
const { forgotPassword } = passwordResetRoutes;

export function ResetRequestPage() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const redirectLater = useDelayedRedirect();
  const { form, field, submit, placeIssues } = useContractForm(forgotPassword.body, { email: "" });
  const request = useMutation({
    mutationFn: (body: { email: string }) => call(forgotPassword, { body }),
    onSuccess: ({ data }, { email }) => {
      pendingReset.storeEmail(email.trim());
      toast("success", data.message);
      redirectLater(() => void navigate({ to: paths.resetCode }), redirectDelayMs);
    },
    onError: (error) => {
      if (!placeIssues(fieldIssues(error))) {
        toast("error", errorText(error, t`Failed to send the reset code. Please try again later.`));
      }
    },
  });

  const sayWhatIsMissing = () => {
    if (form.getValues().email.trim() === "") toast("error", t`Please enter your email.`);
  };

  return (
    <AuthForm
      title={t`Reset password`}
      intro={<Trans>Enter your email and we will send you a code for a new password.</Trans>}
      submitLabel={t`Send code`}
      busy={request.isPending || request.isSuccess}
      onSubmit={submit((values) => request.mutate(values), sayWhatIsMissing)}
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
    </AuthForm>
  );
}
