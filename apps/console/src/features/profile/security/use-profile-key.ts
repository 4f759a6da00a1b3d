import { useLingui } from "@lingui/react/macro";
import { regenerateApiKey, revealApiKey } from "@palisade/contract/http/account";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { queryClient } from "#src/api/query-client.ts";
import { withStepUp } from "#src/api/step-up.ts";
import { toastError } from "#src/ui/toast-error.ts";
import { copyText } from "#src/ui/copy-text.ts";
import { toast } from "#src/ui/toasts.tsx";
import { profileQuery } from "../profile.queries.ts";

/** The profile's own key. The full key needs a recent authentication and is never stored here. */
export function useProfileKey() {
  const { t } = useLingui();
  const [shown, setShown] = useState<string | null>(null);

  const reveal = useMutation({
    mutationFn: async () => shown ?? (await withStepUp(() => call(revealApiKey, {}))).data.api_key,
    onError: (error) => toastError(error, t`Failed to show API key`),
  });
  const regenerate = useMutation({
    mutationFn: () => withStepUp(() => call(regenerateApiKey, {})),
    onSuccess: async ({ data }) => {
      setShown(data.api_key);
      toast("success", data.message);
      await queryClient.invalidateQueries({ queryKey: profileQuery.queryKey, exact: true });
    },
    onError: (error) => toastError(error, t`Failed to regenerate API key`),
  });

  return {
    shown,
    busy: reveal.isPending || regenerate.isPending,
    show: () => reveal.mutate(undefined, { onSuccess: setShown }),
    hide: () => setShown(null),
    copy: () =>
      reveal.mutate(undefined, {
        onSuccess: async (key) => {
          if (await copyText(key)) toast("success", t`API key copied to clipboard`);
          // Show the key, so that it can be selected.
          else setShown(key);
        },
      }),
    regenerate: () => regenerate.mutate(),
  };
}
