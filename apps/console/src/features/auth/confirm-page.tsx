import { Button, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { verifyEmailBody } from "@palisade/contract/http/auth";
import { routes } from "@palisade/contract/http/routes";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { call } from "#src/api/client.ts";
import { errorText, fieldIssues } from "#src/api/errors.ts";
import { useContractForm } from "#src/lib/form.ts";
import { toast } from "#src/ui/toasts.tsx";
import { AuthForm } from "./auth-form.tsx";
import classes from "./auth-form.module.css";
import { pendingEmail } from "./pending-email.ts";
import { useCooldown } from "./resend-cooldown.ts";
import { useResend } from "./resend.ts";

const redirectDelayMs = 1200;
const codeSchema = verifyEmailBody.pick({ code: true });

export function ConfirmPage() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const email = pendingEmail.read() ?? "";
  const { field, submit, placeIssues } = useContractForm(codeSchema, { code: "" });
  const confirm = useMutation({
    mutationFn: ({ code }: { code: string }) =>
      call(routes.auth.verifyEmailCode, { body: { code, email } }),
    onSuccess: ({ data }) => {
      toast("success", data.message);
      setTimeout(() => {
        pendingEmail.clear();
        void navigate({ to: "/login" });
      }, redirectDelayMs);
    },
    onError: (error) => {
      if (!placeIssues(fieldIssues(error))) {
        toast("error", errorText(error, t`Failed to confirm email. Wrong code`));
      }
    },
  });

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
      onSubmit={submit((values) => confirm.mutate(values))}
      secondary={<ResendButton />}
      foot={<Link to="/login">{t`Back to login`}</Link>}
    >
      <TextInput
        {...field("code")}
        label={t`Code`}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        classNames={{ input: classes["code"] ?? "" }}
      />
    </AuthForm>
  );
}

function ResendButton() {
  const { t } = useLingui();
  const left = useCooldown();
  const resend = useResend();
  const early = () => toast("error", t`Please wait 2 minutes before resending the code.`);
  return (
    <Button
      variant="default"
      // Not `disabled`: pressing too early gets an answer, from the keyboard too.
      aria-disabled={left > 0}
      data-disabled={left > 0}
      loading={resend.isPending}
      onClick={() => (left > 0 ? early() : resend.mutate())}
    >
      {left > 0 ? t`Resend available in ${left} sec` : t`Resend code`}
    </Button>
  );
}
