import { useLingui } from "@lingui/react/macro";
import { regenerateBackupCodes } from "@palisade/contract/http/two-factor";
import { useMutation } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { statusOf } from "#src/api/errors.ts";
import { withStepUp } from "#src/api/step-up.ts";
import { toastError } from "#src/ui/toast-error.ts";
import { toast } from "#src/ui/toasts.tsx";
import { showBackupCodes } from "../profile.queries.ts";

/** Makes new backup codes: by a code, or by a step-up where the account has passkeys. */
export function useNewBackupCodes(onMade: () => void) {
  const { t } = useLingui();
  return useMutation({
    mutationFn: (body: { code?: string }) =>
      withStepUp(() => call(regenerateBackupCodes, { body })),
    onSuccess: ({ data }) => {
      toast("success", data.message);
      showBackupCodes(data.backup_codes);
      onMade();
    },
    onError: (error) => {
      if (statusOf(error) !== 422) toastError(error, t`Failed to make backup codes`);
    },
  });
}
