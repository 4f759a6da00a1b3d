import { useLingui } from "@lingui/react/macro";
import { cachingRoutes, type Caching } from "@palisade/contract/http/caching";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { errorText, hasCode } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { toast } from "#src/ui/toasts.tsx";
import type { Change } from "../receipt.tsx";
import { ifMatch, type Versioned } from "../shield.queries.ts";
import { cachingQuery } from "./caching.queries.ts";

/** The switch and the purge. If another user changed the switch first, the user is asked. */
export function useCaching(shieldId: string, onChange: (change: Change) => void) {
  const { t } = useLingui();
  const query = cachingQuery(shieldId);
  const [refused, setRefused] = useState<boolean | null>(null);
  const params = { id: shieldId };

  function take({ data, headers }: { data: { caching: Caching }; headers: Headers }) {
    const now: Versioned<Caching> = { value: data.caching, etag: headers.get("etag") };
    queryClient.setQueryData(query.queryKey, now);
  }

  const toggle = useMutation({
    mutationFn: async (enabled: boolean) => {
      await queryClient.cancelQueries({ queryKey: query.queryKey });
      const etag = queryClient.getQueryData(query.queryKey)?.etag ?? null;
      const body = { caching_enabled: enabled };
      return call(cachingRoutes.updateCaching, { params, body, headers: ifMatch(etag) });
    },
    onSuccess: (answer) => {
      setRefused(null);
      take(answer);
      toast("success", answer.data.message);
      onChange({ label: t`Caching settings updated`, revision: answer.data.revision });
    },
    onError: async (error, enabled) => {
      if (!hasCode(error, "precondition_failed")) {
        toast("error", errorText(error, t`Failed to update caching settings`));
        void queryClient.invalidateQueries({ queryKey: query.queryKey });
        return;
      }
      const now = await queryClient.fetchQuery({ ...query, staleTime: 0 });
      // If both users chose the same value, there is no conflict.
      setRefused(now.value.caching_enabled === enabled ? null : enabled);
    },
  });

  const purge = useMutation({
    mutationFn: () => call(cachingRoutes.purgeCache, { params }),
    onSuccess: (answer) => {
      take(answer);
      onChange({ label: t`Cache purged`, revision: answer.data.revision });
    },
    onError: (error) => toast("error", errorText(error, t`Failed to purge the cache`)),
  });

  return { toggle, purge, refused, dropRefused: () => setRefused(null) };
}
