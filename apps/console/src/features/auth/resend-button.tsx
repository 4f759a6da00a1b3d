import { useLingui } from "@lingui/react/macro";
import { CallError } from "@palisade/contract/http/client";
import { passwordResetRoutes } from "@palisade/contract/http/password-reset";
import { authRoutes } from "@palisade/contract/http/auth";
import { useMutation } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { errorText } from "#src/api/errors.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { startCooldown, useCooldown, type CodePurpose } from "./resend-cooldown.ts";

const resendRoutes = {
  verification: authRoutes.resendVerificationCode,
  reset: passwordResetRoutes.resendResetCode,
};

interface ResendButtonProps {
  readonly purpose: CodePurpose;
  /** Read when the button is pressed; empty if there is none. */
  readonly email: () => string;
  /** The error to show without an e-mail. */
  readonly missing: string;
}

export function ResendButton({ purpose, email, missing }: ResendButtonProps) {
  const { t } = useLingui();
  const left = useCooldown(purpose);
  const resend = useMutation({
    mutationFn: (to: string) => call(resendRoutes[purpose], { body: { email: to } }),
    onSuccess: ({ data }) => {
      startCooldown(purpose);
      toast("success", data.message);
    },
    onError: (error) => {
      const wait = error instanceof CallError ? error.problem?.retry_after : undefined;
      if (wait !== undefined) startCooldown(purpose, wait);
      toast("error", errorText(error, t`Failed to resend code. Please try again later.`));
    },
  });

  function press() {
    const to = email().trim();
    if (left > 0) toast("error", t`Please wait 2 minutes before resending the code.`);
    else if (to === "") toast("error", missing);
    else resend.mutate(to);
  }

  return (
    <ActionButton
      variant="default"
      // Not `disabled`: pressing too early shows an error, also with the keyboard.
      aria-disabled={left > 0 || resend.isPending}
      data-disabled={left > 0}
      loading={resend.isPending}
      onClick={press}
    >
      {left > 0 ? t`Resend available in ${left} sec` : t`Resend code`}
    </ActionButton>
  );
}
