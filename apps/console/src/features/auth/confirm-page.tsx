import { Trans, useLingui } from "@lingui/react/macro";
import { authRoutes, verifyEmailBody } from "@palisade/contract/http/auth";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { errorText, fieldIssues } from "#src/api/errors.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { paths } from "#src/lib/paths.ts";
import { toast } from "#src/ui/toasts.tsx";
import { AuthForm } from "./auth-form.tsx";
import { CodeInput } from "./code-input.tsx";
import { loginEmail } from "./login-email.ts";
import { pendingEmail } from "./pending-email.ts";
import { ResendButton } from "./resend-button.tsx";
import { useDelayedRedirect } from "./delayed-redirect.ts";

const redirectDelayMs = 1200;
const codeSchema = verifyEmailBody.pick({ code: true });

export function ConfirmPage() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const redirectLater = useDelayedRedirect();
  // Kept for display: the stored e-mail is removed on success.
  const [email] = useState(() => pendingEmail.read() ?? "");
  const { field, submit, placeIssues } = useContractForm(codeSchema, { code: "" });
  const confirm = useMutation({
    mutationFn: (body: { code: string; email: string }) =>
      call(authRoutes.verifyEmailCode, { body }),
    onSuccess: ({ data }, body) => {
      pendingEmail.clear();
      loginEmail.keep(body.email);
      toast("success", data.message);
      redirectLater(() => void navigate({ to: paths.login }), redirectDelayMs);
    },
    onError: (error) => {
      if (!placeIssues(fieldIssues(error))) {
        toast("error", errorText(error, t`Failed to confirm email. Wrong code`));
      }
    },
  });
  const lost = t`Email not found. Please register again.`;

  /** Another tab may have logged in and removed the e-mail since the page was opened. */
  function send({ code }: { code: string }) {
    const to = pendingEmail.read();
    if (to === null) toast("error", lost);
    else confirm.mutate({ code, email: to });
  }

  return (
    <AuthForm
      title={t`Confirm your email`}
      intro={
        <Trans>
          We sent a code to <strong>{email}</strong>. It is valid for 10 minutes.
        </Trans>
      }
      submitLabel={t`Confirm`}
      busy={confirm.isPending || confirm.isSuccess}
      onSubmit={submit(send)}
      secondary={
        <ResendButton
          purpose="verification"
          email={() => pendingEmail.read() ?? ""}
          missing={lost}
        />
      }
      foot={<Link to={paths.login}>{t`Back to login`}</Link>}
    >
      <CodeInput {...field("code")} label={t`Code`} />
    </AuthForm>
  );
}
