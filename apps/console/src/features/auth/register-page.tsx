import { Checkbox, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { authRoutes, registerBody } from "@palisade/contract/http/auth";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { call } from "#src/api/client.ts";
import { errorText, fieldIssues } from "#src/api/errors.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { paths } from "#src/lib/paths.ts";
import { NewPasswordFields } from "#src/ui/new-password-fields.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { AuthForm } from "./auth-form.tsx";
import { pendingEmail } from "./pending-email.ts";
import { useDelayedRedirect } from "./delayed-redirect.ts";

const redirectDelayMs = 1200;
const empty = {
  email: "",
  password: "",
  password_confirmation: "",
  accept_privacy_policy: false,
};

export function RegisterPage() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const redirectLater = useDelayedRedirect();
  const { form, field, submit, placeIssues } = useContractForm(registerBody, empty);
  const register = useMutation({
    mutationFn: (values: typeof empty) =>
      call(authRoutes.register, { body: { ...values, accept_privacy_policy: true } }),
    onSuccess: ({ data }, { email }) => {
      pendingEmail.store(email.trim());
      toast("success", data.message);
      redirectLater(() => void navigate({ to: paths.confirm }), redirectDelayMs);
    },
    onError: (error) => {
      if (!placeIssues(fieldIssues(error))) {
        toast("error", errorText(error, t`Registration failed`));
      }
    },
  });

  return (
    <AuthForm
      title={t`Register`}
      intro={<Trans>Protect a server on the free plan in a few minutes.</Trans>}
      submitLabel={t`Register`}
      busy={register.isPending || register.isSuccess}
      onSubmit={submit((values) => register.mutate(values))}
      foot={
        <Trans>
          Already have an account? <Link to={paths.login}>Sign in</Link>
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
      <NewPasswordFields
        size="md"
        repeatLabel={t`Repeat password`}
        label={t`Password`}
        password={form.getValues().password}
        field={field}
      />
      <Checkbox
        {...field("accept_privacy_policy", { type: "checkbox" })}
        label={
          <Trans>
            I accept the{" "}
            <a href={paths.terms} target="_blank">
              terms
            </a>{" "}
            and the{" "}
            <a href={paths.privacy} target="_blank">
              privacy policy
            </a>
          </Trans>
        }
      />
    </AuthForm>
  );
}
