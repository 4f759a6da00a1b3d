import { useLingui } from "@lingui/react/macro";
import { CallError } from "@palisade/contract/http/client";
import { routes } from "@palisade/contract/http/routes";
import { useMutation } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { errorText } from "#src/api/errors.ts";
import { toast } from "#src/ui/toasts.tsx";
import { pendingEmail } from "./pending-email.ts";
import { startCooldown } from "./resend-cooldown.ts";

class NoPendingEmail extends Error {}

export function useResend() {
  const { t } = useLingui();
  return useMutation({
    mutationFn: () => {
      const email = pendingEmail.read();
      if (email === null) throw new NoPendingEmail();
      return call(routes.auth.resendVerificationCode, { body: { email } });
    },
    onSuccess: ({ data }) => {
      startCooldown();
      toast("success", data.message);
    },
    onError: (error) => {
      if (error instanceof NoPendingEmail) {
        toast("error", t`Email not found. Please register again.`);
        return;
      }
      const wait = error instanceof CallError ? error.problem?.retry_after : undefined;
      if (wait !== undefined) startCooldown(wait);
      toast("error", errorText(error, t`Failed to resend code. Please try again later.`));
    },
  });
}
