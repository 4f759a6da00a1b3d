import { useLingui } from "@lingui/react/macro";
import { restoreHistory } from "@palisade/contract/http/history";
import { useMutation } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { errorText } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { toast } from "#src/ui/toasts.tsx";
import type { Change } from "../receipt.tsx";

export function useRestore(shieldId: string, onChange: (change: Change) => void) {
  const { t } = useLingui();
  return useMutation({
    mutationFn: (entryId: string) =>
      call(restoreHistory, { params: { id: shieldId, entryId }, body: {} }),
    onSuccess: async ({ data }) => {
      toast(data.restored.length > 0 ? "success" : "error", data.message);
      if (data.revision !== null)
        onChange({ label: t`Settings restored`, revision: data.revision });
      // Any section may show other settings now.
      await queryClient.invalidateQueries({ queryKey: ["servers", shieldId] });
    },
    onError: (error) => toast("error", errorText(error, t`Failed to restore the settings`)),
  });
}
