import { useLingui } from "@lingui/react/macro";
import { updateNotifications, type updateNotificationsBody } from "@palisade/contract/http/account";
import { useMutation } from "@tanstack/react-query";
import type { z } from "zod";
import { call } from "#src/api/client.ts";
import { queryClient } from "#src/api/query-client.ts";
import { withStepUp } from "#src/api/step-up.ts";
import { toast } from "#src/ui/toasts.tsx";
import { toastError } from "#src/ui/toast-error.ts";
import { patchProfile, profileQuery } from "./profile.queries.ts";

/** Shows the new setting at once and reverts it with an error if the api rejects it. */
export function useNotifications() {
  const { t } = useLingui();
  const { queryKey } = profileQuery;
  const save = useMutation({
    mutationFn: (body: z.input<typeof updateNotificationsBody>) =>
      withStepUp(() => call(updateNotifications, { body })),
    onMutate: async ({ email_notifications }) => {
      await queryClient.cancelQueries({ queryKey, exact: true });
      const before = queryClient.getQueryData(queryKey);
      patchProfile({ email_notifications });
      return before;
    },
    onSuccess: ({ data }) => toast("success", data.message),
    onError: (error, _body, before) => {
      if (before) patchProfile({ email_notifications: before.email_notifications });
      toastError(error, t`Failed to update notifications`);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey, exact: true }),
  });
  return { save };
}
