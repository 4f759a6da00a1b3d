import { useLingui } from "@lingui/react/macro";
import type { TryChallenge } from "@palisade/contract/edge/plain-values";
import { mitigationRoutes } from "@palisade/contract/http/mitigation";
import { useMutation } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { errorText } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { toast } from "#src/ui/toasts.tsx";
import type { Change } from "../../receipt.tsx";
import { tryAddressQuery } from "../mitigation.queries.ts";

/** Creates, renews and removes the try address. Each change ends in a receipt. */
export function useTrial(shieldId: string, onChange: (change: Change) => void) {
  const { t } = useLingui();
  const { queryKey } = tryAddressQuery(shieldId);
  const params = { id: shieldId };

  function failed(error: unknown, fallback: string) {
    toast("error", errorText(error, fallback));
    void queryClient.invalidateQueries({ queryKey });
  }

  const start = useMutation({
    mutationFn: (challenge: TryChallenge) =>
      call(mitigationRoutes.startTry, { params, body: { challenge } }),
    onSuccess: ({ data }) => {
      queryClient.setQueryData(queryKey, data.try_address);
      onChange({ label: data.message, revision: data.revision });
    },
    onError: (error) => failed(error, t`Try address could not be created`),
  });

  const end = useMutation({
    mutationFn: () => call(mitigationRoutes.endTry, { params }),
    onSuccess: ({ data }) => {
      queryClient.setQueryData(queryKey, null);
      if (data.revision !== null) onChange({ label: data.message, revision: data.revision });
    },
    onError: (error) => failed(error, t`Try address could not be removed`),
  });

  return { start, end };
}
